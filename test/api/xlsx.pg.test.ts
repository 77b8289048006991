// Spreadsheet files: each cell says what the JSON of the API says, text is no formula, and the file tells
// what it is.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { longTest, sampled } from '../support/form.ts';
import { account, openStore, pageOf } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { waitFor } from '../support/wait-for.ts';
import { mirrorOfJune } from '../system/dashboards/june.ts';
import { type Api, type Row, startApi } from './documented-api.ts';
import { plainDecimal, type ReadBook, readBook, type SheetCell, shownDate } from './read-sheets.ts';

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function bookOf(api: Api, path: string): Promise<ReadBook> {
  const answer = await api.get(path);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
  return readBook(Buffer.from(await answer.arrayBuffer()));
}

function addressOf(column: number, row: number): string {
  const letter = (index: number) => String.fromCharCode(65 + index);
  return `${column < 26 ? '' : letter(Math.floor(column / 26) - 1)}${letter(column % 26)}${row}`;
}

/** What a cell says, in the words of the JSON member that it stands for. */
function said(cell: SheetCell | undefined, member: unknown): unknown {
  if (cell === undefined) return member === '' ? '' : null;
  expect(cell.isFormula).toBe(false);
  if (typeof cell.value === 'number') {
    if (cell.format.includes('yyyy')) return shownDate(cell);
    return plainDecimal(cell.value);
  }
  if (typeof member === 'object' && typeof cell.value === 'string') return JSON.parse(cell.value);
  return cell.value;
}

function expectSame({ sheets }: ReadBook, rows: readonly Row[]): void {
  const cells = sheets[0]?.cells ?? new Map();
  const names = Object.keys(rows[0] ?? {});
  expect(names.map((_, index) => cells.get(addressOf(index, 1))?.value.replace(' (UTC)', ''))).toEqual(names);
  for (const [place, row] of rows.entries())
    for (const [index, [name, member]] of Object.entries(row).entries()) {
      const cell = cells.get(addressOf(index, place + 2));
      const isNumber = typeof cell?.value === 'number' && !cell.format.includes('yyyy');
      const expected = isNumber ? plainDecimal(String(member)) : member;
      expect([place, name, said(cell, member)]).toEqual([place, name, expected]);
    }
  expect(cells.get(addressOf(0, rows.length + 2))).toBeUndefined();
}

test('every cell of a list says what its JSON says, now and at a moment', async () => {
  const june = await mirrorOfJune();
  const api = await startApi(june.url, { of: 'default' });
  const lists = [
    'balances/split?currency=USD',
    'balances/split?currency=USD&at=2026-06-11',
    'transactions?sort=first_seen_at',
    'balances/value/daily?',
    'reconciliation?',
    'whitelist?',
    'runs?',
    'freshness?',
  ];
  for (const path of sampled(lists, { every: 3, from: 2 })) {
    const [name = '', query = ''] = path.split('?');
    const rows = await api.walk(`/api/v1/${name}?${query}&limit=500`);
    expect(rows.length).toBeGreaterThan(0);
    expectSame(await bookOf(api, `/api/v1/${name}.xlsx?${query}`), rows);
  }
});

test('the value of holdings at a moment is a number in CSV and .xlsx', async () => {
  const june = await mirrorOfJune();
  const api = await startApi(june.url, { of: 'default' });
  const query = 'currency=USD&at=2026-06-11';
  const { data } = await api.json(`/api/v1/balances/split?${query}&limit=500`);
  expect(data.some((row) => row['total_value'] !== null)).toBe(true);
  const column = Object.keys(data[0] ?? {}).indexOf('total_value');
  const csv = (await (await api.get(`/api/v1/balances/split.csv?${query}`)).text())
    .split('\r\n')
    .slice(1, -1);
  expect(csv.map((line) => line.split(',').at(column - Object.keys(data[0] ?? {}).length))).toEqual(
    data.map((row) => row['total_value'] ?? ''),
  );
  const { sheets } = await bookOf(api, `/api/v1/balances/split.xlsx?${query}`);
  for (const [place, row] of data.entries()) {
    const cell = sheets[0]?.cells.get(addressOf(column, place + 2));
    expect(cell === undefined ? null : plainDecimal(String(cell.value))).toBe(row['total_value']);
  }
});

const texts = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '＝1+1',
  '\r\n',
  ' a ',
  '<b>&amp;"\'',
  '_x0041_',
  'a\u0001b\u0085\uFFFD\uFFFE',
  '\u{1F600}\u{1FFFE}',
  'constructor',
  '__proto__',
  'Müller 日本',
  '00123',
  '1e5',
];

