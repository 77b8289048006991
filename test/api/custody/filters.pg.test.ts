// Filters and pages of /custody/transactions against a plain reading of the table: each filter alone, all
// pairs, and any combination, on rows that share moments, lack values, hold long texts, and are partly marked
// as missing.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { sized } from '../../support/form.ts';
import { type ServedCustody, serveCustody } from '../../support/served-custody.ts';
import { errorOf, idsOf } from '../../support/served-sandbox.ts';

interface Row extends Record<string, unknown> {
  readonly transaction_id: string;
  /** Microseconds since 1970, as text. */
  readonly micros: string;
}

const rows = 12_000;
/** More than an index of PostgreSQL holds, and no two blocks of it are alike. */
const longText = Array.from({ length: 900 }, (_, index) => `${index * 7_919}x`).join('');

let database: TestDatabase;
let custody: ServedCustody;
let shown: readonly Row[];

beforeAll(async () => {
  database = await testDatabase();
  await fill(database);
  shown = await database.query<Row>(`
    select transaction_id, status, transaction_type, asset_id, network_id, source_id, source_address, destination_id,
      destination_address, (extract(epoch from first_seen_at) * 1000000)::bigint::text as micros
    from custody.transactions where account_id = 'default' and missing_since is null
    order by first_seen_at, transaction_id`);
  custody = await serveCustody(database);
});

async function fill(database: TestDatabase): Promise<void> {
  const pick = (salt: number, values: readonly string[]) =>
    `(array[${values.join()}])[1 + (hashint8extended(i, ${salt}) & 1023) % ${values.length}]`;
  await database.query(`
    insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://one.example', now()), ('other', 'https://other.example', now())`);
  await database.query(
    `
    insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, network_id, source_id,
      source_address, destination_id, destination_address, first_seen_at, status_changed_at, changed_at, missing_since,
      content_hash, raw)
    select account, 't' || md5(i::text), ${pick(1, ["'pending'", "'completed'", "'completed'", "'failed'", "'settling'"])},
      ${pick(2, ["'deposit'", "'withdraw'", "'change pool'", "'airdrop'", 'null'])}, ${pick(3, ["'BTC'", "'ETH'", "'é'", "''", 'null'])},
      ${pick(4, ["'n1'", "'n2'"])}, ${pick(5, ["''", "'v1'", "'v2'", 'null'])}, ${pick(6, ["'0xA'", "'0xa'", '$1::text'])},
      case when i % 1000 = 3 then 'rare' end, ${pick(7, ["'bc1'", "'bc2'", "'bc3'", 'null'])}, at, at, at,
      case when i % 97 = 5 then now() end, i::text, '{}'
    from generate_series(1, ${rows}) i
    cross join (values ('default'), ('other')) as a (account)
    cross join lateral (select timestamptz '2026-03-01T00:00:00.000001Z' + interval '1 minute' * (i / 7) as at) as m`,
    [longText],
  );
  await database.query(`
    update custody.accounts a set (transactions_total, transactions_missing) = (
      select count(*), count(missing_since) from custody.transactions t where t.account_id = a.account_id)`);
  await database.query('analyze custody.transactions');
}

type Filters = Readonly<Record<string, string>>;

const values: Readonly<Record<string, readonly string[]>> = {
  status: ['pending', 'completed', 'failed', 'cancelled'],
  transaction_type: ['deposit', 'withdraw', 'change pool', 'changepool', 'claim'],
  asset_id: ['BTC', 'ETH', 'é', '', 'btc'],
  network_id: ['n1', 'n2', 'n'],
  source_id: ['', 'v1', 'v2'],
  source_address: ['0xA', '0xa', longText, longText.slice(1)],
  destination_id: ['rare', ''],
  destination_address: ['bc1', 'bc2', '%', "b'c"],
  transaction_id: ['tc4ca4238a0b923820dcc509a6f75849b', 'none'],
  start_date: ['2026-03-02', '2026-03-01T00:03:00Z', '2026-03-03T01:00:00.000001+01:00'],
  end_date: ['2026-03-02', '2026-03-05T00:03', '2026-03-08T01:00:00.000001+02:00'],
};

