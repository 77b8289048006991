// Whether transactions have changed in the mirror since a moment, or have not.
import { and, eq, sql } from 'drizzle-orm';
import { transactions } from '../../drizzle/transactions.ts';
import { textArray } from './binary-array.ts';
import type { Database } from './database.ts';

/**
 * Tells whether any of the transactions was inserted or changed at or after the moment.
 *
 * @param since ISO 8601
 */
export async function anyChangedSince(
  database: Database,
  account: string,
  ids: readonly string[],
  since: string,
): Promise<boolean> {
  const recent = await database.transact('recent-transactions', (tx) =>
    tx.run('transactions.recent', (db) =>
      db
        .select({ transactionId: transactions.transactionId })
        .from(transactions)
        .where(
          and(
            eq(transactions.accountId, account),
            sql`${transactions.transactionId} = any(${textArray(ids)})`,
            sql`${transactions.changedAt} >= ${since}::timestamptz`,
          ),
        )
        .limit(1),
    ),
  );
  return recent.length > 0;
}

/** A transaction with the digest of what an answer shows of it. */
export interface ShownTransaction {
  readonly transactionId: string;
  readonly contentHash: string;
}

/**
 * Tells whether any of the transactions has been mirrored just as it is shown since before the moment: then it was neither
 * made nor seen to change after it.
 *
 * @param before ISO 8601
 */
export async function anyUnchangedSince(
  database: Database,
  account: string,
  shown: readonly ShownTransaction[],
  before: string,
): Promise<boolean> {
  if (shown.length === 0) return false;
  const ids = textArray(shown.map(({ transactionId }) => transactionId));
  const hashes = textArray(shown.map(({ contentHash }) => contentHash));
  const old = await database.transact('unchanged-transactions', (tx) =>
    tx.run('transactions.unchanged', (db) =>
      db
        .select({ transactionId: transactions.transactionId })
        .from(transactions)
        .innerJoin(
          sql`unnest(${ids}, ${hashes}) as shown(id, hash)`,
          sql`${transactions.transactionId} = shown.id and ${transactions.contentHash} = shown.hash`,
        )
        .where(
          and(eq(transactions.accountId, account), sql`${transactions.changedAt} < ${before}::timestamptz`),
        )
        .limit(1),
    ),
  );
  return old.length > 0;
}
