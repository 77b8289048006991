// A database whose transactions are all parts of one open transaction, so that its readers see one state.
import type { Database } from './database.ts';
import type { Tx } from './transaction.ts';

/**
 * Works run one after another. They see the same state, and may write no more than the open transaction may.
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
