// The status of every account of a database for the metrics, in one statement however many there are.
import { sql } from 'drizzle-orm';
import { anomalies, quarantine } from '../../../drizzle/findings.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { isOfMirrored, type StatusReport } from './status.ts';
import type { HealthProblem } from './status-health.ts';
import type { JobStatus } from './status-jobs.ts';

/** The part of a status report that metrics need; moments are ISO 8601. */
export interface ObservedStatus extends Pick<StatusReport, 'account' | 'readAt'> {
  readonly problems: readonly Pick<HealthProblem, 'code' | 'severity' | 'subject'>[];
  readonly expected: readonly Pick<StatusReport['expected'][number], 'job' | 'isMirrored' | 'isScheduled'>[];
  readonly jobs: readonly Pick<JobStatus, 'job' | 'lastSucceededAt' | 'lastVerifiedAt'>[];
  readonly anomalies: readonly Pick<StatusReport['anomalies'][number], 'kind' | 'open'>[];
  readonly quarantine: readonly Pick<StatusReport['quarantine'][number], 'resource' | 'open'>[];
}

export interface AllStatus {
  readonly readAt: string;
  /** By name. */
  readonly accounts: readonly ObservedStatus[];
}

/** @throws MirrorError `SCHEMA-MISSING`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED` */
export async function readAllStatus(database: Database): Promise<AllStatus> {
  const { rows: accounts } = await readOne(database, 'status.all', (db) =>
    db.execute<ObservedStatus & Record<string, unknown>>(allStatus),
  );
  // A database without accounts returns no time, and has nothing that could be stale.
  return { readAt: accounts[0]?.readAt ?? new Date().toISOString(), accounts };
}

const allStatus = sql`
  select a.account_id as account, to_json(now()) as "readAt",
    coalesce(p.found, '[]') as problems, coalesce(e.found, '[]') as expected, coalesce(j.found, '[]') as jobs,
    coalesce(n.found, '[]') as anomalies, coalesce(q.found, '[]') as quarantine
  from custody.accounts a
  left join internal.account_rests r using (account_id)
  left join (
    select account_id, json_agg(json_build_object('code', code, 'severity', severity, 'subject', subject)) as found
    from reporting.health_problems group by account_id
  ) as p using (account_id)
  left join (
    select account_id,
      json_agg(json_build_object('job', job, 'isMirrored', is_mirrored, 'isScheduled', is_scheduled)) as found
    from sync.expectations group by account_id
  ) as e using (account_id)
  left join lateral (
    select json_agg(json_build_object('job', k.job, 'lastSucceededAt', s.at, 'lastVerifiedAt', v.at)) as found
    from internal.jobs k
    left join lateral (
      select r.finished_at as at from sync.runs r
      where r.account_id = a.account_id and r.job = k.job and r.status = 'succeeded' order by r.finished_at desc limit 1
    ) as s on true
    left join lateral (
      select max(r.finished_at) as at from sync.runs r
      where r.account_id = a.account_id and r.job = k.job and r.verified
    ) as v on true
  ) as j on true
  left join lateral (
    select json_agg(json_build_object('kind', kind, 'open', open)) as found from (
      select kind, count(*) as open from sync.anomalies
      where account_id = a.account_id and r.is_retired is not true and resolved_at is null and ${isOfMirrored(anomalies)} group by kind) as g
  ) as n on true
  left join lateral (
    select json_agg(json_build_object('resource', resource, 'open', open)) as found from (
      select resource, count(*) as open from sync.quarantine
      where account_id = a.account_id and r.is_retired is not true and resolved_at is null and ${isOfMirrored(quarantine)} group by resource) as g
  ) as q on true
  order by a.account_id`;
