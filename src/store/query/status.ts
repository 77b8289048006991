// What is mirrored, how fresh it is, and what is wrong, as one plain object read at one moment: for people and as JSON.
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { balanceSnapshots, unreadableBalances } from '../../../drizzle/balances.ts';
import { documentReadings, vaults, whitelistEntries } from '../../../drizzle/documents.ts';
import { anomalies, learned, quarantine } from '../../../drizzle/findings.ts';
import { leases } from '../../../drizzle/runs.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { balanceVaultTypes } from '../../domain/balance.ts';
import type { DocumentKind } from '../../domain/document.ts';
import { type Resource, resources } from '../../domain/resource.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { selectIso } from '../postgres/micros.ts';
import { type ExpectedJob, readExpectations } from '../run/expectations.ts';
import { notFinal } from './open-transactions.ts';
import { type HealthProblem, readProblems } from './status-health.ts';
import { type JobStatus, readJobs } from './status-jobs.ts';
import { readLastSweep, type SweepStatus } from './status-sweep.ts';

/** Moments are ISO 8601 in UTC. */
export interface StatusReport {
  readonly account: string;
  /** Null while nothing was mirrored. */
  readonly baseUrl: string | null;
  readonly readAt: string;
  /** What is wrong, worst first, and what is only worth knowing. */
  readonly problems: readonly HealthProblem[];
  /** What the account's processes are configured to do. */
  readonly expected: readonly ExpectedJob[];
  readonly transactions: TransactionsStatus;
  readonly balances: readonly BalancesStatus[];
  readonly vaults: DocumentsStatus;
  readonly whitelist: DocumentsStatus;
  readonly jobs: readonly JobStatus[];
  /** Not resolved, by kind. */
  readonly anomalies: readonly {
    readonly kind: string;
    readonly open: number;
    readonly lastObservedAt: string | null;
  }[];
  /** Not resolved, by resource. */
  readonly quarantine: readonly {
    readonly resource: string;
    readonly open: number;
    readonly lastObservedAt: string | null;
  }[];
  /** Who may write now; null when nobody. */
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
}

export interface TransactionsStatus {
  /** Null while it is not known: nothing was read yet, or an empty list is not yet believed. */
  readonly total: number | null;
  /** Marked as no longer shown by the service. */
  readonly missing: number;
  /** Those not known to be final, by status. */
  readonly open: readonly { readonly status: string; readonly count: number }[];
  /** The last sweep of the whole list that ended; null before the first. */
  readonly lastSweep: SweepStatus | null;
}

export interface BalancesStatus {
  readonly vaultType: string;
  /** The last complete observation. */
  readonly snapshotAt: string | null;
  readonly assets: number;
  /** Records of it that could not be read. */
  readonly quarantined: number;
  /** The assets of those, where the records name them. */
  readonly unreadableAssets: readonly string[];
}

export interface DocumentsStatus {
  /** Null while it is not known: nothing was read yet, or an empty list is not yet believed. */
  readonly present: number | null;
  readonly missing: number;
  readonly changedAt: string | null;
}

/** @throws MirrorError `SCHEMA-MISSING`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED` */
export function readStatus(database: Database, account: string): Promise<StatusReport> {
  return database.transact(
    'read-status',
    async (tx) => ({
      account,
      ...(await readHead(tx, account)),
      problems: await readProblems(tx, account),
      expected: await readExpectations(tx, account),
      transactions: await readTransactions(tx, account),
      balances: await readBalances(tx, account),
      vaults: await readDocuments(tx, account, 'vault', vaults),
      whitelist: await readDocuments(tx, account, 'whitelist_entry', whitelistEntries),
      jobs: await readJobs(tx, account),
      anomalies: await readAnomalies(tx, account),
      quarantine: await readQuarantine(tx, account),
      lease: await readLease(tx, account),
      learned: await readLearned(tx, account),
    }),
    { snapshot: true },
  );
}

