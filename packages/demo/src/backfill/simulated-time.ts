// One transaction in which the database's clock can be set back, so that its rows get past times. It is for
// prepared data only: the schema with the clock lives in the transaction, and nobody else ever sees it.
import { sql } from 'drizzle-orm';
import type { Database } from '../../../../src/store/postgres/database.ts';
import type { Tx } from '../../../../src/store/postgres/transaction.ts';

export interface SimulatedTime {
  /** Its transactions are parts of that one; they are committed with it, or not at all. */
  readonly database: Database;
  /** Sets the database's clock back by so many milliseconds from the real time; it runs on from there. */
  setBehind(ms: number): Promise<void>;
}

/** Does the work in one transaction with a simulated clock. */
export function inSimulatedTime<T>(
  database: Database,
  work: (time: SimulatedTime) => Promise<T>,
): Promise<T> {
  return database.transact('simulated-time', async (tx) => {
    const inner = oneAtATime(tx);
    // Unqualified names are looked up in this order: the store's clock_timestamp() becomes the one made here.
    await inner.run('simulated-time.begin', (db) =>
      db.execute(
        sql.raw(`create schema simulated_time;
          create function simulated_time.clock_timestamp() returns timestamptz language sql volatile as
            'select pg_catalog.clock_timestamp() - current_setting(''simulated_time.behind'')::interval';
          set local search_path = simulated_time, pg_catalog`),
      ),
    );
    const result = await work({
      database: { target: database.target, transact: (_label, part) => part(inner), close: async () => {} },
      async setBehind(ms) {
        const behind = `${ms} milliseconds`;
        await inner.run('simulated-time.set', (db) =>
          db.execute(sql`select set_config('simulated_time.behind', ${behind}, true)`),
        );
      },
    });
    await inner.run('simulated-time.end', (db) => db.execute(sql`drop schema simulated_time cascade`));
    return result;
  });
}

/** A connection takes one statement at a time. A failed statement is reported by the one after it. */
function oneAtATime(tx: Tx): Tx {
  let last: Promise<unknown> = Promise.resolve();
  const failed: unknown[] = [];
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => {
      if (failed.length > 0) throw failed[0];
      return work();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
  const send: Tx['send'] = (label, statement) =>
    void inTurn(async () => tx.send(label, statement)).catch((error: unknown) => failed.push(error));
  return {
    run: (label, statement) => inTurn(() => tx.run(label, statement)),
    send,
    ask: (label, statement, how) => inTurn(() => tx.ask(label, statement, how)),
    copy: (label, copy, onRow) => inTurn(() => tx.copy(label, copy, onRow)),
  };
}
