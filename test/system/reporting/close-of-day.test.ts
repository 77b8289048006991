// The close of a day is one figure, wherever somebody asks for it: in SQL, in the API, in CSV, and on the
// pages. An observation is under way at midnight, and prices stand on both sides of it.
import { expect, test } from 'vitest';
import { seePage } from '../../../packages/pages/test/read-page.ts';
import { type Api, startApi } from '../../api/documented-api.ts';
import { epoch, type Store } from '../../support/store.ts';
import { inZones } from '../../support/time-zone.ts';
import { openReporting, snapshot } from './told.ts';

const hour = 3_600_000;
const second = 1000;

async function accountIn(zone: string): Promise<Store> {
  const store = await openReporting();
  await store.query(`${inZones(zone)} update custody.accounts set first_seen_at = '2025-01-01'`);
  return store;
}

/** The first moment after a day, in milliseconds since 1970, as the calendar has it. */
async function endOf(store: Store, day: string): Promise<number> {
  const [row] = await store.query<{ ends: string; hours: number }>(
    `select extract(epoch from ends_at)::text as ends from reporting.calendar where day = $1`,
    [day],
  );
  return Number(row?.ends) * 1000;
}

/** Balances of all and warm vaults. */
async function observe(store: Store, at: number, x: string, tookMs = 1): Promise<void> {
  await snapshot(store, at - epoch, { X: { total: x }, Y: { total: '5' }, Z: { total: '9' } }, 'all', tookMs);
  await snapshot(store, at - epoch, { X: { total: '0.25' } }, 'warm', tookMs);
}

