// CSV: the whole list, readable by who knows RFC 4180 and nothing of us, harmless in a spreadsheet, gone when
// its reader goes.
import { expect, test } from 'vitest';
import { fileNameOf } from '../../src/api/answer/send.ts';
import { longTest } from '../support/form.ts';
import { account, item, openStore, page, pageOf, transaction } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Row, startApi } from './documented-api.ts';

/**
 * A parser after RFC 4180, by its grammar: records end with CRLF, quotes double within quotes. Null is a cell
 * without quotes.
 */
function parseCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let place = 0;
  while (place < text.length) {
    const record: (string | null)[] = [];
    for (;;) {
      if (text[place] === '"') {
        let cell = '';
        for (place += 1; ; place += 1) {
          if (place >= text.length) throw new Error('a quote is open');
          if (text[place] !== '"') cell += text[place];
          else if (text[place + 1] === '"') {
            cell += '"';
            place += 1;
          } else break;
        }
        place += 1;
        record.push(cell);
      } else {
        const from = place;
        while (place < text.length && !',\r\n"'.includes(text[place] ?? '')) place += 1;
        record.push(place === from ? null : text.slice(from, place));
      }
      if (text[place] !== ',') break;
      place += 1;
    }
    if (text.slice(place, place + 2) !== '\r\n')
      throw new Error(`a record ends with ${text.slice(place, place + 5)}`);
    place += 2;
    records.push(record);
  }
  return records;
}

function asRows(text: string): Record<string, string | null>[] {
  const [header = [], ...records] = parseCsv(text);
  return records.map((record) => {
    expect(record.length).toBe(header.length);
    return Object.fromEntries(header.map((name, index) => [name ?? '', record[index] ?? null]));
  });
}

const dangerous = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1',
  '=',
  '-',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  ' =1+1',
  '  @x',
];
/** Where the separator is a semicolon or a tab, or a line ends inside of quotes: the cell in the middle. */
const dangerousWithin = [
  ['x;=1+1;y', "x;'=1+1;y"],
  [';=1', ";'=1"],
  ['x;"=1+1;', 'x;\'"=1+1;'],
  ['x; +1', "x;' +1"],
  ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
  ['x\r\n-1', "x\r\n'-1"],
  ['x;＝1', "x;'＝1"],
] as const;
const harmless = [
  '',
  ' ',
  'a=b',
  'a;b',
  'a; b=c',
  '"',
  '""',
  'a,b',
  'a\r\nb',
  'a\nb',
  "'",
  '日本 🏦',
  '\\',
  '\\N',
  '\\.',
  'null',
  '0',
];

test('every text comes through an independent parser, and formulas get an apostrophe', async () => {
  const store = await openStore();
  const texts = [...dangerous, ...dangerousWithin.map(([text]) => text), ...harmless];
  await commit(
    store,
    pageOf(
      texts.map((note, index) => ({ id: `t${String(index).padStart(2, '0')}`, note })),
      0,
    ),
  );
  const api = await startApi(store.url);
  const answer = await api.get('/api/v1/transactions.csv?sort=transaction_id');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const rows = asRows(await answer.text());
  expect(rows.map(({ note }) => note)).toEqual([
    ...dangerous.map((text) => `'${text.replace('\n=', "\n'=")}`),
    ...dangerousWithin.map(([, guarded]) => guarded),
    ...harmless,
  ]);
  expect(rows.map(({ amount }) => amount)).toEqual(texts.map(() => '1.5'));
  // Null and an empty text differ.
  expect(rows[0]?.['asset_id']).toBe(null);
  expect((await (await api.get('/api/v1/transactions.csv?status=none')).text()).split('\r\n')).toHaveLength(
    2,
  );
});

test('amounts and moments are no text: a negative amount and a day stay what they are', async () => {
  const store = await openStore();
  const negative = { ...transaction({ id: 'n', amount: '-12345678901234567890.000000000000000001' }) };
  await commit(store, page([item(negative)], 0));
  const api = await startApi(store.url);
  const [row] = asRows(await (await api.get('/api/v1/transactions.csv')).text());
  expect(row).toMatchObject({
    amount: '-12345678901234567890.000000000000000001',
    first_seen_at: '2026-01-01T00:00:00.001000Z',
    is_open: 'true',
    missing_since: null,
  });
});

test('CSV that a person keeps begins with a mark of UTF-8, and its name has account and moment', async () => {
  const store = await withMany(1);
  const api = await startApi(store.url);
  const head = async (query: string) => {
    const answer = await api.get(`/api/v1/transactions.csv${query}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return [answer.headers.get('content-disposition'), bytes.subarray(0, 3).toString('hex')];
  };
  expect(await head('')).toEqual(['attachment; filename="transactions.csv"', '747261']);
  const [name, mark] = await head('?download=true');
  expect(name).toMatch(
    new RegExp(
      `^attachment; filename="custody-mirror-${account}-transactions-\\d{4}-\\d\\d-\\d\\dT\\d{6}Z\\.csv"$`,
    ),
  );
  expect(mark).toBe('efbbbf');
  expect(fileNameOf('a/../"b\r\n', 'flows', '2026-10-31')).toBe('custody-mirror-a_..__b__-flows-2026-10-31');
});

async function withMany(count: number) {
  const store = await openStore();
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, amount, note, first_seen_at,
       status_changed_at, changed_at, content_hash, raw)
     select $1, lpad(i::text, 8, '0'), 'completed', 'deposit', i, repeat('x', 400), timestamptz '2026-01-01Z' + i * interval '1 second',
       now(), now(), i::text, '{}' from generate_series(1, $2::int) as i`,
    [account, count],
  );
  return store;
}

test('CSV holds the whole list without a cap, in the order of JSON', async () => {
  const store = await withMany(3_210);
  const api = await startApi(store.url);
  const rows = asRows(
    await (await api.get('/api/v1/transactions', { headers: { accept: 'text/csv' } })).text(),
  );
  const walked: Row[] = await api.walk('/api/v1/transactions?limit=500');
  expect(rows).toHaveLength(3_210);
  const plain = (value: unknown) => (value === null || typeof value === 'string' ? value : String(value));
  expect(rows).toEqual(
    walked.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))),
  );
  for (const parameter of ['limit=5', 'cursor=abc'])
    expect((await api.get(`/api/v1/transactions.csv?${parameter}`)).status).toBe(400);
});

longTest('a reader that goes ends its transaction, and one that stands still holds little', async () => {
  const store = await withMany(60_000);
  const api = await startApi(store.url);
  const transactions = () =>
    store.query(`select state from pg_stat_activity where datname = current_database() and xact_start is not null
      and pid <> pg_backend_pid()`);
  const leave = new AbortController();
  const answer = await api.get('/api/v1/transactions.csv', { signal: leave.signal });
  const reader = answer.body?.getReader();
  await reader?.read();
  await waitFor(async () => (await transactions()).length === 1, { what: 'the transaction of the answer' });
  leave.abort();
  await waitFor(async () => (await transactions()).length === 0, { what: 'the end of the transaction' });
  // The pool has its connection back.
  expect((await api.json('/api/v1/transactions?limit=1')).data).toHaveLength(1);
});
