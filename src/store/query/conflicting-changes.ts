// Transactions with the same change in their history again and again: the list shows them in two places with
// different contents, which would fill the history without end.
import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { textArray } from '../values/binary-array.ts';

/** The anomaly of such a transaction. */
export const conflictingKind = 'conflicting-content';

/** How often the same change must have been recorded. */
const oftenEnough = 3;

/** @returns those of the transactions whose history holds the same change at least three times */
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
