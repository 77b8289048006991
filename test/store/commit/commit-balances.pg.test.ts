import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Balance, BalanceVaultType } from '../../../src/domain/balance.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import type { ListItem } from '../../../src/domain/page.ts';
import { commitBalanceSnapshot } from '../../../src/store/commit/commit-balances.ts';
import { readStatus } from '../../../src/store/job-queries/status.ts';
import {
  account,
  digest,
  epoch,
  noRequests,
  openStore,
  page,
  type Store,
  undecodable,
} from '../../support/store.ts';

interface Amounts {
  readonly total?: string;
  readonly available?: string;
  readonly staking?: string;
  readonly network?: string;
}

const decimal = (text: string | undefined) =>
  text === undefined ? null : (parseDecimal(text)?.value ?? null);

function balance(assetId: string, amounts: Amounts): Balance {
  return {
    assetId,
    networkId: amounts.network ?? 'net',
    assetName: assetId.toUpperCase(),
    networkName: null,
    totalBalance: decimal(amounts.total),
    availableBalance: decimal(amounts.available ?? amounts.total),
    processingBalance: decimal('0'),
    stakingBalance: decimal(amounts.staking ?? '0'),
    claimableBalance: decimal('0'),
    raw: JSON.stringify({ asset_id: assetId, ...amounts }),
  };
}

function entry(record: Balance): ListItem<Balance> {
  return {
    kind: 'record',
    key: JSON.stringify([record.assetId, record.networkId]),
    hash: digest(record.raw),
    record,
  };
}

function snapshot(
  store: Store,
  at: number,
  items: readonly ListItem<Balance>[],
  vaultType: BalanceVaultType = 'all',
) {
  return commitBalanceSnapshot(store.database, store.lease, store.run, {
    vaultType,
    snapshotAt: epoch + at,
    observation: { beganAt: epoch + at, arrivedAt: epoch + at + 1 },
    pages: [page(items, at)],
    tally: noRequests,
  });
}

const intervals = (store: Store) =>
  store.query(`select asset_id, total_balance,
      (extract(epoch from valid_from) * 1000 - ${epoch})::int as "from",
      (extract(epoch from valid_to) * 1000 - ${epoch})::int as "to"
    from custody.balances order by asset_id, valid_from`);

test('snapshots become intervals, and one without a change is a row of its own only', async () => {
  const store = await openStore();
  const a = entry(balance('a', { total: '1.0' }));
  expect(await snapshot(store, 1, [a, entry(balance('b', { total: '2' }))])).toEqual({
    assets: 2,
    changed: 2,
    quarantined: 0,
    stale: false,
  });
  expect(await snapshot(store, 2, [entry(balance('b', { total: '2' })), a])).toMatchObject({ changed: 0 });
  expect(await snapshot(store, 3, [entry(balance('a', { total: '1.00' }))])).toMatchObject({
    assets: 1,
    changed: 2,
  });
  expect(await snapshot(store, 4, [])).toMatchObject({ assets: 0, changed: 1 });
  expect(await snapshot(store, 5, [a])).toMatchObject({ assets: 1, changed: 1 });
  expect(await intervals(store)).toEqual([
    { asset_id: 'a', total_balance: '1.0', from: 1, to: 3 },
    { asset_id: 'a', total_balance: '1.00', from: 3, to: 4 },
    { asset_id: 'a', total_balance: '1.0', from: 5, to: null },
    { asset_id: 'b', total_balance: '2', from: 1, to: 3 },
  ]);
  expect(
    await store.query(
      'select asset_count, changed_count from custody.balance_snapshots order by snapshot_at',
    ),
  ).toEqual([
    { asset_count: 2, changed_count: 2 },
    { asset_count: 2, changed_count: 0 },
    { asset_count: 1, changed_count: 2 },
    { asset_count: 0, changed_count: 1 },
    { asset_count: 1, changed_count: 1 },
  ]);
});

test('a snapshot no later than the latest of its vault type is refused', async () => {
  const store = await openStore();
  const a = entry(balance('a', { total: '1' }));
  await snapshot(store, 5, [a]);
  for (const at of [4, 5]) {
    expect(await snapshot(store, at, [])).toMatchObject({ stale: true, changed: 0 });
  }
  expect(await snapshot(store, 5, [a], 'warm')).toMatchObject({ stale: false });
  expect((await intervals(store)).filter((row) => row['to'] !== null)).toEqual([]);
});

