// A database that lets no transaction through any more once there is a reason.
import type { Database } from './database.ts';

/** The same database, whose transactions fail with what `fault` gives, as soon as it gives something. */
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
