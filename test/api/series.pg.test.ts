// The series of an asset, what balances are worth, and what explains a change: held against the snapshots and
// plain SQL, on twelve days of June 2026 in which the mirror stood still on the 13th.
import { beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { account, openStore } from '../support/store.ts';
import { mirrorOfJune } from '../system/dashboards/june.ts';
import { type Api, type Row, startApi } from './documented-api.ts';

let mirror: TestDatabase;
let api: Api;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  api = await startApi(mirror.url, { of: 'default' });
});

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

test('a series holds the last observation of each step exactly, and one row for each gap', async () => {
  const path = '/api/v1/balances/assets/BTC/series';
  const all: Row[] = await api.walk(`${path}?vault_type=all&from=2026-06-07T00:00:00Z`);
  const observed = all.filter(({ state }) => state !== 'not observed');
  const shown = await mirror.query<Row>(
    `select ${utc('r.starts_at')} as starts_at, ${utc('max(s.snapshot_at)')} as observed_at,
       (select b.total_balance::text from reporting.balance_snapshots b
        where b.vault_type = 'all' and b.asset_id = 'BTC' and b.snapshot_at = max(s.snapshot_at)) as total_balance
     from json_to_recordset($1::json) as r (starts_at timestamptz, ends_at timestamptz)
     join custody.balance_snapshots s on s.vault_type = 'all' and s.answered_at >= r.starts_at and s.answered_at < r.ends_at
     group by r.starts_at order by 1`,
    [JSON.stringify(observed)],
  );
  expect(
    observed.map(({ starts_at, observed_at, total_balance }) => ({ starts_at, observed_at, total_balance })),
  ).toEqual(shown);
  expect(observed.length).toBeGreaterThan(25);
  // The first day begins before the mirror does; on the 13th nothing was observed.
  const gaps = all.filter(({ state }) => state === 'not observed');
  expect(gaps.map(({ gap_from, gap_to }) => [gap_from, gap_to])).toEqual([
    [null, '2026-06-08T08:00:00.000000Z'],
    ['2026-06-12T16:00:00.000000Z', '2026-06-14T08:00:00.000000Z'],
  ]);
  const types = (await api.walk(`${path}?from=2026-06-18T00:00:00Z`)).map((row) => row['vault_type']);
  expect(new Set(types)).toEqual(new Set(['all', 'warm', 'cold']));
  expect((await api.get('/api/v1/balances/assets/NOTHING/series')).status).toBe(404);
});

test('a trend holds the totals of the ends of days, and leaves out the days on which nothing was observed', async () => {
  const search = 'day_from=2026-06-11&day_to=2026-06-15';
  const rows = await api.walk(`/api/v1/balances/trends?vault_type=all&${search}`);
  const [btc] = rows.filter(({ asset_id }) => asset_id === 'BTC');
  const shown = await mirror.query<{ day: string; total: string }>(
    `select day::text, total_balance::text as total from reporting.balances_daily
     where vault_type = 'all' and asset_id = 'BTC' and day between '2026-06-11' and '2026-06-15' order by day`,
  );
  expect(btc).toMatchObject({ from_day: '2026-06-11', to_day: '2026-06-15' });
  expect(btc?.['days']).toEqual(['2026-06-11', '2026-06-12', '2026-06-14', '2026-06-15']);
  expect([btc?.['days'], btc?.['totals']]).toEqual([
    shown.map(({ day }) => day),
    shown.map(({ total }) => total),
  ]);
  const assets = new Set(rows.map(({ asset_id, network_id }) => `${asset_id} ${network_id}`));
  expect(assets.size).toBe(rows.length);
});

test('a long span has few points, each of them exact', async () => {
  const store = await openStore();
  await store.query(`update custody.accounts set first_seen_at = now() - interval '200 days'`);
  await store.query(
    `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count,
       quarantined_count, run_id)
     select $1, 'all', at, at, at + interval '1 second', 1, 1, 0, 1
     from generate_series(date_trunc('hour', now()) - interval '200 days', now() - interval '1 minute', interval '3 hours') as at`,
    [account],
  );
  await store.query('analyze custody.balance_snapshots');
  await store.query(
    `insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, total_balance, run_id, raw)
     select $1, 'all', 'BTC', '', snapshot_at, lead(snapshot_at) over (order by snapshot_at), snapshot_at,
       row_number() over (order by snapshot_at) + 0.000000000000000001, 1, '{}'
     from custody.balance_snapshots`,
    [account],
  );
  await store.query('analyze custody.balances');
  const own = await startApi(store.url);
  for (const days of [200, 30, 1]) {
    const from = new Date(Date.now() - days * 86_400_000).toISOString();
    const rows = await own.walk(`/api/v1/balances/assets/BTC/series?vault_type=all&from=${from}`);
    const seen = rows.filter(({ state }) => state === 'observed');
    expect([days, seen.length > 5, rows.length <= 202]).toEqual([days, true, true]);
    const [wrong] = await store.query<{ count: string }>(
      `select count(*) from json_to_recordset($1::json) as r (observed_at timestamptz, total_balance text)
       where total_balance is distinct from
         (select trim_scale(b.total_balance)::text from custody.balances b where b.valid_from = r.observed_at)`,
      [JSON.stringify(seen)],
    );
    expect(Number(wrong?.count)).toBe(0);
  }
});

