// Removes old rows of custody.balance_snapshots that only say that nothing had changed. This is the one
// exception to the rule that what was observed is never removed, and off by default. Of each past day of the
// account it keeps:
// - of each vault type the first snapshot, and the last two, from which the reconciliation recognises
//   differences of timing;
// - the last tick with all three vault types;
// - every snapshot with which an interval of custody.balances or custody.unreadable_balances begins or ends,
//   every one with a record that could not be identified, and the one before each of them;
// - those around each moment at which a transaction was seen to change, or last seen unchanged, since the
//   reconciliation looks for the nearest one at which nothing was uncertain;
// - all vault types of a tick of which one snapshot is kept. So all intervals, the balances of each day and
//   of any moment, and the two observations around each change stay the same.
import { type SQL, sql } from 'drizzle-orm';
import { balanceSnapshots, balances, unreadableBalances } from '../../../drizzle/balances.ts';
import { positions } from '../../../drizzle/runs.ts';
import { sealCheckpoints, sealThinned } from '../../../drizzle/seals.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { shownMoment } from '../reading/list/columns.ts';
import { type FencedTx, withFence } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { writePosition } from '../run/positions.ts';
import { type Parts, rowsAtOnce } from './prune.ts';

/** The job whose position says up to which day the snapshots are thinned. */
const job = 'thin-snapshots';

/** A day of the account in its time zone: its first moment and that of the next day, ISO 8601 in UTC. */
interface Day extends Record<string, unknown> {
  readonly startsAt: string;
  readonly endsAt: string;
}

/**
 * Thins the days that ended more than `afterDays` days ago, oldest first, in parts.
 *
 * @returns how many rows were removed
 * @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; what was removed stays so
 */
export async function thinSnapshots(
  database: Database,
  lease: Lease,
  afterDays: number,
  { signal, atOnce = rowsAtOnce }: Parts,
): Promise<number> {
  let total = 0;
  for (const day of await readDays(database, lease.account, afterDays)) {
    for (let whole = false; !whole; ) {
      signal.throwIfAborted();
      const removed = await withFence(database, lease, 'thin-snapshots', async (tx) => {
        const count = await thinDay(tx, day, atOnce);
        if (count < atOnce) writePosition(tx, { job, position: { before: day.endsAt } });
        return count;
      });
      total += removed;
      whole = removed < atOnce;
    }
  }
  return total;
}

/** The number of the last row that is sealed; null for an account without a log. */
function lastSealed(account: string): SQL {
  return sql`(select max(last_change_id) from ${sealCheckpoints} where account_id = ${account})`;
}

/**
 * The days to thin: those with snapshots that end after the position and are old enough. Where the history is
 * sealed, all of their snapshots are.
 */
async function readDays(database: Database, account: string, afterDays: number): Promise<readonly Day[]> {
  const found = await readOne(database, 'balance-snapshots.days', (db) =>
    db.execute<Day>(sql`
      select ${shownMoment(sql`c.starts_at`)} as "startsAt", ${shownMoment(sql`c.ends_at`)} as "endsAt" from reporting.calendar c
      where c.account_id = ${account} and c.ends_at <= clock_timestamp() - make_interval(days => ${afterDays})
        and c.ends_at > coalesce((
          select (p.position ->> 'before')::timestamptz from ${positions} p
          where p.account_id = ${account} and p.job = ${job}), '-infinity')
        and exists (
          select from ${balanceSnapshots} s
          where s.account_id = ${account} and s.answered_at >= c.starts_at and s.answered_at < c.ends_at
          having count(*) > 0 and coalesce(max(s.change_id) <= ${lastSealed(account)}, true))
      order by c.day`),
  );
  return found.rows;
}

