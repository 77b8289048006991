// Removes old runs and old resolved anomalies in parts, each in a fenced transaction, so that other writers
// get in between. Nothing that was mirrored is removed here.
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';
import { type Lease, withFence } from '../run/leases.ts';

export interface Parts {
  /** Ends the work between two parts. */
  readonly signal: AbortSignal;
  /** The most rows that one transaction removes: so few that other writers wait only a moment. */
  readonly atOnce?: number;
}

/** The key of each table within its account, and which of its rows are old. */
const old = {
  /** Finished ones, except each job's last success and last verified run. */
  runs: {
    id: sql`run_id`,
    isOld: (account: string, before: SQL) => sql`status <> 'running' and started_at < ${before}
      and run_id not in (select max(run_id) from sync.runs where account_id = ${account} and status = 'succeeded' group by job)
      and run_id not in (select max(run_id) from sync.runs where account_id = ${account} and verified group by job)`,
  },
  /** Resolved ones: open ones stay. */
  anomalies: { id: sql`anomaly_id`, isOld: (_: string, before: SQL) => sql`resolved_at < ${before}` },
};

/** @returns how many rows of the table in `sync` were deleted */
export async function removeOld(
  database: Database,
  lease: Lease,
  table: keyof typeof old,
  keepDays: number,
  { signal, atOnce = 5_000 }: Parts,
): Promise<number> {
  const { account } = lease;
  const { id, isOld } = old[table];
  const label = `${table}.prune`;
  const from = sql`from sync.${sql.raw(table)} where account_id = ${account}`;
  const before = sql`clock_timestamp() - make_interval(days => ${keepDays})`;
  for (let total = 0; ; ) {
    signal.throwIfAborted();
    const [removed] = await withFence(database, lease, label, (tx) =>
      tx.ask<{ rows: number }>(
        label,
        sql`with gone as (
            delete ${from} and ${id} in (select ${id} ${from} and ${isOld(account, before)} order by ${id} limit ${atOnce})
            returning 1)
          select count(*)::int as rows from gone`,
      ),
    );
    const { rows = 0 } = removed ?? {};
    total += rows;
    if (rows < atOnce) return total;
  }
}
