// Keeping the record of runs from growing without end. Nothing of what was mirrored is ever pruned.
import { and, eq, ne, sql } from 'drizzle-orm';
import { runs } from '../../drizzle/runs.ts';
import type { Database } from './database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';

/**
 * Deletes finished runs older than the given days, but never the last success or the last verified sweep of a job.
 *
 * @returns how many were deleted
 */
export function pruneRuns(database: Database, lease: Lease, keepDays: number): Promise<number> {
  const mine = sql`${runs.accountId} = ${lease.account}`;
  return withFence(database, lease, 'prune-runs', async (tx) => {
    const deleted = await tx.run('runs.prune', (db) =>
      db
        .delete(runs)
        .where(
          and(
            eq(runs.accountId, lease.account),
            ne(runs.status, 'running'),
            sql`${runs.startedAt} < clock_timestamp() - make_interval(days => ${keepDays})`,
            sql`${runs.runId} not in (select max(run_id) from ${runs} where ${mine} and status = 'succeeded' group by job)`,
            sql`${runs.runId} not in (select max(run_id) from ${runs} where ${mine} and verified group by job)`,
          ),
        )
        .returning({ runId: runs.runId }),
    );
    return deleted.length;
  });
}
