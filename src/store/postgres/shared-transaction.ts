// A database whose transactions all are parts of one that is open: readers that see one state together.
import type { Database } from './database.ts';
import type { Tx } from './transaction.ts';

/**
 * The works run one after the other. They see the same state, and none may write more than the open
 * transaction may.
 */
export function sharedTransaction(database: Database, tx: Tx): Database {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...database,
    transact: (_label, work) => {
      const mine = last.then(() => work(tx));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
