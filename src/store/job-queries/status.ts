// The status report of accounts: what is mirrored, how fresh it is, and its problems, as one plain object. One
// statement reads it, so everything in a report, and in the reports of all accounts, is of one moment.
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { balanceVaultTypes } from '../../domain/balance.ts';
import type { DocumentKind } from '../../domain/document.ts';
import {
  type Coverage,
  type DoubtCode,
  doubtCode,
  notCovered,
  type SweepClaim,
} from '../../domain/doubts.ts';
import { type Resource, resources, sweepingJobs } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import { onOneLine } from '../../domain/words.ts';
import type { Database } from '../postgres/database.ts';
import { isNotHalfErased } from '../run/accounts.ts';
import { jobsThatRan } from '../run/runs.ts';
import { textArray } from '../values/bulk-rows.ts';
import { shownMoment as iso } from '../values/micros.ts';
import { notFinal } from './mirrored.ts';

/** The codes of reporting.health_problems, worst first; docs/operations.md has a row for each. */
export const healthCodes = [
  'replica-behind',
  'nothing-mirrored',
  'stopped',
  'history-altered',
  'sealing-stopped',
  'too-many-missing',
  'key-refused',
  'failing',
  'starting',
  'never-read',
  'stale',
  'never-verified',
  'verified-long-ago',
  'clock-behind',
  'quarantine',
  'anomaly',
  'retired',
] as const;
export type HealthCode = (typeof healthCodes)[number];

export interface HealthProblem {
  readonly code: HealthCode;
  /** A mirror that has only problems of severity `note` is healthy. */
  readonly severity: 'critical' | 'warning' | 'note';
  /** `account`, a job, a resource, or the kind of an anomaly. */
  readonly subject: string;
  /** Null if unknown. */
  readonly since: string | null;
  /** A sentence without the full stop. */
  readonly problem: string;
  readonly fix: string;
}

/** Moments are ISO 8601 in UTC. */
export interface StatusReport {
  readonly account: string;
  /** Null until something is mirrored. */
  readonly baseUrl: string | null;
  readonly readAt: string;
  /** Problems, worst first, then notes. */
  readonly problems: readonly HealthProblem[];
  /** The configured work of the account's processes; empty when no process has saved any. */
  readonly expected: readonly ExpectedJob[];
  readonly transactions: {
    /** Null while unknown: nothing has been read yet, or only one run found the list empty. */
    readonly total: number | null;
    /** Transactions marked as no longer shown by the service. */
    readonly missing: number;
    /** Number of transactions not settled, by status. */
    readonly open: readonly { readonly status: string; readonly count: number }[];
    /** The last finished sweep of the whole list; null before the first. */
    readonly lastSweep: SweepStatus | null;
  };
  /** The last snapshot of each vault type, with its unreadable records, and their assets if they name them. */
  readonly balances: readonly {
    readonly vaultType: string;
    readonly snapshotAt: string | null;
    readonly assets: number;
    readonly quarantined: number;
    readonly unreadableAssets: readonly string[];
  }[];
  readonly vaults: DocumentsStatus;
  readonly whitelist: DocumentsStatus;
  readonly jobs: readonly JobStatus[];
  /** Open ones, by kind. As in reporting.health_problems, not of a resource that is not mirrored. */
  readonly anomalies: readonly {
    readonly kind: string;
    readonly open: number;
    readonly lastObservedAt: string | null;
  }[];
  /** Open ones, by resource. */
  readonly quarantine: readonly {
    readonly resource: string;
    readonly open: number;
    readonly lastObservedAt: string | null;
  }[];
  /** The process that may write now; null if there is none. */
  readonly lease: {
    readonly holder: string;
    readonly acquiredAt: string | null;
    readonly expiresAt: string | null;
  } | null;
  readonly learned: readonly {
    readonly fact: string;
    readonly value: string;
    readonly evidence: string;
    readonly updatedAt: string | null;
  }[];
  /** How far the history is sealed and verified; null if nothing is sealed. */
  readonly sealed: {
    readonly rows: number;
    readonly signedAt: string | null;
    readonly verifiedAt: string | null;
    readonly verifiedRows: number | null;
    readonly finding: string | null;
  } | null;
}

