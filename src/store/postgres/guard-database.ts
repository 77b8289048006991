// A database for work that may be abandoned: after that nothing starts, running transactions are rolled back,
// and each transaction and statement counts as a step.
import { withLinkedSignal } from '../../base/waiting.ts';
import type { Database } from './database.ts';
import type { Tx } from './transaction.ts';

/** @param onStep called for each transaction and each statement */
export function guardDatabase(database: Database, abandoned: AbortSignal, onStep: () => void): Database {
  return {
    ...database,
    async transact(label, work, options = {}) {
      onStep();
      const { signal = abandoned } = options;
      return await withLinkedSignal([abandoned, signal], (either) =>
        database.transact(label, (tx) => work(stepwise(tx, onStep)), { ...options, signal: either }),
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
    copy(label, copy, onRow) {
      onStep();
      return tx.copy(label, copy, (row) => {
        onStep();
        onRow(row);
      });
    },
  };
}
