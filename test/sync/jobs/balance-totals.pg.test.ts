// The balances of all vaults are those of warm and cold vaults together: where they are not, it is said, and
// a list that was cut is not taken for whole.
import { expect, test } from 'vitest';
import { compareTotals } from '../../../src/store/commit/commit-balances.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { openMirror } from '../../support/mirror.ts';

type Totals = Record<string, string>;
type Lists = Record<'all' | 'warm' | 'cold', Totals>;

/**
 * A mirror of a service whose balances are those of `lists`, by asset; by vault type it answers one page,
 * whatever the offset.
 */
async function openBalances(lists: Lists, byType: 'ignored' | 'refused' = 'ignored', page = 50) {
  const failing = new Set<string>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const type = url.pathname.endsWith('/warm') ? 'warm' : url.pathname.endsWith('/cold') ? 'cold' : 'all';
    const answer = await globalThis.fetch(input, init);
    await answer.text();
    if (failing.has(type)) return refusal(404, 'GONE');
    const offset = Number(url.searchParams.get('offset') ?? 0);
    if (type !== 'all' && byType === 'refused' && url.searchParams.has('offset'))
      return refusal(400, 'ERR-00');
    const from = type === 'all' ? offset : 0;
    const balance = Object.entries(lists[type])
      .slice(from, from + Math.min(page, Number(url.searchParams.get('limit') ?? page)))
      .map(([asset, total]) => ({ asset_id: asset, network_id: 'N', balances: { total_balance: total } }));
    if (balance.length === 0) return refusal(400, type === 'all' ? 'BAL-00' : 'BAL-01');
    return new Response(JSON.stringify({ balance_type: type, balance }), {
      status: 200,
      headers: json,
    });
  };
  return { ...(await openMirror({}, {}, { fetch })), failing };
}

const json = { 'content-type': 'application/json' };

function refusal(status: number, code: string): Response {
  return new Response(JSON.stringify({ error_code: code, error_message: 'no' }), { status, headers: json });
}

const open = `select resource_id, details, occurrences::int from sync.anomalies
  where kind = 'totals-differ' and resolved_at is null order by 1`;
const snapshots =
  'select vault_type, asset_count::int from custody.balance_snapshots order by snapshot_at, 1';

function assets(count: number, total = '1', from = 0): Totals {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`A${from + index}`, total]));
}

test('balances that all change are compared in time where the database was never analysed', async () => {
  const { context, query } = await openMirror();
  const each = `(values ('2026-01-01T00:00Z'::timestamptz, '2026-01-01T01:00Z'::timestamptz, 1), ('2026-01-01T01:00Z', null, 2)) as tick (at, until, n),
    unnest('{all,warm,cold}'::text[]) as type`;
  await query(`
    alter table custody.balances set (autovacuum_enabled = false);
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
      select 'default', type, at, 5000, 5000, 0, 1 from ${each};
    insert into custody.balances (account_id, vault_type, asset_id, network_id, total_balance, valid_from, valid_to, run_id, raw)
      select 'default', type, asset, 'N', case type when 'all' then 2 else 1 end * n, at, until, 1, '{}'
      from ${each}, generate_series(1, 5000) as asset`);
  await compareTotals(context.database, context.lease, Date.parse('2026-01-01T01:00Z'));
  expect(await query(open)).toEqual([]);
});

test('a difference that two ticks show is an anomaly, in exact decimals, until it is gone', async () => {
  const lists: Lists = {
    all: { BTC: '10000000000000000000.000000000000000003', ETH: '5', XRP: '7' },
    warm: { BTC: '10000000000000000000', ETH: '5.0' },
    cold: { BTC: '0.000000000000000001', XRP: '7' },
  };
  const mirror = await openBalances(lists);
  expect(await snapshotBalances(mirror.context)).toMatchObject({ verified: true });
  expect(await mirror.query(open)).toEqual([]);
  await snapshotBalances(mirror.context);
  const anomaly = {
    resource_id: 'BTC/N',
    details: {
      all: '10000000000000000000.000000000000000003',
      warm: '10000000000000000000',
      cold: '0.000000000000000001',
      difference: '0.000000000000000002',
    },
    occurrences: 1,
  };
  expect(await mirror.query(open)).toEqual([anomaly]);
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toEqual([{ ...anomaly, occurrences: 2 }]);
  lists.cold['BTC'] = '0.000000000000000003';
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toEqual([]);
});

