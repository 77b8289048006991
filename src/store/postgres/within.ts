// A database whose transactions all are parts of one that is open: readers that see one state together.
import { sql } from 'drizzle-orm';
import type { Database, TransactionOptions } from './database.ts';
import type { Tx } from './transaction.ts';

/** The works run one after the other. They see the same state, and none may write more than the open transaction may. */
export function databaseWithin(database: Database, tx: Tx): Database {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...database,
    transact: (_label, work, options = {}) => {
      const mine = last.then(() => runWithin(tx, work, options));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function runWithin<T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
  { joinsAsWritten }: TransactionOptions,
): Promise<T> {
  if (joinsAsWritten !== true) return await work(tx);
  const planFreely = () =>
    tx.run('joins.chosen', (db) => db.execute(sql`set local join_collapse_limit to default`));
  await tx.run('joins.as-written', (db) => db.execute(sql`set local join_collapse_limit = 1`));
  const result = await work(tx).catch(async (error: unknown) => {
    // Who handles the refusal goes on in the same transaction; one that has failed takes the setting with it.
    await planFreely().catch(() => undefined);
    throw error;
  });
  await planFreely();
  return result;
}
