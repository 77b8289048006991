// The last run of each job, and when one last succeeded and was last verified.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { runs } from '../../../drizzle/runs.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tx } from '../postgres/transaction.ts';
import { jobsThatRan } from '../run/runs.ts';
import { isoOf, selectIso } from '../values/micros.ts';

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
    db.execute<{ job: string; runId: string; succeededAt: string | null; verifiedAt: string | null }>(sql`
      select j.job, l.run_id::text as "runId", ${selectIso(sql`s.finished_at`)} as "succeededAt",
        ${selectIso(sql`v.finished_at`)} as "verifiedAt"
      from ${jobsThatRan(account)}
      cross join lateral (select r.run_id from ${runs} r
        where r.account_id = ${account} and r.job = j.job order by r.started_at desc limit 1) as l
      left join lateral (select r.finished_at from ${runs} r
        where r.account_id = ${account} and r.job = j.job and r.status = 'succeeded'
        order by r.finished_at desc limit 1) as s on true
      left join lateral (select max(r.finished_at) as finished_at from ${runs} r
        where r.account_id = ${account} and r.job = j.job and r.verified) as v on true`),
  );
  const lastIds = marks.rows.map(({ runId }) => BigInt(runId));
  const lastRuns = await tx.run('status.last-runs', (db) =>
    db
      .select({
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
      .where(and(eq(runs.accountId, account), inArray(runs.runId, lastIds)))
      .orderBy(runs.job),
  );
  return lastRuns.map(({ job, ...lastRun }) => {
    const mark = marks.rows.find((candidate) => candidate.job === job);
    return {
      job,
      lastRun,
      lastSucceededAt: isoOf(mark?.succeededAt ?? null),
      lastVerifiedAt: isoOf(mark?.verifiedAt ?? null),
    };
  });
}
