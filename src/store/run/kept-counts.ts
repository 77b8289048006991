// How many transactions an account holds. Each commit keeps the counts: each increment, each status report
// and each list of accounts in the API asks for them, and counting 300,000 small rows in memory took 90 to
// 200 ms.

import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { type Database, readOne } from '../postgres/database.ts';
import type { FencedTx } from './fence.ts';

/** How many transactions of the account are mirrored and not marked as missing. */
export async function countTransactions(database: Database, account: string): Promise<number> {
  const { transactionsTotal, transactionsMissing } = accounts;
  const rows = await readOne(database, 'transactions.count', (db) =>
    db
      .select({ total: transactionsTotal, missing: transactionsMissing })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  const { total, missing } = rows[0] ?? { total: 0, missing: 0 };
  return total - missing;
}

export interface CountedChange {
  readonly inserted?: number;
  /** Transactions newly marked as missing, less those that are shown again. */
  readonly missing?: number;
}

/** Adds to the counts. Called in the transaction that writes the rows. */
export function keepCounts(tx: FencedTx, { inserted = 0, missing = 0 }: CountedChange): void {
  if (inserted === 0 && missing === 0) return;
  tx.send('accounts.keep-counts', (db) =>
    db
      .update(accounts)
      .set({
        transactionsTotal: sql`${accounts.transactionsTotal} + ${inserted}`,
        transactionsMissing: sql`${accounts.transactionsMissing} + ${missing}`,
      })
      .where(eq(accounts.accountId, tx.lease.account)),
  );
}
