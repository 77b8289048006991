// The last run of each job, and when it last succeeded and was last verified.
import { and, eq, sql } from 'drizzle-orm';
import { runs } from '../../../drizzle/runs.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tx } from '../postgres/transaction.ts';
import { jobsThatRan } from '../run/runs.ts';
import { selectIso } from '../values/micros.ts';

/** Moments are ISO 8601 in UTC, and `runId` is decimal text. */
export type JobStatus = Awaited<ReturnType<typeof readJobs>>[number];

export type RunStatusReport = JobStatus['lastRun'];

export async function readJobs(tx: Tx, account: string) {
  // Spelled out, because drizzle omits the table name when it selects from only one.
  const ofJob = sql`r.account_id = ${account} and r.job = runs.job`;
  const succeededAt = sql`(select r.finished_at from ${runs} r
    where ${ofJob} and r.status = 'succeeded' order by r.finished_at desc limit 1)`;
  const verifiedAt = sql`(select max(r.finished_at) from ${runs} r where ${ofJob} and r.verified)`;
  const lastIds = sql`array(
    select (select r.run_id from ${runs} r where r.account_id = ${account} and r.job = j.job order by r.started_at desc limit 1)
    from ${jobsThatRan(account)})`;
  return await tx.run('status.jobs', (db) =>
    db
      .select({
        job: runs.job,
        lastRun: {
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
        },
        lastSucceededAt: selectIso(succeededAt),
        lastVerifiedAt: selectIso(verifiedAt),
      })
      .from(runs)
      .where(and(eq(runs.accountId, account), sql`${runs.runId} = any(${lastIds})`))
      .orderBy(runs.job),
  );
}
