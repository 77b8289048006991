// Writes runs that an outage of the database kept from being recorded as failed, once it is back: one row for
// each job and outage. Invariant: to write the same outage twice leaves one row.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { runs } from '../../../drizzle/runs.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { RunMode } from '../../domain/jobs.ts';
import type { Database } from '../postgres/database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';

export interface UnrecordedRun {
  readonly job: string;
  readonly mode: RunMode;
  /** The first of the outage, where it was recorded when it began; decimal text. */
  readonly runId: string | null;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly errorCode: string;
  readonly errorMessage: string;
}

export function recordUnrecorded(
  database: Database,
  lease: Lease,
  unrecorded: readonly UnrecordedRun[],
): Promise<void> {
  return withFence(database, lease, 'record-unrecorded', async (tx) => {
    for (const { job, mode, runId, startedAt, finishedAt, errorCode, errorMessage } of unrecorded) {
      const began = sql`${instantToIso(startedAt)}::timestamptz`;
      const ended = sql`${instantToIso(finishedAt)}::timestamptz`;
      if (runId !== null)
        tx.send('runs.fail', (db) =>
          db
            .update(runs)
            .set({
              status: 'failed',
              finishedAt: sql`greatest(${ended}, ${runs.startedAt})`,
              errorCode,
              errorMessage,
            })
            .where(
              and(
                eq(runs.accountId, lease.account),
                eq(runs.runId, BigInt(runId)),
                // The next holder of the lease abandons it, and so does the next run of its job.
                inArray(runs.status, ['running', 'abandoned']),
              ),
            ),
        );
      // After a commit whose answer was lost it is there already; another process may have done the job.
      else
        tx.send(
          'runs.record-unrecorded',
          () => sql`
          insert into ${runs} (account_id, job, mode, status, started_at, finished_at, error_code, error_message)
          select ${lease.account}, ${job}, ${mode}, 'failed', ${began}, ${ended}, ${errorCode}, ${errorMessage}
          where not exists (select from ${runs} r where r.account_id = ${lease.account} and r.job = ${job}
            and (r.status = 'failed' and r.error_code = ${errorCode} and r.started_at <= ${ended} and r.finished_at >= ${began}
              or r.status = 'succeeded' and r.started_at >= ${began}))`,
        );
    }
  });
}
