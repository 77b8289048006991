// A balance that cannot be read is unknown: it does not end, it is shown as null, and no view makes a zero or
// a change of it.
import { beforeEach, expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import { sampled } from '../../support/form.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

type Listed = Readonly<Record<string, unknown>>;
type Lists = Record<'all' | 'warm' | 'cold', Listed[]>;

const of = (asset: string, total: string, staking = '0'): Listed => ({
  asset_id: asset,
  network_id: asset,
  asset_name: asset,
  network_name: asset,
  balances: {
    total_balance: total,
    available_balance: '0',
    processing_balance: '0',
    staking_balance: staking,
    claimable_balance: '0',
  },
});

const everywhere = (make: () => Listed[]): Lists => ({ all: make(), warm: make(), cold: [] });

let lists: Lists;
let mirror: Mirror;

beforeEach(async () => {
  lists = everywhere(() => [of('BTC', '10'), of('USD', '15000')]);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const type = pathname.endsWith('/warm') ? 'warm' : pathname.endsWith('/cold') ? 'cold' : 'all';
    await (await globalThis.fetch(input, init)).text();
    const balance = lists[type].slice(Number(searchParams.get('offset') ?? 0));
    const [status, body] =
      balance.length === 0
        ? [400, { error_code: type === 'all' ? 'BAL-00' : 'BAL-01' }]
        : [200, { balance_type: type, balance }];
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
  mirror = await openMirror({}, {}, { fetch });
  await mirror.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     values ('default', 'BTC', 'USD', '2020-01-01', 100000), ('default', 'USD', 'USD', '2020-01-01', 1)`,
  );
});

const read = async (next: Lists) => {
  lists = next;
  // The account has no cold vaults, which is believed an hour after it was found.
  letAnHourPass(mirror.context);
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'succeeded' });
};

const totals = (view: string) =>
  mirror.query(
    `select asset_id, total_balance as total, is_known from ${view} where vault_type = 'all' order by asset_id`,
  );
const changes = () =>
  mirror.query(
    `select asset_id, change, total_change from reporting.balance_changes
     where vault_type = 'all' and change <> 'first observed' order by changed_at, asset_id`,
  );

const known = [
  { asset_id: 'BTC', total: '10', is_known: true },
  { asset_id: 'USD', total: '15000', is_known: true },
];
const unknown = [{ asset_id: 'BTC', total: null, is_known: false }, known[1]];

const faults: readonly { readonly of: string; readonly record: Listed }[] = [
  { of: 'with an amount that is none', record: of('BTC', 'n/a') },
  { of: 'without a network', record: { ...of('BTC', 'n/a'), network_id: undefined } },
  { of: 'without an asset', record: { ...of('BTC', '10'), asset_id: undefined } },
  { of: 'with an amount longer than reports can compute with', record: of('BTC', '9'.repeat(131_072)) },
  { of: 'with a fraction that no double holds', record: of('BTC', `0.${'0'.repeat(330)}1`) },
  { of: 'with an identifier that is too long', record: of('B'.repeat(2_000), '10') },
];

test.each(sampled(faults, { every: 3 }))(
  'a record $of is unknown in every view, and nothing happened once it is read again',
  async ({ record }) => {
    await read(lists);
    await read(everywhere(() => [record, of('USD', '15000')]));
    expect(await totals('reporting.balances_current')).toEqual(unknown);
    expect(await totals('reporting.balances_daily')).toEqual(unknown);
    expect(await totals(`reporting.balances_at('infinity')`)).toEqual(unknown);
    expect(
      await totals('(select * from reporting.balance_snapshots order by snapshot_at desc limit 4) as s'),
    ).toEqual(unknown);
    expect(
      await mirror.query(
        'select asset_id, all_total, warm_total, is_known from reporting.vault_split order by 1',
      ),
    ).toEqual(
      [
        { asset_id: 'BTC', all_total: null, warm_total: null, is_known: false },
        {
          asset_id: 'USD',
          all_total: '15000',
          warm_total: '15000',

          is_known: expect.any(Boolean),
        },
      ].map((row) => row),
    );
    expect(
      await mirror.query(
        `select asset_id, total_value, is_known from reporting.balance_values where vault_type = 'all' order by 1`,
      ),
    ).toEqual([
      { asset_id: 'BTC', total_value: null, is_known: false },
      { asset_id: 'USD', total_value: '15000', is_known: true },
    ]);
    expect(
      await mirror.query(
        'select asset_id, closing_balance, is_explained from reporting.reconciliation_daily order by 1',
      ),
    ).toEqual([
      { asset_id: 'BTC', closing_balance: null, is_explained: null },
      { asset_id: 'USD', closing_balance: '15000', is_explained: null },
    ]);
    expect(await changes()).toEqual([]);
    expect(await mirror.query("select from sync.anomalies where kind = 'totals-differ'")).toEqual([]);

    await read(everywhere(() => [of('BTC', '10.000'), of('USD', '15000')]));
    expect(await totals('reporting.balances_current')).toEqual(known);
    expect(await changes()).toEqual([]);
    expect(
      await mirror.query(
        `select unchanged_since = (select min(snapshot_at) from custody.balance_snapshots) as since_the_first
       from reporting.balances_current where vault_type = 'all' and asset_id = 'BTC'`,
      ),
    ).toEqual([{ since_the_first: true }]);

    await read(everywhere(() => [record, of('USD', '15000')]));
    await read(everywhere(() => [of('USD', '15000')]));
    expect(await changes()).toEqual([{ asset_id: 'BTC', change: 'disappeared', total_change: '-10' }]);
    expect(await totals('reporting.balances_current')).toEqual([known[1]]);
  },
);

test('what changed while it could not be read lies between the observations that could', async () => {
  await read(lists);
  await read(everywhere(() => [of('BTC', 'n/a'), of('USD', '15000')]));
  await read(everywhere(() => [of('BTC', '12'), of('USD', '15000')]));
  expect(await changes()).toEqual([{ asset_id: 'BTC', change: 'changed', total_change: '2' }]);
  expect(
    await mirror.query(
      `select unchanged_until = (select min(snapshot_at) from custody.balance_snapshots) as from_the_first,
         changed_after < changed_before as spans
       from reporting.balance_changes where vault_type = 'all' and change = 'changed'`,
    ),
  ).toEqual([{ from_the_first: true, spans: true }]);
});

test('a balance that never could be read is there and unknown, and its first figure is no change before', async () => {
  await read(everywhere(() => [of('BTC', 'n/a'), of('USD', '15000')]));
  expect(await totals('reporting.balances_current')).toEqual(unknown);
  await read(lists);
  await read(everywhere(() => [of('BTC', '10'), of('USD', '15000')]));
  expect(await totals('reporting.balances_current')).toEqual(known);
  expect(await changes()).toEqual([]);
  expect(
    await mirror.query('select asset_id from custody.unreadable_balances where valid_to is null'),
  ).toEqual([]);
});
