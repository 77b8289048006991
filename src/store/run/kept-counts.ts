// How many transactions an account holds, kept with every commit instead of counted.
import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Lease } from './leases.ts';

/** Transactions of the account that the service is held to show, from the counts that are kept. */
export async function countTransactions(database: Database, account: string): Promise<number> {
  const { transactionsTotal, transactionsMissing } = accounts;
  const rows = await database.transact('count-transactions', (tx) =>
    tx.run('transactions.count', (db) =>
      db
        .select({ total: transactionsTotal, missing: transactionsMissing })
        .from(accounts)
        .where(eq(accounts.accountId, account)),
    ),
  );
  const { total, missing } = rows[0] ?? { total: 0, missing: 0 };
  return total - missing;
}

/** What a commit adds to the counts of an account. */
export interface CountedChange {
  readonly inserted?: number;
  /** Marked as missing, less those that are shown again. */
  readonly missing?: number;
}

/** Keeps the counts, in the transaction that writes the rows: counting them would cost more with each row there is. */
export async function keepCounts(
  tx: Tx,
  lease: Lease,
  { inserted = 0, missing = 0 }: CountedChange,
): Promise<void> {
  if (inserted === 0 && missing === 0) return;
  await tx.run('accounts.keep-counts', (db) =>
    db
      .update(accounts)
      .set({
        transactionsTotal: sql`${accounts.transactionsTotal} + ${inserted}`,
        transactionsMissing: sql`${accounts.transactionsMissing} + ${missing}`,
      })
      .where(eq(accounts.accountId, lease.account)),
  );
}
