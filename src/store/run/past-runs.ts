// What past runs tell: when each job last started, and whether a sweep ever met every transaction.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { runs } from '../../../drizzle/runs.ts';
import { type DoubtCode, doubtSentences } from '../../domain/doubts.ts';
import { sweepingJobs } from '../../domain/jobs.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { microsToInstant, selectMicros } from '../values/micros.ts';

/** A relation `j (job)`: the jobs that ran, each found by one step into an index. */
export function jobsThatRan(account: string): SQL {
  const next = (after: SQL) => sql`(select r.job from ${runs} r
    where r.account_id = ${account} and r.job > ${after} order by r.job limit 1)`;
  return sql`(with recursive found (job) as (
      select ${next(sql`''`)} as job
      union all select ${next(sql`found.job`)} from found where found.job is not null
    ) select job from found where job is not null) as j`;
}

/** When the last run of each job started that succeeded or failed. An abandoned run still has to be done. */
export async function readLastStarts(
  database: Database,
  account: string,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await readOne(database, 'runs.last-starts', (db) =>
    db.execute<{ job: string; startedAt: string }>(sql`
      select j.job, ${selectMicros(sql`l.started_at`)} as "startedAt" from ${jobsThatRan(account)}
      cross join lateral (select r.started_at from ${runs} r
        where r.account_id = ${account} and r.job = j.job and r.status in ('succeeded', 'failed')
        order by r.started_at desc limit 1) as l`),
  );
  return new Map(rows.map((row) => [row.job, new Date(microsToInstant(Number(row.startedAt)))]));
}

const undecodable = 'undecodable' satisfies DoubtCode;

/** Whether a sweep of transactions ever met every record, those that it could not decode included. */
export async function hasWholeSweep(database: Database, account: string): Promise<boolean> {
  const sweep = and(eq(runs.accountId, account), inArray(runs.job, sweepingJobs));
  // Asked first, because it has an index; the other condition reads all sweeps.
  const isVerified = sql`${runs.verified}`;
  const isButUndecodable = sql`(${runs.verdict}->'doubt_codes' = jsonb_build_array(${undecodable}::text)
    or ${runs.verdict}->'doubts' = jsonb_build_array(${doubtSentences[undecodable]}::text))`;
  for (const condition of [isVerified, isButUndecodable]) {
    const rows = await readOne(database, 'runs.whole-sweep', (db) =>
      db.select({ runId: runs.runId }).from(runs).where(and(sweep, condition)).limit(1),
    );
    if (rows.length > 0) return true;
  }
  return false;
}