/** What a filter selects, told in another way than the program's. */
function expected(filters: Filters): string[] {
  const bound = (text: string, end: boolean) => {
    if (text.length === 10)
      return BigInt(Date.parse(`${text}T00:00:00Z`) + (end ? 86_400_000 : 0)) * 1000n - (end ? 1n : 0n);
    const utc = /Z$|\+\d\d:\d\d$/.test(text) ? text : `${text}Z`;
    const micros = /\.(\d{6})/.exec(text)?.[1] ?? '0';
    return BigInt(Date.parse(utc.replace(/\.\d+/, ''))) * 1000n + BigInt(micros);
  };
  return shown
    .filter((row) =>
      Object.entries(filters).every(([name, value]) => {
        if (name === 'start_date') return BigInt(row.micros) >= bound(value, false);
        if (name === 'end_date') return BigInt(row.micros) <= bound(value, true);
        return row[name] === (value === 'changepool' ? 'change pool' : value);
      }),
    )
    .map((row) => row.transaction_id);
}

async function check(filters: Filters, limit: number, offset: number): Promise<void> {
  const query = new URLSearchParams({ ...filters, limit: String(limit), offset: String(offset) });
  const answer = await custody.get(`/transactions?${query}`);
  const wanted = expected(filters).slice(offset, offset + Math.min(limit, 1_000));
  if (wanted.length === 0) expect(errorOf(answer), query.toString()).toBe('400 TXN-02');
  else expect(idsOf(answer), query.toString()).toEqual(wanted);
}

const alone = Object.entries(values).flatMap(([name, texts]) => texts.map((text) => [name, text] as const));

test.each(Object.keys(values))('%s alone', async (name) => {
  for (const [filter, text] of alone) if (filter === name) await check({ [name]: text }, 300, 2);
});

test('all pairs', async () => {
  const names = Object.keys(values);
  for (const [index, one] of names.entries())
    for (const other of names.slice(index + 1)) {
      const [first = '', second = ''] = [values[one]?.[0], values[other]?.[0]];
      if (one === 'start_date') continue;
      await check({ [one]: first, [other]: second }, 50, 0);
    }
});

test('any combination, limit and offset', async () => {
  const filters = fc.record(
    Object.fromEntries(Object.entries(values).map(([name, texts]) => [name, fc.constantFrom(...texts)])),
    { requiredKeys: [] },
  );
  const few = fc
    .tuple(filters, fc.subarray(Object.keys(values), { maxLength: 3 }))
    .map(([all, kept]) =>
      Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) =>
          value !== undefined && kept.includes(name) ? [[name, value] as const] : [],
        ),
      ),
    )
    .filter(
      ({ start_date: from, end_date: to }) =>
        from === undefined || to === undefined || from.slice(0, 10) < to,
    );
  await fc.assert(
    fc.asyncProperty(few, fc.integer({ min: 1, max: 1_200 }), fc.integer({ min: 0, max: 400 }), check),
    { numRuns: sized({ short: 25, long: 2_000 }, 'FILTER_RUNS') },
  );
});

test('every page of the whole list, however deep', async () => {
  const deep = [0, 1, 4_999, 5_000, 5_001, 5_940, 5_941, 6_100, 9_000, 11_000, shown.length - 201];
  for (const offset of [...deep, shown.length - 200, shown.length - 1, shown.length, shown.length + 9_000])
    for (const limit of [1, 200, 1_000]) await check({}, limit, offset);
  expect(shown.length).toBeLessThan(rows);
});

test('a limit above the maximum is cut, and the walk goes on by what it received', async () => {
  expect(idsOf(await custody.get('/transactions?limit=99999999999999999999'))).toEqual(
    expected({}).slice(0, 1_000),
  );
});
