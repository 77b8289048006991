// Whether transactions changed in the mirror since a moment.
import { and, eq, sql } from 'drizzle-orm';
import { transactions } from '../../../drizzle/transactions.ts';
import { textArray } from '../postgres/binary-array.ts';
import { type Database, readOne } from '../postgres/database.ts';

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
          sql`${transactions.changedAt} >= ${since}::timestamptz`,
        ),
      )
      .limit(1),
  );
  return recent.length > 0;
}
