// The open transactions: their status is not known to be final.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { transactions } from '../../../drizzle/transactions.ts';
import { type Database, readOne } from '../postgres/database.ts';

/** Spelled as in the partial index `transactions_open_idx`; else PostgreSQL would not use it. */
export const notFinal = sql`${transactions.status} not in ('completed', 'rejected', 'cancelled', 'failed')`;

const openOf = (account: string) =>
  and(eq(transactions.accountId, account), notFinal, isNull(transactions.missingSince));

/** Identifiers of the open transactions that are not marked as missing. */
export async function readOpenTransactionIds(database: Database, account: string): Promise<string[]> {
  const rows = await readOne(database, 'transactions.open', (db) =>
    db
      .select({ transactionId: transactions.transactionId })
      .from(transactions)
      .where(openOf(account))
      .orderBy(asc(transactions.transactionId)),
  );
  return rows.map((row) => row.transactionId);
}