/** When transactions were seen to change, and last seen before. A week later, no change is uncertain. */
function momentsSeen(account: string, { startsAt, endsAt }: Day): SQL {
  const [statuses, revisions] = [transactionStatusHistory, transactionRevisions];
  return sql`
    select ${statuses.observedAt} as at from ${statuses}
    where account_id = ${account} and observed_at >= ${startsAt}::timestamptz and observed_at < ${endsAt}::timestamptz
    union
    select ${revisions.observedAt} from ${revisions}
    where account_id = ${account} and observed_at >= ${startsAt}::timestamptz and observed_at < ${endsAt}::timestamptz
    union
    select ${statuses.observedAfter} from ${statuses}
    where account_id = ${account} and observed_at >= ${startsAt}::timestamptz and observed_at <= coalesce((
      select min(answered_at) + interval '7 days' from ${balanceSnapshots}
      where account_id = ${account} and vault_type = 'all' and answered_at >= ${endsAt}::timestamptz), 'infinity')`;
}

/**
 * Removes up to `atOnce` rows of the day, and notes of those that are sealed that they were thinned. What is
 * kept does not depend on rows removed before.
 */
async function thinDay(tx: FencedTx, day: Day, atOnce: number): Promise<number> {
  const changes = [balances, unreadableBalances].flatMap((table) =>
    [table.validFrom, table.validTo].map(
      (moment) => sql`
        select vault_type, ${moment} as changed_at from ${table}
        where account_id = ${tx.lease.account} and ${moment} >= (select begins_at from span) and ${moment} <= (select ends_at from span)`,
    ),
  );
  const removed = await tx.run('balance-snapshots.thin', (db) =>
    db.execute<{ count: number }>(sql`
      with snapshot as (
        select vault_type, snapshot_at, unidentified_count > 0 as is_doubtful,
          lag(snapshot_at) over later as before_at, lead(snapshot_at) over later as next_at,
          lag(asked_at) over later as asked_before, lead(answered_at, 2) over later as answered_after,
          lead(snapshot_at, 2) over later as next_but_one_at, lead(unidentified_count > 0) over later as next_is_doubtful
        from ${balanceSnapshots}
        where account_id = ${tx.lease.account} and answered_at >= ${day.startsAt}::timestamptz and answered_at < ${day.endsAt}::timestamptz
        window later as (partition by vault_type order by snapshot_at)
      ),
      span as (select min(snapshot_at) as begins_at, max(snapshot_at) as ends_at from snapshot),
      change as (${sql.join(changes, sql` union `)}),
      seen as (${momentsSeen(tx.lease.account, day)}),
      kept as (
        select snapshot_at from snapshot
        where vault_type = 'all' and exists (select from seen where at between asked_before and answered_after)
        union
        select snapshot_at from snapshot
        where before_at is null or next_but_one_at is null or is_doubtful or next_is_doubtful
        union
        select max(snapshot_at) from (
          select snapshot_at from snapshot group by snapshot_at having count(*) = 3
        ) as whole_tick
        union
        select changed_at from change
        union
        select s.snapshot_at from snapshot s
        join change c on c.vault_type = s.vault_type and c.changed_at = s.next_at
      ),
      removed as (
        delete from ${balanceSnapshots} d using (
          select s.vault_type, s.snapshot_at from snapshot s
          where not exists (select from kept k where k.snapshot_at = s.snapshot_at)
          order by s.snapshot_at limit ${atOnce}
        ) as surplus
        where d.account_id = ${tx.lease.account} and d.vault_type = surplus.vault_type and d.snapshot_at = surplus.snapshot_at
        returning d.change_id
      ),
      thinning as materialized (select nextval('custody.change_ids') as id),
      noted as (
        insert into ${sealThinned} (account_id, change_id, thinning_id, thinned_at)
        select ${tx.lease.account}, r.change_id, t.id, clock_timestamp() from removed r cross join thinning t
        where r.change_id <= ${lastSealed(tx.lease.account)}
      )
      select count(*)::int as count from removed`),
  );
  return removed.rows[0]?.count ?? 0;
}
