// The status of each resource: how much of it is mirrored, and when it was last observed.
import { and, desc, eq, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { balanceSnapshots, unreadableBalances } from '../../../drizzle/balances.ts';
import { documentReadings, vaults, whitelistEntries } from '../../../drizzle/documents.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { balanceVaultTypes } from '../../domain/balance.ts';
import type { DocumentKind } from '../../domain/document.ts';
import type { Tx } from '../postgres/transaction.ts';
import { selectIso } from '../values/micros.ts';
import { readLastSweep, type SweepStatus } from './status-sweep.ts';
import { notFinal } from './transactions.ts';

export interface TransactionsStatus {
  /** Null while unknown: nothing has been read yet, or only one run found the list empty. */
  readonly total: number | null;
  /** Transactions marked as no longer shown by the service. */
  readonly missing: number;
  /** Number of transactions not settled, by status. */
  readonly open: readonly { readonly status: string; readonly count: number }[];
  /** The last finished sweep of the whole list; null before the first. */
  readonly lastSweep: SweepStatus | null;
}

export type BalancesStatus = Awaited<ReturnType<typeof readBalances>>[number];

export type DocumentsStatus = Awaited<ReturnType<typeof readDocuments>>;

export async function readTransactions(tx: Tx, account: string): Promise<TransactionsStatus> {
  const totals = tx.run('status.transactions', (db) =>
    db
      .select({
        total: accounts.transactionsTotal,
        missing: accounts.transactionsMissing,
        since: accounts.transactionsSince,
      })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  const open = tx.run('status.open-transactions', (db) =>
    db
      .select({ status: transactions.status, count: sql`count(*)`.mapWith(Number) })
      .from(transactions)
      .where(and(eq(transactions.accountId, account), notFinal))
      .groupBy(transactions.status)
      .orderBy(transactions.status),
  );
  const [[row], openByStatus, lastSweep] = await Promise.all([totals, open, readLastSweep(tx, account)]);
  const { total = 0, missing = 0, since = null } = row ?? {};
  return { total: total === 0 && since === null ? null : total, missing, open: openByStatus, lastSweep };
}

/** The last snapshot of each vault type: one index lookup each, however many snapshots there are. */
export async function readBalances(tx: Tx, account: string) {
  const { accountId, vaultType, snapshotAt } = balanceSnapshots;
  const lastOf = (type: string) =>
    tx.run('status.balances', (db) =>
      db
        .select({
          vaultType,
          snapshotAt: selectIso(snapshotAt),
          assets: balanceSnapshots.assetCount,
          /** Unreadable records of that observation, and their assets if they name them. */
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
  return (await Promise.all([...balanceVaultTypes].sort().map(lastOf))).flat();
}

export async function readDocuments(tx: Tx, account: string, kind: DocumentKind) {
  const table = kind === 'vault' ? vaults : whitelistEntries;
  const rows = await tx.run('status.documents', (db) =>
    db
      .select({
        /** Null while unknown: nothing has been read yet, or only one run found the list empty. */
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
