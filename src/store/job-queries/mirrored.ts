// Queries of jobs on the mirrored transactions: which are open, which changed since a moment, and which
// repeat the same change again and again.
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { balances } from '../../../drizzle/balances.ts';
import { vaults, whitelistEntries } from '../../../drizzle/documents.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import type { BalanceVaultType } from '../../domain/balance.ts';
import type { KnownVault, VaultType } from '../../domain/document.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { textArray } from '../values/bulk-rows.ts';

/** Spelled as in the partial index `transactions_open_idx`; otherwise PostgreSQL would not use it. */
const notFinal = sql`${transactions.status} not in ('completed', 'rejected', 'cancelled', 'failed')`;

/** Identifiers of the open transactions that are not marked as missing. */
export async function readOpenTransactionIds(database: Database, account: string): Promise<string[]> {
  const rows = await readOne(database, 'transactions.open', (db) =>
    db
      .select({ transactionId: transactions.transactionId })
      .from(transactions)
      .where(and(eq(transactions.accountId, account), notFinal, isNull(transactions.missingSince)))
      .orderBy(asc(transactions.transactionId)),
  );
  return rows.map((row) => row.transactionId);
}

/**
 * Whether any of the transactions was inserted or changed at or after the moment.
 *
 * @param since ISO 8601
 */
export async function anyChangedSince(
  database: Database,
  account: string,
  ids: readonly string[],
  since: string,
): Promise<boolean> {
  const recent = await readOne(database, 'transactions.recent', (db) =>
    db
      .select({ transactionId: transactions.transactionId })
      .from(transactions)
      .where(
        and(
          eq(transactions.accountId, account),
          sql`${transactions.transactionId} = any(${textArray(ids)})`,
          changedSince(since),
        ),
      )
      .limit(1),
  );
  return recent.length > 0;
}

export interface RecentChange {
  readonly transactionId: string;
  /** Whether it was first seen since the moment. */
  readonly isNew: boolean;
}

/** Transactions inserted or changed at or after the moment, in no order, up to a limit. */
export async function readChangedSince(
  database: Database,
  account: string,
  since: string,
  most: number,
): Promise<readonly RecentChange[]> {
  return await readOne(database, 'transactions.changed-since', (db) =>
    db
      .select({
        transactionId: transactions.transactionId,
        isNew: sql<boolean>`${transactions.firstSeenAt} >= ${since}::timestamptz`,
      })
      .from(transactions)
      .where(and(eq(transactions.accountId, account), changedSince(since)))
      .limit(most),
  );
}

/** Fields by whose values transactions differ. */
export type MirroredField = 'assetId' | 'networkId' | 'sourceId' | 'destinationId';

/** Values of a field in the mirrored transactions, at most so many, without the empty text. */
export async function readTransactionValues(
  database: Database,
  account: string,
  field: MirroredField,
  most: number,
): Promise<readonly string[]> {
  const rows = await readOne(database, 'transactions.values', (db) =>
    db
      .selectDistinct({ value: transactions[field] })
      .from(transactions)
      .where(and(eq(transactions.accountId, account), sql`${transactions[field]} <> ''`))
      .limit(most),
  );
  return rows.flatMap(({ value }) => (value === null ? [] : [value]));
}

function changedSince(since: string): SQL {
  return sql`${transactions.changedAt} >= ${since}::timestamptz`;
}

/** The anomaly of such a transaction. */
export const conflictingKind = 'conflicting-content';

/** How many times the same change must have been recorded. */
const oftenEnough = 3;

/**
 * The given transactions whose history holds the same change at least three times: the list shows them in two
 * places with different contents, which would grow the history without end.
 */
export async function findConflicting(
  database: Database,
  account: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await readOne(database, 'transactions.conflicting', (db) =>
    db.execute<{ id: string }>(sql`
      select transaction_id as id from ${transactionRevisions}
      where account_id = ${account} and transaction_id = any(${textArray(ids)})
      group by transaction_id, before, after having count(*) >= ${oftenEnough}
      union
      select transaction_id from ${transactionStatusHistory}
      where account_id = ${account} and transaction_id = any(${textArray(ids)}) and from_status is not null
      group by transaction_id, from_status, to_status having count(*) >= ${oftenEnough}`),
  );
  return found.rows.map((row) => row.id);
}

// Counts and identifiers of mirrored records, which a job reads before it requests the service.

/** Number of balances in the last snapshot of the vault type. */
export function countBalances(
  database: Database,
  account: string,
  vaultType: BalanceVaultType,
): Promise<number> {
  const { accountId, validTo } = balances;
  const current = and(eq(accountId, account), eq(balances.vaultType, vaultType), isNull(validTo));
  return readOne(database, 'balances.count', (db) => db.$count(balances, current));
}

/** Number of mirrored vaults of the type that are not marked as missing. */
export function countVaults(database: Database, account: string, vaultType: VaultType): Promise<number> {
  const { accountId, missingSince } = vaults;
  const present = and(eq(accountId, account), eq(vaults.vaultType, vaultType), isNull(missingSince));
  return readOne(database, 'vaults.count', (db) => db.$count(vaults, present));
}

/** The vaults that are not marked as missing. */
export async function readPresentVaults(database: Database, account: string): Promise<KnownVault[]> {
  const { accountId, vaultId, vaultType, name, document, missingSince } = vaults;
  return await readOne(database, 'vaults.present', (db) =>
    db
      .select({ vaultId, vaultType, name, document: sql<string>`${document}::text` })
      .from(vaults)
      .where(and(eq(accountId, account), isNull(missingSince))),
  );
}

/** Identifiers of the whitelist entries that are not marked as missing. */
export async function presentEntryIds(database: Database, account: string): Promise<string[]> {
  const { accountId, entryId, missingSince } = whitelistEntries;
  const rows = await readOne(database, 'whitelist.present', (db) =>
    db
      .select({ id: entryId })
      .from(whitelistEntries)
      .where(and(eq(accountId, account), isNull(missingSince))),
  );
  return rows.map((row) => row.id);
}
