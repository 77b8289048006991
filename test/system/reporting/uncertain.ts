// Balances of X from one observation to the next, with transactions that may lie on either side of one.
import { account, epoch, type Store } from '../../support/store.ts';
import { day, see, snapshot } from './told.ts';

/** Of X, as the balances hold it. */
export const held = (total: string, staking = '0') => ({ X: { total, staking, claimable: '0' } });

/** The status change that was seen last of a transaction happened after a moment. */
export async function happenedAfter(store: Store, id: string, at: number): Promise<void> {
  await store.query(
    `begin; set local session_replication_role = replica;
     update custody.transaction_status_history h set observed_after = to_timestamp(${(epoch + at) / 1000})
     where transaction_id = '${id}' and sequence = (select max(sequence) from custody.transaction_status_history where transaction_id = '${id}');
     commit`,
  );
}

/** A sweep of the transactions begins at a moment, and finds nothing else. */
export async function sweep(store: Store, at: number): Promise<void> {
  const moment = `to_timestamp(${(epoch + at) / 1000})`;
  await store.query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
     values ('${account}', 'transactions', 'full', 'succeeded', ${moment}, ${moment})`,
  );
}

export const reconciled = (store: Store, asset = 'X') =>
  store.query(
    `select extract(day from day)::int as day, unexplained_difference as unexplained, timing_difference as timing, is_explained,
       staking_rewards as rewards, staking_losses as losses, uncertain_at_opening as opening, uncertain_at_closing as closing
     from reporting.reconciliation_daily where opening_observed_at is not null and asset_id = $1 order by day`,
    [asset],
  );

const none = { rewards: '0', losses: '0', opening: '0', closing: '0' };

export const plain = { unexplained: '0', timing: '0', is_explained: true, ...none };

/**
 * Balances of X at the noon of each day, as [total, staked], and sweeps half a minute before and after each.
 */
export async function tellNoons(store: Store, noons: readonly (readonly [string, string])[]): Promise<void> {
  for (const [index, [total, staking]] of noons.entries()) {
    const at = noon(index + 1);
    await sweep(store, at - half);
    await snapshot(store, at, held(total, staking), 'all', 1000);
    await sweep(store, at + half);
  }
}

export const half = 30_000;

export const noon = (of: number) => (of - 1) * day + day / 2;

/**
 * A change of the balances that is seen half a minute after the noon of a day: an unstaking appears, others
 * are completed.
 */
export async function completeAround(store: Store, of: number, id: string, type: string, amount: string) {
  const told = { id, assetId: 'X', type, amount };
  if (type !== 'unstake') await see(store, noon(1) - half, [{ ...told, status: 'pending' }]);
  await see(store, noon(of) + half, [{ ...told, status: type === 'unstake' ? 'pending' : 'completed' }]);
  await happenedAfter(store, id, noon(of) - half);
}
