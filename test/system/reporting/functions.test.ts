// The functions that views rest on, asked for themselves: each answers what the view shows of the same span
// or snapshot.
import { expect, test } from 'vitest';
import { account } from '../../support/store.ts';
import { day, openReporting, see, snapshot } from './told.ts';

async function openTold() {
  const store = await openReporting();
  await see(store, 1000, [{ id: 'w', assetId: 'X', type: 'withdraw', amount: '5', status: 'pending' }]);
  await snapshot(store, 2000, { X: { total: '20' }, Y: { total: '1.50' } });
  await see(store, day + 500, [{ id: 'w', assetId: 'X', type: 'withdraw', amount: '5' }]);
  await snapshot(store, day + 1000, { X: { total: '15' }, Y: { total: '1.5' } });
  return store;
}

test('balances_shown shows one snapshot as balance_snapshots does', async () => {
  const { query } = await openTold();
  const columns =
    'asset_id, asset_name, network_id, total_balance, available_balance, is_known, unchanged_since, last_known_at, next_known_at';
  const shown = await query(
    `select s.snapshot_at, ${columns} from custody.balance_snapshots s
     cross join reporting.balances_shown(s.account_id, s.vault_type, s.snapshot_at) order by s.snapshot_at, asset_id`,
  );
  const rows = await query(
    `select snapshot_at, ${columns} from reporting.balance_snapshots order by snapshot_at, asset_id`,
  );
  expect(shown.length).toBe(4);
  expect(shown).toEqual(rows);
  expect(
    await query(`select * from reporting.balances_shown('${account}', 'all', now())`),
    'a moment that is no observation',
  ).toEqual([]);
});

test('reconciliation_between shows a span as reconciliation_daily does', async () => {
  const { query } = await openTold();
  const columns = 'asset_id, opening_balance, inflow, outflow, fees, closing_balance';
  const spans = await query(
    `select d.day, b.* from (select distinct day, opening_observed_at, closing_observed_at from reporting.reconciliation_daily
       where opening_observed_at is not null) d
     cross join lateral (select ${columns} from reporting.reconciliation_between('${account}', d.opening_observed_at, d.closing_observed_at)) b
     order by d.day, asset_id`,
  );
  const rows = await query(
    `select day, ${columns} from reporting.reconciliation_daily where opening_observed_at is not null order by day, asset_id`,
  );
  expect(spans.length).toBe(2);
  expect(spans).toEqual(rows);
});

test('uncertain_postings sums what may lie on either side of a snapshot, and nothing else', async () => {
  const { query } = await openTold();
  const uncertain = () =>
    query(
      `select s.snapshot_at, u.* from custody.balance_snapshots s
       cross join reporting.uncertain_postings(s.account_id, s.snapshot_at, null) u order by s.snapshot_at`,
    );
  await query(
    `begin; set local session_replication_role = replica;
     update custody.transaction_status_history set observed_after = observed_at - interval '1 millisecond' where sequence > 1; commit`,
  );
  expect(await uncertain()).toEqual([]);
  await query(
    `begin; set local session_replication_role = replica;
     update custody.transaction_status_history h set observed_after = s.asked_at - interval '1 second', observed_at = s.asked_at + interval '1 second'
     from (select max(asked_at) as asked_at from custody.balance_snapshots) s where h.sequence > 1; commit`,
  );
  expect(await uncertain()).toMatchObject([{ asset_id: 'X', transactions: '1', moved: '5' }]);
});
