// The connection to PostgreSQL: a pool, and transactions whose statements are labelled for logs, metrics and errors.
// Nothing is kept in a session (limits are set per transaction, no prepared names, no session locks), so that it works
// through a connection pooler that hands out a server connection for one transaction at a time.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Secret } from '../../base/secret.ts';
import { inClientSpan } from '../../base/tracing.ts';
import { MirrorError } from '../../domain/errors.ts';
import { explainConnectError, explainStatementError, isConflict } from './database-errors.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` means what it means to psql. */
  readonly url: Secret;
  readonly applicationName: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default 5. */
  readonly maxConnections?: number;
  /** The longest a statement may take, waiting for locks included. Default 60 seconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a transaction may stand idle before the server ends it. It bounds how long a frozen process can keep others
   * from taking over its lease. Default 10 seconds.
   */
  readonly idleTransactionTimeoutMs?: number;
}

export interface TransactionOptions {
  /** Several statements see one state of the database, and nothing is written. */
  readonly snapshot?: boolean;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /**
   * Transactions with the same word take turns within this process. They would wait for one another's lock anyway; waiting
   * in the database, those of a frozen process would get the lock one after the other and keep it from everybody else, each
   * until it had stood idle too long.
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
  /** Runs the work in one transaction; runs it again, whole, when two transactions got into each other's way. */
  transact<T>(label: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Closes every connection, once; waits for those in use. */
  close(): Promise<void>;
}

const attemptsAtConflict = 5;

/**
 * Opens the database. Nothing is connected before the first use, so that this fails only for a URL that cannot be read.
 *
 * @throws MirrorError `CONFIGURATION` for such a URL
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { logger, metrics } = options;
  const connectionString = withPsqlSslModes(options.url.reveal());
  const target = describeTarget(connectionString);
  const pool = new pg.Pool({
    connectionString,
    application_name: options.applicationName,
    max: options.maxConnections ?? 5,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  // A connection may break at any moment: while it is in use, when the statement under way fails as well and tells, or on
  // its way from or to the pool, when nobody else listens. Unheard, the event would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection failed'));
  });
  // One that breaks while nobody uses it is the pool's to replace.
  let closed: Promise<void> | undefined;
  pool.on('error', (error) => {
    // The pool is closed before its connections are: a server that stops just then is no news.
    if (closed === undefined)
      logger.warn({ err: error, database: target }, 'idle database connection failed');
  });

  const { databaseConnections, databaseWaiting } = metrics;
  const countConnections = () => {
    databaseConnections.set({ state: 'idle' }, pool.idleCount);
    databaseConnections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    databaseWaiting.set(pool.waitingCount);
  };
  for (const event of ['acquire', 'remove'] as const) pool.on(event, countConnections);
  countConnections();

  const inTurn = createTurns();
  const measured: Measure = async (label, statement) => {
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

  const attempt = async <T>(label: string, work: (tx: Tx) => Promise<T>, begin: string): Promise<T> => {
    const connecting = pool.connect();
    countConnections();
    const client = await connecting.catch((error: unknown) => {
      throw explainConnectError(error, target);
    });
    let broken = true;
    try {
      const result = await runTransaction(client, { label, begin, work, measured, target });
      broken = false;
      return result;
    } catch (error) {
      broken = await rollBack(client);
      throw error;
    } finally {
      client.release(broken);
      countConnections();
    }
  };

  return {
    target,
    transact(label, work, transaction = {}) {
      const begin = beginStatement(options, transaction);
      const transactOnce = async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await attempt(label, work, begin);
          } catch (error) {
            if (attempts >= attemptsAtConflict || !isConflict(error)) throw error;
            logger.debug({ err: error, unit: label }, 'transaction repeated after a conflict');
          }
        }
      };
      return transaction.turn === undefined ? transactOnce() : inTurn(transaction.turn, transactOnce);
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
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

type Measure = <T>(label: string, statement: () => PromiseLike<T>) => Promise<T>;

interface Attempt<T> {
  readonly label: string;
  readonly begin: string;
  readonly work: (tx: Tx) => Promise<T>;
  readonly measured: Measure;
  readonly target: string;
}

async function runTransaction<T>(client: pg.PoolClient, attempt: Attempt<T>): Promise<T> {
  const { label, begin, work, measured, target } = attempt;
  const db = drizzle(client);
  await measured('begin', () => client.query(begin));
  const result = await work({ run: (name, statement) => measured(name, () => statement(db)) });
  const ended = await measured('commit', () => client.query('commit'));
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (ended.command !== 'COMMIT') throw new Error(`transaction ${label} was rolled back on ${target}`);
  return result;
}

/** @returns whether the connection is of no further use */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return false;
  } catch {
    return true;
  }
}

function beginStatement(options: DatabaseOptions, transaction: TransactionOptions): string {
  const statementMs = transaction.statementTimeoutMs ?? options.statementTimeoutMs ?? 60_000;
  const lockMs = transaction.lockTimeoutMs ?? 0;
  const idleMs = options.idleTransactionTimeoutMs ?? 10_000;
  return [
    // Whatever the server's default is: the fence must see what was committed while it waited for its lock (fence.ts).
    transaction.snapshot
      ? 'begin isolation level repeatable read read only'
      : 'begin isolation level read committed',
    `set local statement_timeout = ${Math.round(statementMs)}`,
    ...(lockMs > 0 ? [`set local lock_timeout = ${Math.round(lockMs)}`] : []),
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
  ].join('; ');
}

/** The driver verifies certificates at every sslmode unless it is told to read the word as psql does. */
function withPsqlSslModes(url: string): string {
  // psql's allow tries without encryption first; the driver does not know the word.
  const known = url.replace(/([?&]sslmode=)allow(?=&|$)/, '$1disable');
  return /[?&]sslmode=/.test(known) && !/[?&]uselibpqcompat=/.test(known)
    ? `${known}&uselibpqcompat=true`
    : known;
}

function describeTarget(connectionString: string): string {
  try {
    const { database, host, port } = new pg.Client({ connectionString });
    return `${database ?? ''} on ${host}:${port}`;
  } catch {
    // The cause may quote the URL, and with it the password.
    throw new MirrorError(
      'CONFIGURATION',
      'DATABASE_URL cannot be read: write postgres://user:password@host:port/database, and with sslmode=verify-ca or a certificate parameter, name files that exist',
    );
  }
}

/** One round trip: rejects when the database does not answer. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.transact('ping', (tx) => tx.run('ping', (db) => db.execute('select 1')));
}

/**
 * Moves the clock onto the database's, so that moments of different processes can be compared.
 *
 * @returns by how much it was set back although somebody relied on the order, in milliseconds
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
