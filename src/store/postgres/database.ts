// The database as the store uses it: transactions whose statements have labels for logs, metrics and errors.
// Nothing is kept in a session (limits are set per transaction, no prepared names, no session locks), so that it works
// through a connection pooler that lends a server connection for one transaction at a time.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import { inClientSpan } from '../../base/tracing.ts';
import { explainStatementError, isConflict } from './database-errors.ts';
import { openPool, type PoolOptions } from './pool.ts';

export interface DatabaseOptions extends PoolOptions {
  /** Each transaction is read only, whatever the role may do; for readers, who have a pool of their own. */
  readonly readOnly?: boolean;
  /** The longest a statement may take, waiting for locks included. Default 60 seconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a transaction may stand idle before the server ends it. A frozen process cannot keep others from taking
   * over its lease for longer. Default 10 seconds.
   */
  readonly idleTransactionTimeoutMs?: number;
}

export interface TransactionOptions {
  /** Several statements see one state of the database, and nothing is written. */
  readonly snapshot?: boolean;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** Joins are made in the order in which they are written, by one process: for small answers, of which planning is the greater part. */
  readonly joinsAsWritten?: boolean;
  /** When it is aborted, the statement under way is cancelled, and the transaction ends with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Transactions with the same word take turns within this process. They need the same lock: if they waited for it in the
   * database, those of a frozen process would get it one after the other, each until it had stood idle too long.
   */
  readonly turn?: string;
}

/** An open transaction. */
export interface Tx {
  /** Runs one statement. The label names it in logs, metrics and errors. */
  run<T>(label: string, statement: (db: NodePgDatabase) => PromiseLike<T>): Promise<T>;
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
  return {
    target,
    transact(label, work, transaction = {}) {
      const { signal } = transaction;
      const attempt = { label, work, begin: beginStatement(options, transaction), measured, target, signal };
      const transactOnce = async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await pool.lend((client) => runTransaction(client, attempt), signal);
          } catch (error) {
            signal?.throwIfAborted();
            if (attempts >= attemptsAtConflict || !isConflict(error)) throw error;
            logger.debug({ err: error, unit: label }, 'transaction repeated after a conflict');
          }
        }
      };
      return transaction.turn === undefined ? transactOnce() : inTurn(transaction.turn, transactOnce);
    },
    close: () => pool.close(),
  };
}

type Measure = <T>(label: string, statement: () => PromiseLike<T>) => Promise<T>;

/** Runs a statement with its span, its time in the metrics, and its errors explained. */
function createMeasure({ logger, metrics }: DatabaseOptions, target: string): Measure {
  return async (label, statement) => {
    const startedAt = performance.now();
    try {
      const named = { 'db.system.name': 'postgresql', 'db.query.summary': label };
      return await inClientSpan(label, named, statement);
    } catch (error) {
      throw explainStatementError(error, target, label);
    } finally {
      const ms = performance.now() - startedAt;
      metrics.statementSeconds.observe({ statement: label }, ms / 1000);
      logger.debug({ statement: label, ms }, 'statement finished');
    }
  };
}

/** Begins each work when those before it under the same name have settled. */
function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, settled);
    return mine;
  };
}

interface Attempt<T> {
  readonly label: string;
  readonly begin: string;
  readonly work: (tx: Tx) => Promise<T>;
  readonly measured: Measure;
  readonly target: string;
  readonly signal: AbortSignal | undefined;
}

async function runTransaction<T>(client: pg.PoolClient, attempt: Attempt<T>): Promise<T> {
  const { label, begin, work, measured, target, signal } = attempt;
  const db = drizzle(client);
  await measured('begin', () => client.query(begin));
  const result = await work({
    run: (name, statement) => {
      signal?.throwIfAborted();
      return measured(name, () => statement(db));
    },
  });
  const ended = await measured('commit', () => client.query('commit'));
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (ended.command !== 'COMMIT') throw new Error(`transaction ${label} was rolled back on ${target}`);
  return result;
}

function beginStatement(options: DatabaseOptions, transaction: TransactionOptions): string {
  const statementMs = transaction.statementTimeoutMs ?? options.statementTimeoutMs ?? 60_000;
  const lockMs = transaction.lockTimeoutMs ?? 0;
  const idleMs = options.idleTransactionTimeoutMs ?? 10_000;
  const isReadOnly = options.readOnly === true || transaction.snapshot === true;
  return [
    // Named, whatever the server's default is: the fence must see what was committed while it waited for its lock.
    `begin isolation level ${transaction.snapshot ? 'repeatable read' : 'read committed'}${isReadOnly ? ' read only' : ''}`,
    // The answers of readers are small: compiling a plan takes longer than it.
    ...(options.readOnly === true ? ['set local jit = off'] : []),
    ...(transaction.joinsAsWritten === true
      ? ['set local join_collapse_limit = 1', 'set local max_parallel_workers_per_gather = 0']
      : []),
    `set local statement_timeout = ${Math.round(statementMs)}`,
    ...(lockMs > 0 ? [`set local lock_timeout = ${Math.round(lockMs)}`] : []),
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
  ].join('; ');
}

/** Runs one statement in a transaction of its own. */
export function runStatement<T>(
  database: Database,
  label: string,
  statement: (db: NodePgDatabase) => PromiseLike<T>,
): Promise<T> {
  return database.transact(label, (tx) => tx.run(label, statement));
}

/** One round trip: rejects when the database does not answer. */
export async function pingDatabase(database: Database): Promise<void> {
  await runStatement(database, 'ping', (db) => db.execute('select 1'));
}

/**
 * Sets the clock to the database's, so that moments of different processes can be compared.
 *
 * @returns by how many milliseconds it was set back while runs relied on its order
 */
export async function alignClock(database: Database, clock: Clock): Promise<number> {
  return await database.transact('align-clock', (tx) =>
    clock.align(async () => {
      const answer = await tx.run('clock.read', (db) =>
        db.execute<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'),
      );
      return answer.rows[0]?.ms ?? null;
    }),
  );
}
