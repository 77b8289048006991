// A database that refuses every transaction as soon as there is a reason.
import type { Database } from './database.ts';

/** The same database; once `fault` gives an error, each transaction fails with it. */
export function guardDatabase(database: Database, fault: () => Error | null): Database {
  const guard = () => {
    const error = fault();
    if (error !== null) throw error;
  };
  return {
    target: database.target,
    close: () => database.close(),
    async transact(label, work, options) {
      guard();
      return await database.transact(
        label,
        (tx) => {
          guard();
          return work(tx);
        },
        options,
      );
    },
  };
}
