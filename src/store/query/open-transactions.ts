// The transactions whose status is not known to be final.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { transactions } from '../../../drizzle/transactions.ts';
import type { Database } from '../postgres/database.ts';

/** Spelled as in the partial index, or it would not be used. */
export const notFinal = sql`${transactions.status} not in ('completed', 'rejected', 'cancelled', 'failed')`;

/** Identifiers of the transactions that the service still shows and whose status is not known to be final. */
export async function readOpenTransactionIds(database: Database, account: string): Promise<string[]> {
  const rows = await database.transact('open-transactions', (tx) =>
    tx.run('transactions.open', (db) =>
      db
        .select({ transactionId: transactions.transactionId })
        .from(transactions)
        .where(and(eq(transactions.accountId, account), notFinal, isNull(transactions.missingSince)))
        .orderBy(asc(transactions.transactionId)),
    ),
  );
  return rows.map((row) => row.transactionId);
}