interface ExpectedJob {
  readonly job: string;
  readonly startedBy: string;
  readonly isMirrored: boolean;
  readonly isScheduled: boolean;
}

export interface DocumentsStatus {
  /** Null while unknown: nothing has been read yet, or only one run found the list empty. */
  readonly present: number | null;
  readonly missing: number;
  readonly changedAt: string | null;
}

export interface JobStatus {
  readonly job: string;
  readonly lastRun: {
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
  };
  readonly lastSucceededAt: string | null;
  readonly lastVerifiedAt: string | null;
}

export type RunStatusReport = JobStatus['lastRun'];

/** The last successful sweep of transactions: its claim, how much of the list it read, and its doubts. */
export interface SweepStatus extends SweepClaim {
  readonly job: string;
  readonly finishedAt: string | null;
  /** What the sweep may have missed, in words. */
  readonly notCovered: readonly string[];
}

/** Short, so that a dead connection is dropped soon: viewers share one reading. */
const longestReadingMs = 10_000;

/** @throws MirrorError `SCHEMA-MISSING`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED` */
export async function readStatus(database: Database, account: string): Promise<StatusReport> {
  const [report] = await readReports(database, sql`select ${account}::text as account_id`);
  if (report === undefined) throw new Error('the database answered without a row');
  return report;
}

/** Of every account of the database but half-erased ones, by name. @throws as readStatus does */
export function readAllStatus(database: Database): Promise<readonly StatusReport[]> {
  return readReports(database, sql`select a.account_id from custody.accounts a where ${whole}`);
}

/** The resources that CUSTODY_RESOURCES leaves out, by the account's expectations. */
export function disabledResources({ expected }: Pick<StatusReport, 'expected'>): readonly Resource[] {
  return resources.filter((resource) =>
    expected.some(({ job, isMirrored }) => job === resource && !isMirrored),
  );
}

type Row = Omit<StatusReport, 'transactions'> & {
  readonly transactions: Omit<StatusReport['transactions'], 'lastSweep'> & {
    readonly lastSweep: Omit<SweepStatus, keyof SweepClaim> &
      Pick<SweepClaim, 'verified'> & { verdict: unknown };
  };
  /** Accounts of the database, where it does not hold this one. */
  readonly others: readonly string[] | null;
  /** Whether it holds a row of it: then it is half erased, if there are others. */
  readonly isThere: boolean;
};

const whole = isNotHalfErased(sql`a.account_id`);

async function readReports(database: Database, accounts: SQL): Promise<readonly StatusReport[]> {
  const { rows } = await database.transact(
    'status.read',
    (tx) => tx.run('status.read', (db) => db.execute<Row & Record<string, unknown>>(reports(accounts))),
    { readOnly: true, statementTimeoutMs: longestReadingMs },
  );
  return rows.map(({ others, isThere, ...row }) => {
    const { lastSweep, ...transactions } = row.transactions;
    return {
      ...row,
      problems:
        others === null
          ? row.problems
          : [isThere ? halfErased(row.account) : unknownAccount(row.account, others)],
      transactions: { ...transactions, lastSweep: lastSweep && sweepOf(lastSweep) },
    };
  });
}

