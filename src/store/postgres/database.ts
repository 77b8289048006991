// The database as the store uses it: transactions whose statements have labels for logs, metrics and errors.
// Nothing is needed of a session (limits are set per transaction, no session locks), so that it works through
// a connection pooler that lends a server connection for one transaction at a time. Readers name statements
// only as long as that works.
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { inClientSpan } from '../../base/tracing.ts';
import {
  beginStatement,
  isReadOnly,
  longestAnswerMs,
  type SessionSettings,
  type TransactionSettings,
} from './begin.ts';
import { explainStatementError, isConflict, isStatementLost } from './database-errors.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { createPreparedStatementCache } from './prepared-statement-cache.ts';
import { type Measure, runTransaction, type Tx } from './transaction.ts';

export interface DatabaseOptions extends PoolOptions, SessionSettings {}

export interface TransactionOptions extends TransactionSettings {
  /**
   * When it is aborted, the statement under way is cancelled, and the transaction ends with the signal's
   * reason.
   */
  readonly signal?: AbortSignal;
  /**
   * Transactions with the same word take turns within this process. They need the same lock: if they waited
   * for it in the database, those of a frozen process would get it one after the other, each until it had
   * stood idle too long.
   */
  readonly turn?: string;
  /** It takes its turn before those that wait already. */
  readonly takesNextTurn?: boolean;
}

/** The database, opaque to callers outside src/store. */
export interface Database {
  /** Host, port and name, for messages. */
  readonly target: string;
  /** Runs the work in one transaction, and all of it again after a serialization failure or a deadlock. */
  transact<T>(label: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Closes every connection, once; waits for those in use. */
  close(): Promise<void>;
}

const attemptsAtConflict = 5;

/**
 * Opens the database. It connects at the first use, so that this fails only for a URL that cannot be read.
 *
 * @throws MirrorError `CONFIGURATION` for such a URL
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { logger } = options;
  const pool = openPool(options);
  const { target } = pool;
  const measured = createMeasure(options, target);
  const inTurn = createTurns();
  const prepared = options.readOnly === true ? createPreparedStatementCache() : null;
  return {
    target,
    transact(label, work, transaction = {}) {
      const { signal, turn, takesNextTurn = false } = transaction;
      const begin = beginStatement(options, transaction);
      const readOnly = isReadOnly(options, transaction);
      const longestMs = longestAnswerMs(options, transaction);
      const attempt = { label, work, begin, measured, target, signal, prepared, readOnly };
      const transactOnce = async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await pool.lend(
              (client, watchdog) => runTransaction(client, watchdog, attempt),
              longestMs,
              signal,
            );
          } catch (error) {
            signal?.throwIfAborted();
            if (isStatementLost(error)) prepared?.giveUp();
            else if (!isConflict(error)) throw error;
            if (attempts >= attemptsAtConflict) throw error;
            logger.debug({ err: error, unit: label }, 'transaction repeated after a conflict');
          }
        }
      };
      return turn === undefined ? transactOnce() : inTurn(turn, takesNextTurn, transactOnce);
    },
    close: () => pool.close(),
  };
}

/** Runs a statement with its span, its time in the metrics, and its errors explained. */
function createMeasure({ logger, metrics }: DatabaseOptions, target: string): Measure {
  return async (label, statement, watchdog) => {
    const onEnd = (ms: number) => {
      metrics.statementSeconds.observe({ statement: label }, ms / 1000);
      logger.debug({ statement: label, ms }, 'statement finished');
    };
    try {
      const named = { 'db.system.name': 'postgresql', 'db.query.summary': label };
      return await watchdog.answer(label, () => inClientSpan(label, named, statement), onEnd);
    } catch (error) {
      throw explainStatementError(error, target, label);
    }
  };
}

/** Begins each work when those before it under the same name have settled. */
function createTurns() {
  /** Those that wait, by name; there is none while nobody has the turn. */
  const queues = new Map<string, (() => void)[]>();
  return async <T>(name: string, takesNext: boolean, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, []);
    else await new Promise<void>((begin) => (takesNext ? queue.unshift(begin) : queue.push(begin)));
    try {
      return await work();
    } finally {
      const next = queues.get(name)?.shift();
      if (next === undefined) queues.delete(name);
      else next();
    }
  };
}

/** Runs one statement, which writes nothing, in a transaction of its own. */
export function readOne<T>(
  database: Database,
  label: string,
  statement: (db: NodePgDatabase) => PromiseLike<T>,
): Promise<T> {
  return database.transact(label, (tx) => tx.run(label, statement), { readOnly: true });
}

/** Rejects when the database does not answer. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.transact('ping', (tx) => tx.run('ping', (db) => db.execute('select 1')), {
    readOnly: true,
  });
}
