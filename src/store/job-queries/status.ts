// The status report: what is mirrored, how fresh it is, and its problems, as one plain object of one moment.
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { accounts } from '../../../drizzle/accounts.ts';
import { anomalies, learned, quarantine } from '../../../drizzle/findings.ts';
import { leases } from '../../../drizzle/runs.ts';
import { type Resource, resources } from '../../domain/jobs.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { type ExpectedJob, readExpectations } from '../run/expectations.ts';
import { readSealed } from '../run/verifications.ts';
import { selectIso } from '../values/micros.ts';
import { type HealthProblem, readProblems } from './status-health.ts';
import { type JobStatus, readJobs } from './status-jobs.ts';
import {
  type BalancesStatus,
  type DocumentsStatus,
  readBalances,
  readDocuments,
  readTransactions,
  type TransactionsStatus,
} from './status-resources.ts';

/** Moments are ISO 8601 in UTC. */
export interface StatusReport {
  readonly account: string;
  /** Null until something is mirrored. */
  readonly baseUrl: string | null;
  readonly readAt: string;
  /** Problems, worst first, then notes. */
  readonly problems: readonly HealthProblem[];
  /** The configured work of the account's processes. */
  readonly expected: readonly ExpectedJob[];
  readonly transactions: TransactionsStatus;
  readonly balances: readonly BalancesStatus[];
  readonly vaults: DocumentsStatus;
  readonly whitelist: DocumentsStatus;
  readonly jobs: readonly JobStatus[];
  /** Open ones, by kind. */
  readonly anomalies: Found<typeof readAnomalies>;
  /** Open ones, by resource. */
  readonly quarantine: Found<typeof readQuarantine>;
  /** The process that may write now; null if there is none. */
  readonly lease: Found<typeof readLease>;
  readonly learned: Found<typeof readLearned>;
  /** Null if nothing is sealed. */
  readonly sealed: Found<typeof readSealed>;
}

type Found<Read extends (tx: Tx, account: string) => Promise<unknown>> = Readonly<Awaited<ReturnType<Read>>>;

/** Short, so that a dead connection is dropped soon: viewers share one reading. */
const longestReadingMs = 10_000;

/** @throws MirrorError `SCHEMA-MISSING`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED` */
export function readStatus(database: Database, account: string): Promise<StatusReport> {
  return database.transact(
    'read-status',
    async (tx) => {
      // Sent together: in sequence, each would wait for the previous answer.
      const [head, problems, expected, ...rest] = await Promise.all([
        readHead(tx, account),
        readProblems(tx, account),
        readExpectations(tx, account),
        readTransactions(tx, account),
        readBalances(tx, account),
        readDocuments(tx, account, 'vault'),
        readDocuments(tx, account, 'whitelist_entry'),
        readJobs(tx, account),
        readAnomalies(tx, account),
        readQuarantine(tx, account),
        readLease(tx, account),
        readLearned(tx, account),
        readSealed(tx, account),
      ]);
      const [transactions, balances, vaults, whitelist, jobs, openAnomalies, unread, lease, facts, sealed] =
        rest;
      return {
        account,
        ...head,
        problems,
        expected,
        transactions,
        balances,
        vaults,
        whitelist,
        jobs,
        anomalies: openAnomalies,
        quarantine: unread,
        lease,
        learned: facts,
        sealed,
      };
    },
    { snapshot: true, statementTimeoutMs: longestReadingMs },
  );
}

/** The resources that CUSTODY_RESOURCES leaves out, by the account's expectations. */
export function disabledResources({
  expected,
}: {
  readonly expected: readonly Pick<ExpectedJob, 'job' | 'isMirrored'>[];
}): readonly Resource[] {
  return resources.filter((resource) =>
    expected.some(({ job, isMirrored }) => job === resource && !isMirrored),
  );
}

async function readHead(tx: Tx, account: string) {
  const rows = await tx.run('status.head', (db) =>
    db
      .select({ baseUrl: sql<string | null>`max(${accounts.baseUrl})`, readAt: selectIso(sql`now()`) })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  return { baseUrl: rows[0]?.baseUrl ?? null, readAt: rows[0]?.readAt ?? '' };
}

async function readAnomalies(tx: Tx, account: string) {
  const { accountId, kind, lastObservedAt, resolvedAt } = anomalies;
  return await tx.run('status.anomalies', (db) =>
    db
      .select({ kind, ...openSince(lastObservedAt) })
      .from(anomalies)
      .where(and(eq(accountId, account), isNull(resolvedAt), isOfMirrored(anomalies)))
      .groupBy(kind)
      .orderBy(kind),
  );
}

async function readQuarantine(tx: Tx, account: string) {
  const { accountId, resource, lastObservedAt, resolvedAt } = quarantine;
  return await tx.run('status.quarantine', (db) =>
    db
      .select({ resource, ...openSince(lastObservedAt) })
      .from(quarantine)
      .where(and(eq(accountId, account), isNull(resolvedAt), isOfMirrored(quarantine)))
      .groupBy(resource)
      .orderBy(resource),
  );
}

/** As in reporting.health_problems, findings of a resource that is not mirrored do not count. */
export function isOfMirrored({ accountId, resource }: typeof anomalies | typeof quarantine) {
  return sql`not exists (
    select from sync.expectations x where x.account_id = ${accountId} and x.job = ${resource} and not x.is_mirrored)`;
}

/** Number of open findings in one group, and when one was last observed. */
function openSince(lastObservedAt: PgColumn) {
  return {
    open: sql`count(*)`.mapWith(Number),
    lastObservedAt: selectIso(sql`max(${lastObservedAt})`),
  };
}

async function readLease(tx: Tx, account: string) {
  const rows = await tx.run('status.lease', (db) =>
    db
      .select({
        holder: leases.holder,
        acquiredAt: selectIso(leases.acquiredAt),
        expiresAt: selectIso(leases.expiresAt),
      })
      .from(leases)
      .where(
        and(
          eq(leases.accountId, account),
          gt(leases.expiresAt, sql`clock_timestamp()`),
          sql`${leases.databaseTime} < clock_timestamp() + interval '1 minute'`,
        ),
      ),
  );
  return rows[0] ?? null;
}

async function readLearned(tx: Tx, account: string) {
  const { accountId, fact, value, evidence, updatedAt } = learned;
  return await tx.run('status.learned', (db) =>
    db
      .select({ fact, value, evidence, updatedAt: selectIso(updatedAt) })
      .from(learned)
      .where(eq(accountId, account))
      .orderBy(fact),
  );
}