/** Microseconds are added in SQL. */
async function price(store: Store, asset: string, at: number, micros: number, value: string): Promise<void> {
  await store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     values ('acme', $1, 'USD', to_timestamp($2) + make_interval(secs => $3 / 1e6), $4)`,
    [asset, at / 1000, micros, value],
  );
}

async function pricesAround(store: Store, end: number): Promise<void> {
  await price(store, 'X', end - 40 * hour, 0, '2');
  await price(store, 'X', end - 5 * hour, 0, '3');
  await price(store, 'X', end, -1, '4.5');
  await price(store, 'X', end, 0, '100');
  await price(store, 'Y', end - 3 * hour, 0, '0.00000000000000000001');
}

/** What SQL says of the day, and every other surface after it. */
async function surfaces(store: Store, api: Api, day: string) {
  const own = [
    'vault_type',
    'currency',
    'total_value',
    'valued',
    'without_price',
    'unknown',
    'oldest_price_as_of',
  ];
  const sql = (view: string, order: string) =>
    store
      .query<{ row: Record<string, unknown> }>(
        `select (select jsonb_object_agg(key, value #>> '{}') from jsonb_each(to_jsonb(f))) as row
         from reporting.${view} f where day = $1 order by ${order}`,
        [day],
      )
      .then((rows) => rows.map(({ row }) => texts(row)));
  const json = async (path: string) => (await api.json(`/api/v1/${path}`)).data.map(texts);
  const value = await sql('portfolio_value_daily', 'vault_type');
  const values = await sql('balance_values_daily', 'asset_id, network_id, vault_type');
  const balances = await sql('balances_daily', 'asset_id, network_id, vault_type');
  expect((await json(`balances/value?at=${day}`)).map((row) => only(row, own))).toEqual(
    value.map((row) => only(row, own)),
  );
  expect(
    (await json(`balances/value/daily?day_from=${day}&day_to=${day}&sort=day`))
      .map((row) => only(row, own))
      .toSorted((a, b) => String(a['vault_type']).localeCompare(String(b['vault_type']))),
  ).toEqual(value.map((row) => only(row, own)));
  for (const [path, expected] of [
    ['balances/values', values],
    ['balances', balances],
  ] as const) {
    const found = await json(`${path}?at=${day}`);
    expect(found).toEqual(expected.map((row) => only(row, Object.keys(found[0] ?? {}))));
    expect(await csv(api, `${path}.csv?at=${day}`, ['asset_id', 'vault_type', 'total_balance'])).toEqual(
      found.map((row) => [row['asset_id'], row['vault_type'], row['total_balance']]),
    );
  }
  const split = await json(`balances/split?at=${day}&currency=USD`);
  const valued = split.filter((row) => row['total_value'] !== null);
  expect(valued.map((row) => [row['asset_id'], row['total_value'], row['price_as_of']])).toEqual(
    values.flatMap((row) =>
      row['vault_type'] === 'all' ? [[row['asset_id'], row['total_value'], row['price_as_of']]] : [],
    ),
  );
  const priced = await store.query(
    `select v.asset_id from reporting.balance_values_daily v
     join reporting.calendar c on c.account_id = v.account_id and c.day = v.day
     cross join lateral reporting.price_known(v.account_id, v.asset_id, v.currency, c.ends_at, 'infinity') p
     where v.day = $1 and (p.price, p.as_of) = (v.price, v.price_as_of)`,
    [day],
  );
  expect(priced).toHaveLength(values.length);
  const all = String(value.find((row) => row['vault_type'] === 'all')?.['total_value']);
  expect(await csv(api, `balances/value.csv?at=${day}&vault_type=all`, ['total_value'])).toEqual([[all]]);
  const x = String(
    values.find((row) => row['asset_id'] === 'X' && row['vault_type'] === 'all')?.['total_value'],
  );
  expect((await seePage(api, `/balances?at=${day}`)).html).toContain(`value="${all}"`);
  expect((await seePage(api, `/balances/assets/X?at=${day}`)).html).toContain(`value="${x}"`);
  return { all, x, split };
}

/** Amounts as text, moments as PostgreSQL reads them, so that forms do not matter. */
function texts(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : /_(?:at|since|as_of)$/.test(name) && typeof value === 'string'
          ? value
              .replace(/(?:\+00:00|Z)$/, '')
              .replace(/(\.\d*?)0+$/, '$1')
              .replace(/\.$/, '')
          : value,
    ]),
  );
}

function only(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

async function csv(
  api: Api,
  path: string,
  names: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const [header = '', ...lines] = (await (await api.get(`/api/v1/${path}`)).text()).trim().split('\r\n');
  const places = names.map((name) => header.split(',').indexOf(name));
  return lines.map((line) => places.map((place) => line.split(',')[place]?.replaceAll('"', '') ?? ''));
}

test.each([
  ['2025-07-09', 'UTC', 24],
  ['2025-10-25', 'Europe/Zurich', 24],
  // The clocks go back, forward, and back half a world away.
  ['2025-10-26', 'Europe/Zurich', 25],
  ['2025-03-30', 'Europe/Zurich', 23],
  ['2025-04-06', 'Pacific/Auckland', 25],
])('the close of %s in %s is one figure on every surface', async (day, zone, hours) => {
  const store = await accountIn(zone);
  const end = await endOf(store, day);
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  expect(end - (await endOf(store, before))).toBe(hours * hour);
  await observe(store, end - 30 * hour, '500');
  await observe(store, end - 10 * hour, '1000');
  // Under way at midnight, and answered on the next day: the close is not unknown for its sake.
  await observe(store, end - second, '7', 3 * second);
  await pricesAround(store, end);
  const api = await startApi(store.url);
  const { all, x, split } = await surfaces(store, api, day);
  expect([all, x]).toEqual(['4500.00000000000000000005', '4500']);
  // Of cold vaults nothing was observed: that is unknown, not empty.
  expect(split).toMatchObject([{ warm_total: '0.25', cold_is_known: 'false' }, { warm_is_known: null }, {}]);
  // The moment after the day is one of the next: another price, and what was under way is unknown.
  const midnight = new Date(end).toISOString();
  const moment = (await api.json(`/api/v1/balances/values?at=${midnight}&vault_type=all&asset_id=X`)).data;
  expect(moment).toMatchObject([{ price: '100', total_value: null, is_known: false }]);
  const earlier = new Date(end - 2 * second).toISOString();
  expect((await api.json(`/api/v1/balances/value?at=${earlier}&vault_type=all`)).data).toMatchObject([
    { total_value: '3000.00000000000000000005' },
  ]);
});

test('the pages ask for the end of a period by its last day, and overview and balances agree', async () => {
  const store = await accountIn('Asia/Kathmandu');
  const [today] = await store.query<{ day: string; yesterday: string; starts: string; now: string }>(
    `select day::text, (day - 1)::text as yesterday, extract(epoch from starts_at)::text as starts,
       extract(epoch from now())::text as now
     from reporting.calendar order by day desc limit 1`,
  );
  const end = Number(today?.starts) * 1000;
  await observe(store, end - 10 * hour, '1000');
  await pricesAround(store, end);
  await observe(store, Math.round(Number(today?.now) * 1000), '6');
  const api = await startApi(store.url);
  const { all } = await surfaces(store, api, today?.yesterday ?? '');
  await surfaces(store, api, today?.day ?? '');
  const balances = await seePage(api, '/balances');
  expect(balances.links).toContain(`/balances?at=${today?.yesterday}`);
  const change = `-${Number(all) - 600}`;
  await expect
    .poll(async () => (await seePage(api, '/')).html)
    .toMatch(new RegExp(`value="${change}\\d*\\.?\\d*"`));
  const overview = await seePage(api, '/');
  expect(overview.links).toContain(`/balances?at=${today?.yesterday}&currency=USD`);
  const then = await seePage(api, `/balances?at=${today?.yesterday}`);
  expect(then.html).toContain(`value="${all}"`);
  expect(then.html).toContain('At the end of ');
  // The form keeps the day unless somebody changes the field.
  expect(then.html).toContain(`name="at.was" value="${today?.yesterday}"`);
  const sent = await api.get(`/balances?at.was=${today?.yesterday}&at=${today?.yesterday}T23%3A59%3A59`, {
    redirect: 'manual',
  });
  expect(sent.headers.get('location')).toBe(`/balances?at=${today?.yesterday}`);
});
