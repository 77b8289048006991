// What changed of the transactions in the mirror since a moment.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { transactions } from '../../../drizzle/transactions.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { textArray } from '../values/binary-array.ts';

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
  /** It was first seen since the moment. */
  readonly isNew: boolean;
}

/** Transactions that were inserted or changed at or after the moment, in no order; so many at the most. */
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

function changedSince(since: string): SQL {
  return sql`${transactions.changedAt} >= ${since}::timestamptz`;
}