function reports(accounts: SQL): SQL {
  return sql`
    select o.account_id as account, a.base_url as "baseUrl", ${iso(sql`now()`)} as "readAt",
      ${list(sql`
        select code, severity, subject, ${iso(sql`since`)} as since, problem, fix
        from reporting.health_problems where account_id = o.account_id order by rank, subject`)} as problems,
      ${list(sql`
        select job, started_by as "startedBy", is_mirrored as "isMirrored", is_scheduled as "isScheduled"
        from sync.expectations where account_id = o.account_id order by job`)} as expected,
      json_build_object(
        'total', case when a.transactions_total > 0 or a.transactions_since is not null then a.transactions_total end,
        'missing', coalesce(a.transactions_missing, 0),
        'open', ${list(sql`
          select status, count(*) as count from custody.transactions
          where account_id = o.account_id and ${notFinal} group by status order by status`)},
        'lastSweep', ${lastSweep}
      ) as transactions,
      ${list(sql`
        select s.vault_type as "vaultType", ${iso(sql`s.snapshot_at`)} as "snapshotAt", s.asset_count as assets,
          s.quarantined_count as quarantined, array(
            select distinct u.asset_id from custody.unreadable_balances u
            where u.account_id = o.account_id and u.vault_type = s.vault_type and u.valid_to is null order by 1
          ) as "unreadableAssets"
        from unnest(${textArray(balanceVaultTypes)}) as t (vault_type)
        cross join lateral (
          select * from custody.balance_snapshots b where b.account_id = o.account_id and b.vault_type = t.vault_type
          order by b.snapshot_at desc limit 1
        ) as s
        order by s.vault_type collate "C"`)} as balances,
      ${documents(sql`custody.vaults`, 'vault')} as vaults,
      ${documents(sql`custody.whitelist_entries`, 'whitelist_entry')} as whitelist,
      ${list(sql`
        select j.job, ${lastRun} as "lastRun",
          ${iso(sql`(select r.finished_at from sync.runs r
            where r.account_id = o.account_id and r.job = j.job and r.status = 'succeeded'
            order by r.finished_at desc limit 1)`)} as "lastSucceededAt",
          ${iso(sql`(select max(r.finished_at) from sync.runs r
            where r.account_id = o.account_id and r.job = j.job and r.verified)`)} as "lastVerifiedAt"
        from ${jobsThatRan(sql`o.account_id`)} order by j.job`)} as jobs,
      ${open(sql`sync.anomalies`, sql`kind`)} as anomalies,
      ${open(sql`sync.quarantine`, sql`resource`)} as quarantine,
      ${first(sql`
        select holder, ${iso(sql`acquired_at`)} as "acquiredAt", ${iso(sql`expires_at`)} as "expiresAt"
        from sync.leases where account_id = o.account_id and expires_at > clock_timestamp()
          and database_time < clock_timestamp() + interval '1 minute'`)} as lease,
      ${list(sql`
        select fact, value, evidence, ${iso(sql`updated_at`)} as "updatedAt"
        from sync.learned where account_id = o.account_id order by fact`)} as learned,
      ${first(sql`
        select c.tree_size as rows, ${iso(sql`c.signed_at`)} as "signedAt", ${iso(sql`v.verified_at`)} as "verifiedAt",
          v.tree_size as "verifiedRows", v.finding
        from sync.seal_checkpoints c left join sync.seal_verifications v using (account_id)
        where c.account_id = o.account_id order by c.tree_size desc limit 1`)} as sealed,
      case when a.account_id is null then
        array(select a.account_id from custody.accounts a where ${whole} order by 1 limit 5) end as others,
      exists (select from custody.accounts e where e.account_id = o.account_id) as "isThere"
    from (${accounts}) as o left join custody.accounts a on a.account_id = o.account_id and ${whole}
    order by o.account_id`;
}

const lastSweep = first(sql`
  select r.job, ${iso(sql`r.finished_at`)} as "finishedAt", coalesce(r.verified, false) as verified, r.verdict
  from unnest(${textArray(sweepingJobs)}) as j (job)
  cross join lateral (
    select * from sync.runs s
    where s.account_id = o.account_id and s.job = j.job and s.mode = 'full' and s.status = 'succeeded'
    order by s.finished_at desc limit 1
  ) as r
  order by r.finished_at desc limit 1`);

