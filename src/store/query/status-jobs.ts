// The last run of each job, and when one last succeeded and was last verified.
import { desc, eq, sql } from 'drizzle-orm';
import { runs } from '../../../drizzle/runs.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tx } from '../postgres/database.ts';
import { selectIso } from '../postgres/micros.ts';

/** Moments are ISO 8601 in UTC. */
export interface JobStatus {
  readonly job: string;
  readonly lastRun: RunStatusReport;
  readonly lastSucceededAt: string | null;
  readonly lastVerifiedAt: string | null;
}

export interface RunStatusReport {
  /** Decimal text. */
  readonly runId: string;
  readonly mode: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly requests: number;
  readonly recordsRead: number;
  readonly recordsInserted: number;
  readonly recordsChanged: number;
  readonly statusChanges: number;
  readonly quarantined: number;
  readonly verified: boolean | null;
  readonly verdict: JsonObject | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

export async function readJobs(tx: Tx, account: string): Promise<JobStatus[]> {
  const marks = await tx.run('status.job-marks', (db) =>
    db
      .select({
        job: runs.job,
        lastSucceededAt: selectIso(sql`max(${runs.finishedAt}) filter (where ${runs.status} = 'succeeded')`),
        lastVerifiedAt: selectIso(sql`max(${runs.finishedAt}) filter (where ${runs.verified})`),
      })
      .from(runs)
      .where(eq(runs.accountId, account))
      .groupBy(runs.job),
  );
  const lastRuns = await tx.run('status.last-runs', (db) =>
    db
      .selectDistinctOn([runs.job], {
        job: runs.job,
        runId: sql<string>`${runs.runId}::text`,
        mode: runs.mode,
        status: runs.status,
        startedAt: selectIso(runs.startedAt),
        finishedAt: selectIso(runs.finishedAt),
        requests: runs.requests,
        recordsRead: runs.recordsRead,
        recordsInserted: runs.recordsInserted,
        recordsChanged: runs.recordsChanged,
        statusChanges: runs.statusChanges,
        quarantined: runs.quarantined,
        verified: runs.verified,
        verdict: sql<JsonObject | null>`${runs.verdict}`,
        errorCode: runs.errorCode,
        errorMessage: runs.errorMessage,
      })
      .from(runs)
      .where(eq(runs.accountId, account))
      .orderBy(runs.job, desc(runs.startedAt)),
  );
  return lastRuns.map(({ job, ...lastRun }) => {
    const mark = marks.find((candidate) => candidate.job === job);
    return {
      job,
      lastRun,
      lastSucceededAt: mark?.lastSucceededAt ?? null,
      lastVerifiedAt: mark?.lastVerifiedAt ?? null,
    };
  });
}
