// Removes old runs and old resolved anomalies in parts, each in a fenced transaction, so that other writers
// get in between. Nothing that was mirrored is removed here.
import { and, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { anomalies } from '../../../drizzle/findings.ts';
import { runs } from '../../../drizzle/runs.ts';
import type { Database } from '../postgres/database.ts';
import { type Lease, withFence } from '../run/leases.ts';

interface Parts {
  /** Ends the work between two parts. */
  readonly signal: AbortSignal;
  /** The most rows that one transaction removes. */
  readonly atOnce?: number;
}

/** So few that other writers wait only a moment. */
const rowsAtOnce = 5_000;

/**
 * Deletes finished runs older than the given days, except each job's last success and last verified run.
 *
 * @returns how many were deleted
 */
export function pruneRuns(database: Database, lease: Lease, keepDays: number, parts: Parts): Promise<number> {
  const mine = eq(runs.accountId, lease.account);
  const old = and(
    mine,
    ne(runs.status, 'running'),
    sql`${runs.startedAt} < ${daysAgo(keepDays)}`,
    sql`${runs.runId} not in (select max(run_id) from ${runs} where ${mine} and status = 'succeeded' group by job)`,
    sql`${runs.runId} not in (select max(run_id) from ${runs} where ${mine} and verified group by job)`,
  );
  return removeOld(database, lease, { label: 'runs.prune', table: runs, id: runs.runId, old }, parts);
}

/**
 * Deletes anomalies that were resolved more than the given days ago. Open ones stay.
 *
 * @returns how many were deleted
 */
export function pruneAnomalies(
  database: Database,
  lease: Lease,
  keepDays: number,
  parts: Parts,
): Promise<number> {
  const old = and(
    eq(anomalies.accountId, lease.account),
    isNotNull(anomalies.resolvedAt),
    sql`${anomalies.resolvedAt} < ${daysAgo(keepDays)}`,
  );
  const what = { label: 'anomalies.prune', table: anomalies, id: anomalies.anomalyId, old };
  return removeOld(database, lease, what, parts);
}

interface Old {
  readonly label: string;
  readonly table: PgTable & { readonly accountId: PgColumn };
  /** The column that identifies a row within its account. */
  readonly id: PgColumn;
  readonly old: SQL | undefined;
}

async function removeOld(
  database: Database,
  lease: Lease,
  { label, table, id, old }: Old,
  parts: Parts,
): Promise<number> {
  const { signal, atOnce = rowsAtOnce } = parts;
  for (let total = 0; ; ) {
    signal.throwIfAborted();
    const removed = await withFence(database, lease, label, (tx) =>
      tx.run(label, (db) =>
        db
          .delete(table)
          .where(
            and(
              eq(table.accountId, lease.account),
              inArray(id, db.select({ id }).from(table).where(old).orderBy(id).limit(atOnce)),
            ),
          ),
      ),
    );
    const count = removed.rowCount ?? 0;
    total += count;
    if (count < atOnce) return total;
  }
}

function daysAgo(days: number): SQL {
  return sql`clock_timestamp() - make_interval(days => ${days})`;
}
