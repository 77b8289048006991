// A database that refuses every transaction as soon as there is a reason, rolls back what is under way when
// nobody waits for it any more, and counts its steps.
import { withLinkedSignal } from '../../base/waiting.ts';
import type { Database } from './database.ts';
import type { Tx } from './transaction.ts';

interface GuardOptions {
  /** When it is aborted, nothing begins any more, and what is under way is rolled back. */
  readonly abandoned?: AbortSignal;
  /** Called for each transaction and each statement. */
  readonly onStep?: () => void;
}

/** The same database; once `fault` gives an error, each transaction fails with it. */
export function guardDatabase(
  database: Database,
  fault: () => Error | null,
  { abandoned, onStep = () => undefined }: GuardOptions = {},
): Database {
  const guard = () => {
    onStep();
    const error = fault();
    if (error !== null) throw error;
  };
  return {
    target: database.target,
    close: () => database.close(),
    async transact(label, work, options = {}) {
      guard();
      const guarded = (tx: Tx) => {
        guard();
        return work(stepwise(tx, onStep));
      };
      if (abandoned === undefined) return await database.transact(label, guarded, options);
      const { signal = abandoned } = options;
      return await withLinkedSignal([abandoned, signal], (either) =>
        database.transact(label, guarded, { ...options, signal: either }),
      );
    },
  };
}

function stepwise(tx: Tx, onStep: () => void): Tx {
  return {
    run(label, statement) {
      onStep();
      return tx.run(label, statement);
    },
    send(label, statement) {
      onStep();
      tx.send(label, statement);
    },
    ask(label, statement, hint) {
      onStep();
      return tx.ask(label, statement, hint);
    },
  };
}
