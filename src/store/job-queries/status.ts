// The status report of accounts: what is mirrored, how fresh it is, and its problems, as one plain object
// (sql/health/status_report.sql). One statement reads it, so a report, or the reports of all accounts, show
// one moment.
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type Coverage,
  type DoubtCode,
  doubtCode,
  notCovered,
  type SweepClaim,
} from '../../domain/doubts.ts';
import { type Resource, resources } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import { onOneLine } from '../../domain/words.ts';
import type { Database } from '../postgres/database.ts';
import { isNotHalfErased } from '../run/accounts.ts';

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
  const [report] = await readReports(database, sql`select report from custody.status_report(${account})`);
  if (report === undefined) throw new Error('the database answered without a row');
  return report;
}

/** Of every account of the database but half-erased ones, by name. @throws as readStatus does */
export function readAllStatus(database: Database): Promise<readonly StatusReport[]> {
  return readReports(
    database,
    sql`select s.report from custody.accounts a cross join lateral custody.status_report(a.account_id) as s
      where ${isNotHalfErased(sql`a.account_id`)} order by a.account_id`,
  );
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

async function readReports(database: Database, reports: SQL): Promise<readonly StatusReport[]> {
  const { rows } = await database.transact(
    'status.read',
    (tx) => tx.run('status.read', (db) => db.execute<{ report: Row }>(reports)),
    { readOnly: true, statementTimeoutMs: longestReadingMs },
  );
  return rows.map(({ report: { others, isThere, ...row } }) => {
    const { lastSweep, ...transactions } = row.transactions;
    return {
      ...row,
      problems: others === null ? row.problems : [nothingMirrored(row.account, isThere, others)],
      transactions: { ...transactions, lastSweep: lastSweep && sweepOf(lastSweep) },
    };
  });
}

function nothingMirrored(account: string, isHalfErased: boolean, others: readonly string[]): HealthProblem {
  const named = others.map(onOneLine).join(', ');
  const check = named === '' ? '' : `check CUSTODY_ACCOUNT (this database holds ${named}), or `;
  return {
    code: 'nothing-mirrored',
    severity: 'critical',
    subject: 'account',
    since: null,
    problem: isHalfErased
      ? `The account ${account} is half erased, and not mirrored`
      : `Nothing has been mirrored yet for the account ${account}`,
    fix: isHalfErased
      ? `run custody-mirror account erase ${account} again`
      : `${check}start custody-mirror run, or run custody-mirror sync once`,
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
const doubtsSchema = z
  .object({ doubt_codes: z.array(z.string()) })
  .transform((verdict) => verdict.doubt_codes);

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
