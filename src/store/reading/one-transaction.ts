// One transaction with its statuses, its revisions and the record as it was received.
import { sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { readOne, readPage } from './list/read-page.ts';
import { revisions, timeline, transactions } from './transactions.ts';

/** How many statuses and revisions are shown with a transaction. The lists of their own show all. */
const historyShown = 500;

/**
 * A transaction with its statuses and revisions, as members of a JSON object; null when it is not mirrored.
 */
export async function readTransaction(tx: Tx, account: string, id: string): Promise<string | null> {
  const asked = { account, at: null, filters: { transaction_id: id } };
  const row = await readOne(tx, transactions, { ...asked, order: transactions.defaultOrder });
  if (row === null) return null;
  const all = { limit: historyShown, from: null };
  const statuses = await readPage(tx, timeline, { ...asked, order: timeline.defaultOrder }, all);
  const changes = await readPage(tx, revisions, { ...asked, order: revisions.defaultOrder }, all);
  const raw = await tx.run('read.raw', (db) =>
    db.execute<{ raw: string }>(sql`
      select t.raw::text as raw from custody.transactions t where t.account_id = ${account} and t.transaction_id = ${id}`),
  );
  return [
    row.slice(0, -1),
    `"timeline":[${statuses.rows.join()}]`,
    `"revisions":[${changes.rows.join()}]`,
    `"raw":${raw.rows[0]?.raw ?? 'null'}}`,
  ].join();
}
