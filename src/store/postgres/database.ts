// The database as the store uses it: transactions whose statements have labels for logs, metrics and errors.
// It keeps no session state (limits are set per transaction, no session locks), so it works through a pooler
// that lends a server connection for one transaction at a time. Statements are prepared only while that works.
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { inClientSpan } from '../../base/tracing.ts';
import { createQueues, withLinkedSignal } from '../../base/waiting.ts';
import {
  beginStatement,
  isReadOnly,
  longestAnswerMs,
  type SessionSettings,
  type TransactionSettings,
} from './begin.ts';
import { explainStatementError, isConflict, isStatementLost } from './database-errors.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { type Measure, runTransaction, type Tx } from './transaction.ts';

export interface DatabaseOptions extends PoolOptions, SessionSettings {}

export interface TransactionOptions extends TransactionSettings {
  /**
   * When aborted, the running statement is cancelled, and the transaction fails with the signal's reason.
   */
  readonly signal?: AbortSignal;
  /**
   * Transactions with the same word take turns within this process. They need the same lock: if they queued
   * for it in the database, transactions of a frozen process would get it in turn, each until its idle
   * timeout.
   */
  readonly turn?: string;
  /** Whether it goes before those that already wait. */
  readonly takesNextTurn?: boolean;
  /** Called for each statement, and for each row that is copied. */
  readonly onStep?: () => void;
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
 * Opens the database. It connects on first use, so this fails only for an invalid URL.
 *
 * @throws MirrorError `CONFIGURATION` for such a URL
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { logger } = options;
  const pool = openPool(options);
  const { target } = pool;
  const measured = createMeasure(options, target);
  const inTurn = createQueues();
  /** Until a prepared statement is missing: behind a pooler each transaction may have another connection. */
  let mayPrepare = true;
  return {
    target,
    transact(label, work, transaction = {}) {
      const { signal, turn, takesNextTurn, onStep } = transaction;
      const begin = beginStatement(options, transaction);
      const readOnly = isReadOnly(options, transaction);
      const longestMs = longestAnswerMs(options, transaction);
      const locks = transaction.locks !== undefined;
      const attempt = { label, work, begin, measured, target, signal, readOnly, locks, onStep };
      const transactOnce = async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await pool.lend(
              (client, watchdog) => runTransaction(client, watchdog, { ...attempt, mayPrepare }),
              longestMs,
              signal,
            );
          } catch (error) {
            signal?.throwIfAborted();
            if (isStatementLost(error)) mayPrepare = false;
            else if (!isConflict(error)) throw error;
            if (attempts >= attemptsAtConflict) throw error;
            logger.debug({ err: error, unit: label }, 'transaction repeated after a conflict');
          }
        }
      };
      return turn === undefined
        ? transactOnce()
        : inTurn(turn, { takesNext: takesNextTurn, signal }, transactOnce);
    },
    close: () => pool.close(),
  };
}

/** Runs a statement, traces and measures it, and explains its errors. */
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

/** Runs one read-only statement in its own transaction. */
export function readOne<T>(
  database: Database,
  label: string,
  statement: (db: NodePgDatabase) => PromiseLike<T>,
): Promise<T> {
  return database.transact(label, (tx) => tx.run(label, statement), { readOnly: true });
}

/** Rejects if the database does not answer. */
export async function pingDatabase(database: Database): Promise<void> {
  await readOne(database, 'ping', (db) => db.execute('select 1'));
}

// A database for work that may be abandoned: after that nothing starts, running transactions are rolled back,
// and each transaction and statement counts as a step.

/** @param onStep called for each transaction and each statement */
export function guardDatabase(database: Database, abandoned: AbortSignal, onStep: () => void): Database {
  return {
    ...database,
    async transact(label, work, options = {}) {
      onStep();
      const { signal = abandoned } = options;
      return await withLinkedSignal([abandoned, signal], (either) =>
        database.transact(label, work, { ...options, signal: either, onStep }),
      );
    },
  };
}

// A database whose transactions are all parts of one open transaction, so that its readers see one state.

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