test('what a balance is worth is its amount times the latest price by then', async () => {
  const at = '2026-06-15T10:00:00Z';
  const [value] = await api.walk(`/api/v1/balances/value?vault_type=all&at=${at}`);
  const [expected] = await mirror.query<Row>(
    `select trim_scale(sum(b.total_balance * p.price))::text as total_value, count(b.total_balance * p.price)::int as valued,
       (count(*) filter (where p.price is null and b.total_balance <> 0))::int as without_price,
       (count(*) filter (where b.total_balance is null))::int as unknown
     from reporting.balances_at('${at}') b left join lateral (
       select price from custody.asset_prices q where q.asset_id = b.asset_id and q.as_of <= '${at}' order by as_of desc limit 1) p on true
     where b.vault_type = 'all'`,
  );
  expect(value).toMatchObject({ currency: 'USD', ...expected });
  expect(value?.['without_price']).toBeGreaterThan(0);
  const split = await api.walk(`/api/v1/balances/split?currency=USD&at=${at}`);
  const [sum] = await mirror.query<{ sum: string }>(
    `select trim_scale(sum(v::numeric))::text as sum from unnest($1::text[]) v`,
    [split.map((row) => row['total_value'])],
  );
  expect(sum?.sum).toBe(value?.['total_value']);
});

test('what explains a change is the reconciliation between its two observations, and its lines add up', async () => {
  const changes = await api.walk('/api/v1/balances/history?vault_type=all');
  const explained = changes.filter(({ unchanged_until }) => unchanged_until !== null).slice(0, 25);
  let moved = 0;
  for (const { asset_id, unchanged_until, changed_at, total_change } of explained) {
    const [sum] = await api.walk(
      `/api/v1/reconciliation/between?asset_id=${asset_id}&from=${unchanged_until}&to=${changed_at}`,
    );
    const [after, until] = ['opening_answered_at', 'closing_answered_at'].map((name) =>
      String(sum?.[name]).replace('000Z', '001Z'),
    );
    const lines = await api.walk(
      `/api/v1/postings?asset_id=${asset_id}&observed_from=${after}&observed_to=${until}`,
    );
    const [check] = await mirror.query<{ is_change: boolean; is_rest: boolean; are_lines: boolean }>(
      `select $1::numeric - $2::numeric = $3::numeric as is_change,
         $1::numeric - $2::numeric - $4::numeric + $5::numeric + $6::numeric = $7::numeric as is_rest,
         (select coalesce(sum(v::numeric), 0) from unnest($8::text[]) v) = $4::numeric as are_lines`,
      [
        ...[sum?.['closing_balance'], sum?.['opening_balance'], total_change],
        ...[sum?.['inflow'], sum?.['outflow'], sum?.['fees'], sum?.['difference']],
        lines.map((line) => line['inflow']),
      ],
    );
    expect({ asset_id, changed_at, ...check }).toEqual({
      asset_id,
      changed_at,
      is_change: true,
      is_rest: true,
      are_lines: true,
    });
    moved += lines.length;
  }
  expect(moved).toBeGreaterThan(0);
});

test('a CSV with a summary ends with its rows, filters and totals of like amounts, and without one it does not', async () => {
  const path = '/api/v1/balances.csv?vault_type=all&at=2026-06-15T10:00:00Z';
  const plain = await (await api.get(path)).text();
  const summed = await (await api.get(`${path}&summary=true`)).text();
  expect(summed.startsWith(`${plain}\r\n"Rows",${plain.split('\r\n').length - 2}\r\n`)).toBe(true);
  const end = summed.slice(plain.length);
  expect(end).toContain('"Filter vault_type","all"\r\n');
  expect(end).toContain('"As of","2026-06-15T10:00:00.000000Z"\r\n');
  const held = (await api.json('/api/v1/balances?vault_type=all&at=2026-06-15T10:00:00Z')).data;
  const some = held.find(({ total_balance }) => total_balance !== null);
  expect(end).toContain(
    `"Total total_balance",${some?.['total_balance']},"vault_type","all","asset_id","${some?.['asset_id']}"\r\n`,
  );
  // A filter is foreign text.
  const guarded = await (await api.get('/api/v1/balances.csv?asset_id=%3D1%2B1%22&summary=true')).text();
  expect(guarded).toContain('"Rows",0\r\n');
  expect(guarded).toContain(`"Filter asset_id","'=1+1"""\r\n`);
  expect((await api.get('/api/v1/balances?summary=true')).status).toBe(400);
});