test('text is text, whatever it looks like, and the file says what it is', async () => {
  const store = await openStore();
  await commit(
    store,
    pageOf(
      texts.map((note, index) => ({ id: `t${String(index).padStart(2, '0')}`, note })),
      0,
    ),
  );
  const api = await startApi(store.url);
  const book = await bookOf(api, '/api/v1/transactions.xlsx?sort=transaction_id&transaction_type=deposit');
  const rows = await api.walk('/api/v1/transactions?sort=transaction_id');
  expect(rows.map(({ note }) => note)).toEqual(texts);
  expectSame(book, rows);
  const [list, about] = book.sheets;
  expect(list?.xml).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/);
  expect(list?.xml).not.toContain('<f>');
  const note = Object.keys(rows[0] ?? {}).indexOf('note');
  expect(list?.cells.get(addressOf(note, 2))).toEqual({ value: '=1+1', format: '@', isFormula: false });
  // Who edits a cell must not make a formula of it.
  for (const text of ['@SUM(A1)', '\tx', '＝1+1'])
    expect(list?.cells.get(addressOf(note, texts.indexOf(text) + 2))).toMatchObject({ format: '@' });
  expect(book.styles).toContain('<b/>');
  const told = new Map(
    Array.from({ length: about?.cells.size ?? 0 }, (_, index) => [
      about?.cells.get(`A${index + 1}`)?.value,
      about?.cells.get(`B${index + 1}`)?.value,
    ]),
  );
  expect(about?.name).toBe('About');
  expect(told.get('Account')).toBe(account);
  expect(told.get('Filter transaction_type')).toBe('deposit');
  expect(told.get('Rows')).toBe(String(texts.length));
  expect(told.get('As of')).toBe(told.get('Made'));
  expect(String(told.get('Made'))).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('a list of more cells than a file holds is refused, and CSV still has it', async () => {
  const store = await openStore();
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, amount, first_seen_at,
       status_changed_at, changed_at, content_hash, raw)
     select $1, i::text, 'completed', 'deposit', i, now(), now(), now(), i::text, '{}' from generate_series(1, 10000) as i`,
    [account],
  );
  const api = await startApi(store.url);
  const answer = await api.get('/api/v1/transactions.xlsx');
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    code: 'too-many-rows',
    detail: expect.stringContaining('CSV'),
  });
  expect((await api.get('/api/v1/transactions.xlsx?amount_to=20')).status).toBe(200);
  for (const parameter of ['limit=5', 'cursor=abc', 'summary=true', 'download=true'])
    expect((await api.get(`/api/v1/transactions.xlsx?${parameter}`)).status).toBe(400);
  // The seat of a long answer is free again.
  expect((await (await api.get('/api/v1/transactions.csv')).text()).split('\r\n')).toHaveLength(10_002);
});

longTest(
  'who does not take a file keeps its seat, and gives it back by leaving',
  async () => {
    const store = await openStore();
    await store.query(
      `insert into custody.transactions (account_id, transaction_id, status, transaction_type, amount, note, first_seen_at,
       status_changed_at, changed_at, content_hash, raw)
     select $1, i::text, 'completed', 'deposit', i, (select string_agg(md5((i * 100 + j)::text), '')
         from generate_series(1, 90) as j), now(), now(), now(), i::text, '{}' from generate_series(1, 6000) as i`,
      [account],
    );
    const api = await startApi(store.url);
    const small = '/api/v1/transactions.xlsx?amount_to=20';
    const { hostname, port } = new URL(api.url);
    const idle = connect(Number(port), hostname).on('error', () => undefined);
    idle.write(`GET /api/v1/transactions.xlsx HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await new Promise((resolve) => idle.once('readable', resolve));
    expect((await api.get(small)).status).toBe(429);
    idle.destroy();
    await waitFor(async () => (await api.get(small)).status === 200);
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await api.get(small);
      const bytes = await answer.arrayBuffer();
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(bytes.byteLength)]);
    }
  },
  60_000,
);

test('who leaves before the file is begun keeps no seat', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 't1' }], 0));
  const api = await startApi(store.url);
  const { hostname, port } = new URL(api.url);
  // Many at once wait long for their turn, and most have left when it comes.
  const leave = async (turn: number) => {
    const leaving = connect(Number(port), hostname).on('error', () => undefined);
    const form = turn % 2 === 0 ? 'xlsx' : 'csv';
    leaving.write(`GET /api/v1/transactions.${form} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, turn));
    leaving.destroy();
  };
  await Promise.all(Array.from({ length: 120 }, (_, turn) => leave(turn)));
  await waitFor(async () => (await api.get('/api/v1/transactions.xlsx')).status === 200);
});
