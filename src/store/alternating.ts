// Transactions that change to and fro: the same change, recorded again and again. A record that two places of the list
// show with different content looks so, and would fill the history for ever.
import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../drizzle/transaction-history.ts';
import { textArray } from './binary-array.ts';
import type { Database } from './database.ts';

/** The anomaly of a transaction that alternates. */
export const alternatingKind = 'alternating-content';

/** So often must a change have been recorded before it is one of an alternation. */
const oftenEnough = 3;

/** @returns those of the transactions for which the history holds one and the same change at least three times */
export async function findAlternating(
  database: Database,
  account: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await database.transact('find-alternating', (tx) =>
    tx.run('transactions.alternating', (db) =>
      db.execute<{ id: string }>(sql`
        select transaction_id as id from ${transactionRevisions}
        where account_id = ${account} and transaction_id = any(${textArray(ids)})
        group by transaction_id, before, after having count(*) >= ${oftenEnough}
        union
        select transaction_id from ${transactionStatusHistory}
        where account_id = ${account} and transaction_id = any(${textArray(ids)}) and from_status is not null
        group by transaction_id, from_status, to_status having count(*) >= ${oftenEnough}`),
    ),
  );
  return found.rows.map((row) => row.id);
}