test('parts that do not add up are an anomaly until they do', async () => {
  const store = await openStore();
  const wrong = entry(balance('a', { total: '3', available: '1', staking: '1' }));
  await snapshot(store, 1, [wrong], 'warm');
  await snapshot(store, 2, [wrong], 'warm');
  await snapshot(store, 2, [entry(balance('a', { total: '2' }))], 'all');
  const read = () =>
    store.query('select resource_id, occurrences, resolved_at is null as open from sync.anomalies');
  expect(await read()).toEqual([{ resource_id: 'warm/a/net', occurrences: '2', open: true }]);
  await snapshot(store, 3, [entry(balance('a', { total: '2' }))], 'warm');
  expect(await read()).toEqual([{ resource_id: 'warm/a/net', occurrences: '2', open: false }]);
});

test('unreadable balances are counted and quarantined until they are gone or readable', async () => {
  const store = await openStore();
  const twice = entry(balance('a', { total: '1' }));
  expect(await snapshot(store, 1, [twice, twice, undecodable('q')])).toMatchObject({
    assets: 1,
    quarantined: 1,
  });
  const read = () => store.query('select record_key, resolved_at is null as open from sync.quarantine');
  expect(await read()).toEqual([{ record_key: 'all/q', open: true }]);
  await snapshot(store, 2, [twice], 'cold');
  expect(await read()).toEqual([{ record_key: 'all/q', open: true }]);
  await snapshot(store, 2, [twice]);
  expect(await read()).toEqual([{ record_key: 'all/q', open: false }]);
});

test('a record that could not be read is counted once, however often the list showed it', async () => {
  const store = await openStore();
  const key = JSON.stringify(['btc', 'net']);
  const items = [undecodable(key), undecodable(key), undecodable('q'), undecodable('q')];
  expect(await snapshot(store, 1, items)).toMatchObject({ assets: 0, quarantined: 2 });
  expect(
    await store.query(`
      select s.quarantined_count, u.quarantined, (select count(*)::int from sync.quarantine) as records
      from custody.balance_snapshots s join sync.runs u using (account_id, run_id)`),
  ).toEqual([{ quarantined_count: 2, quarantined: expect.anything(), records: 2 }]);
  const { balances } = await readStatus(store.database, account);
  expect(balances).toEqual([expect.objectContaining({ quarantined: 2, unreadableAssets: ['btc'] })]);
});

const holdings = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.record({ total: fc.constantFrom('0', '1', '1.0', '2.50') }),
);

test('the database gives every snapshot back, from intervals of which none could be one with the next', async () => {
  const store = await openStore();
  const snapshots = fc.sample(holdings, { numRuns: 40, seed: 7 });
  for (const [at, held] of snapshots.entries()) {
    await snapshot(
      store,
      at,
      Object.entries(held).map(([asset, amounts]) => entry(balance(asset, amounts))),
    );
  }
  const rows = await store.query<{ at: number; held: Record<string, string> }>(`
    select (extract(epoch from s.snapshot_at) * 1000 - ${epoch})::int as at,
      coalesce(jsonb_object_agg(b.asset_id, b.total_balance::text) filter (where b.asset_id is not null), '{}') as held
    from custody.balance_snapshots s
    left join custody.balances b on b.account_id = s.account_id and b.vault_type = s.vault_type
      and b.valid_from <= s.snapshot_at and (b.valid_to is null or b.valid_to > s.snapshot_at)
    group by 1 order by 1`);
  expect(rows.map((row) => row.held)).toEqual(
    snapshots.map((held) =>
      Object.fromEntries(Object.entries(held).map(([asset, { total }]) => [asset, total])),
    ),
  );
  expect(
    await store.query(`
      select b.asset_id from custody.balances b join custody.balances n on (n.asset_id, n.valid_from) = (b.asset_id, b.valid_to)
      where n.total_balance::text = b.total_balance::text`),
  ).toEqual([]);
});