test('an asset that a vault type leaves out counts as none of it', async () => {
  const mirror = await openBalances({ all: { BTC: '3', ETH: '2' }, warm: { BTC: '3' }, cold: { BTC: '0' } });
  await snapshotBalances(mirror.context);
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toMatchObject([{ resource_id: 'ETH/N', details: { difference: '2' } }]);
});

test('what moves between the readings is no anomaly, nor does it resolve one', async () => {
  const lists: Lists = { all: { BTC: '10' }, warm: { BTC: '4' }, cold: { BTC: '6' } };
  const mirror = await openBalances(lists);
  await snapshotBalances(mirror.context);
  for (const warm of ['5', '4', '7', '6']) {
    lists.warm['BTC'] = warm;
    await snapshotBalances(mirror.context);
    expect(await mirror.query(open)).toEqual([]);
  }
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toHaveLength(1);
  lists.warm['BTC'] = '8';
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toHaveLength(1);
});

test('of a balance that could not be read no difference is reported', async () => {
  const lists: Lists = { all: { BTC: '10', ETH: '1' }, warm: { BTC: 'n/a' }, cold: { BTC: '6', ETH: '1' } };
  const mirror = await openBalances(lists);
  await snapshotBalances(mirror.context);
  await snapshotBalances(mirror.context);
  expect(await mirror.query(open)).toEqual([]);
});

test.each(['ignored', 'refused'] as const)(
  'a list by type of exactly one page that lacks assets is not taken for whole where paging is %s',
  async (paging) => {
    const mirror = await openBalances(
      { all: assets(60), warm: assets(58), cold: assets(2, '1', 58) },
      paging,
    );
    const outcome = await snapshotBalances(mirror.context);
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'LIST-UNSTEADY' });
    expect(outcome.errorMessage).toContain('balances/warm may have been cut');
    expect(outcome.errorMessage).toContain('8 assets');
    expect(await mirror.query(snapshots)).toEqual([
      { vault_type: 'all', asset_count: 60 },
      { vault_type: 'cold', asset_count: 2 },
    ]);
  },
);

test('where both types are cut neither is taken for whole', async () => {
  const lists = { all: assets(120), warm: assets(60), cold: assets(60, '1', 60) };
  const mirror = await openBalances(lists);
  expect(await snapshotBalances(mirror.context)).toMatchObject({ errorCode: 'LIST-UNSTEADY' });
  expect(await mirror.query(snapshots)).toEqual([{ vault_type: 'all', asset_count: 120 }]);
});

test('a list by type that is as long as the pages that /balances is cut to is looked at likewise', async () => {
  const mirror = await openBalances(
    { all: assets(30), warm: assets(28), cold: assets(2, '1', 28) },
    'ignored',
    20,
  );
  expect(await snapshotBalances(mirror.context)).toMatchObject({ errorCode: 'LIST-UNSTEADY' });
  expect(await mirror.query(snapshots)).toEqual([
    { vault_type: 'all', asset_count: 30 },
    { vault_type: 'cold', asset_count: 2 },
  ]);
});

test('a list of exactly one page that lacks nothing is whole', async () => {
  const lists = { all: { ...assets(50, '2'), ZERO: '0' }, warm: assets(50), cold: assets(50) };
  const mirror = await openBalances(lists);
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'succeeded', verified: true });
  expect(await mirror.query(snapshots)).toHaveLength(3);
});

test('where the other lists cannot be read, one of exactly one page is not taken for whole', async () => {
  const mirror = await openBalances({ all: assets(60), warm: assets(50), cold: assets(10, '1', 50) });
  mirror.failing.add('cold');
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'failed' });
  expect(await mirror.query(snapshots)).toEqual([{ vault_type: 'all', asset_count: 60 }]);
  mirror.failing.clear();
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'succeeded', verified: true });
});