/** What CUSTODY_RESOURCES leaves out, as the processes of the account said last. */
export function leftOut({ expected }: Pick<StatusReport, 'expected'>): readonly Resource[] {
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

async function readTransactions(tx: Tx, account: string): Promise<TransactionsStatus> {
  const totals = await tx.run('status.transactions', (db) =>
    db
      .select({
        total: accounts.transactionsTotal,
        missing: accounts.transactionsMissing,
        since: accounts.transactionsSince,
      })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  const open = await tx.run('status.open-transactions', (db) =>
    db
      .select({ status: transactions.status, count: count() })
      .from(transactions)
      .where(and(eq(transactions.accountId, account), notFinal))
      .groupBy(transactions.status)
      .orderBy(transactions.status),
  );
  const lastSweep = await readLastSweep(tx, account);
  const { total = 0, missing = 0, since = null } = totals[0] ?? {};
  return { total: total === 0 && since === null ? null : total, missing, open, lastSweep };
}

/** The last snapshot of each vault type, by its key: the snapshots of years are not looked through. */
async function readBalances(tx: Tx, account: string): Promise<BalancesStatus[]> {
  const { accountId, vaultType, snapshotAt } = balanceSnapshots;
  const reports: BalancesStatus[] = [];
  for (const type of [...balanceVaultTypes].sort()) {
    const last = await tx.run('status.balances', (db) =>
      db
        .select({
          vaultType,
          snapshotAt: selectIso(snapshotAt),
          assets: balanceSnapshots.assetCount,
          quarantined: balanceSnapshots.quarantinedCount,
          unreadableAssets: sql<string[]>`array(
            select distinct ${unreadableBalances.assetId} from ${unreadableBalances}
            where ${unreadableBalances.accountId} = ${account} and ${unreadableBalances.vaultType} = ${type}
              and ${unreadableBalances.validTo} is null
            order by 1
          )`,
        })
        .from(balanceSnapshots)
        .where(and(eq(accountId, account), eq(vaultType, type)))
        .orderBy(desc(snapshotAt))
        .limit(1),
    );
    reports.push(...last);
  }
  return reports;
}

async function readDocuments(
  tx: Tx,
  account: string,
  kind: DocumentKind,
  table: typeof vaults | typeof whitelistEntries,
): Promise<DocumentsStatus> {
  const rows = await tx.run('status.documents', (db) =>
    db
      .select({
        present: sql<number | null>`case when count(*) > 0 or exists (
          select from ${documentReadings} where ${documentReadings.accountId} = ${account} and ${documentReadings.kind} = ${kind}
        ) then (count(*) filter (where ${table.missingSince} is null))::float8 end`,
        missing: sql`count(${table.missingSince})`.mapWith(Number),
        changedAt: selectIso(sql`max(${table.changedAt})`),
      })
      .from(table)
      .where(eq(table.accountId, account)),
  );
  return rows[0] ?? { present: null, missing: 0, changedAt: null };
}

async function readAnomalies(tx: Tx, account: string) {
  return await tx.run('status.anomalies', (db) =>
    db
      .select({
        kind: anomalies.kind,
        open: count(),
        lastObservedAt: selectIso(sql`max(${anomalies.lastObservedAt})`),
      })
      .from(anomalies)
      .where(and(eq(anomalies.accountId, account), isNull(anomalies.resolvedAt)))
      .groupBy(anomalies.kind)
      .orderBy(anomalies.kind),
  );
}

async function readQuarantine(tx: Tx, account: string) {
  return await tx.run('status.quarantine', (db) =>
    db
      .select({
        resource: quarantine.resource,
        open: count(),
        lastObservedAt: selectIso(sql`max(${quarantine.lastObservedAt})`),
      })
      .from(quarantine)
      .where(and(eq(quarantine.accountId, account), isNull(quarantine.resolvedAt)))
      .groupBy(quarantine.resource)
      .orderBy(quarantine.resource),
  );
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
      .where(and(eq(leases.accountId, account), gt(leases.expiresAt, sql`clock_timestamp()`))),
  );
  return rows[0] ?? null;
}

async function readLearned(tx: Tx, account: string) {
  return await tx.run('status.learned', (db) =>
    db
      .select({
        fact: learned.fact,
        value: learned.value,
        evidence: learned.evidence,
        updatedAt: selectIso(learned.updatedAt),
      })
      .from(learned)
      .where(eq(learned.accountId, account))
      .orderBy(learned.fact),
  );
}

function count() {
  return sql`count(*)`.mapWith(Number);
}