const lastRun = first(sql`
  select r.run_id::text as "runId", r.mode, r.status, ${iso(sql`r.started_at`)} as "startedAt",
    ${iso(sql`r.finished_at`)} as "finishedAt", r.requests, r.records_read as "recordsRead",
    r.records_inserted as "recordsInserted", r.records_changed as "recordsChanged",
    r.status_changes as "statusChanges", r.quarantined, r.verified, r.verdict, r.error_code as "errorCode",
    r.error_message as "errorMessage"
  from sync.runs r where r.account_id = o.account_id and r.job = j.job order by r.started_at desc limit 1`);

function documents(table: SQL, kind: DocumentKind): SQL {
  return first(sql`
    select case when count(*) > 0 or exists (
        select from custody.document_readings r where r.account_id = o.account_id and r.kind = ${kind}
      ) then count(*) filter (where d.missing_since is null) end as present,
      count(d.missing_since) as missing, ${iso(sql`max(d.changed_at)`)} as "changedAt"
    from ${table} d where d.account_id = o.account_id`);
}

/** Number of open findings in each group, and when one was last observed. */
function open(table: SQL, group: SQL): SQL {
  return list(sql`
    select f.${group}, count(*) as open, ${iso(sql`max(f.last_observed_at)`)} as "lastObservedAt" from ${table} f
    where f.account_id = o.account_id and f.resolved_at is null and not exists (
      select from sync.expectations x where x.account_id = f.account_id and x.job = f.resource and not x.is_mirrored)
    group by f.${group} order by f.${group}`);
}

function list(query: SQL): SQL {
  return sql`(select coalesce(json_agg(q), '[]') from (${query}) as q)`;
}

function first(query: SQL): SQL {
  return sql`(select to_json(q) from (${query}) as q)`;
}

function halfErased(account: string): HealthProblem {
  const problem = `The account ${account} is half erased, and not mirrored`;
  const fix = `run custody-mirror account erase ${account} again`;
  return { code: 'nothing-mirrored', severity: 'critical', subject: 'account', since: null, problem, fix };
}

function unknownAccount(account: string, others: readonly string[]): HealthProblem {
  const named = others.map(onOneLine).join(', ');
  const check = named === '' ? '' : `check CUSTODY_ACCOUNT (this database holds ${named}), or `;
  return {
    code: 'nothing-mirrored',
    severity: 'critical',
    subject: 'account',
    since: null,
    problem: `Nothing has been mirrored yet for the account ${account}`,
    fix: `${check}start custody-mirror run, or run custody-mirror sync once`,
  };
}

function sweepOf({ job, finishedAt, verified, verdict }: Row['transactions']['lastSweep']): SweepStatus {
  const claim = claimOf(verified, verdict);
  return { job, finishedAt, ...claim, notCovered: notCovered(claim.doubts) };
}

/** What a run claims about its list. @param verdict as stored in sync.runs */
export function claimOf(verified: boolean, verdict: unknown): SweepClaim {
  return { verified, coverage: coverageOf(verdict), doubts: doubtsOf(verdict) };
}

const figure = z.number().int().nonnegative();
const coverageSchema = z.object({
  met: figure,
  list_length: figure.nullable(),
  list_shown: figure.nullable(),
  resumed: figure,
});
/** Runs of earlier versions store only the sentences. */
const doubtsSchema = z.union([
  z.object({ doubt_codes: z.array(z.string()) }).transform((verdict) => verdict.doubt_codes),
  z.object({ doubts: z.array(z.string()) }).transform((verdict) => verdict.doubts),
]);

function coverageOf(verdict: unknown): Coverage | null {
  const parsed = coverageSchema.safeParse(verdict);
  if (!parsed.success) return null;
  const { met, list_length: listLength, list_shown: listShown, resumed } = parsed.data;
  return { met, listLength, listShown, isResumed: resumed > 0 };
}

function doubtsOf(verdict: unknown): DoubtCode[] {
  const parsed = doubtsSchema.safeParse(verdict);
  return parsed.success ? parsed.data.map(doubtCode).filter((code) => code !== null) : [];
}
