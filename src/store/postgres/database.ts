// The database as the store uses it: transactions whose statements have labels for logs, metrics and errors.
// Nothing is needed of a session (limits are set per transaction, no session locks), so that it works through a connection pooler
// that lends a server connection for one transaction at a time. Readers name statements only as long as that works.
import type { SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import { inClientSpan } from '../../base/tracing.ts';
import { beginStatement, type SessionSettings, type TransactionSettings } from './begin.ts';
import { explainStatementError, isConflict, isStatementLost } from './database-errors.ts';
import { textOf } from './fixed-sql.ts';
import { createKeptStatements, type KeptStatements } from './kept-statements.ts';
import { openPool, type PoolOptions } from './pool.ts';

export interface DatabaseOptions extends PoolOptions, SessionSettings {}

export interface TransactionOptions extends TransactionSettings {
  /** The work is one `ask`: it travels with the beginning and the end of the transaction at once. */
  readonly isOne?: boolean;
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
  /**
   * The rows of one statement that comes often: the server may keep it. Its columns are texts.
   *
   * @param how `plansOnce`: planning it takes longer than its rows do, so it is kept at once, with one plan for all values
   */
  ask<Row extends pg.QueryResultRow>(
    label: string,
    statement: SQL,
    how?: { readonly plansOnce: boolean },
  ): Promise<readonly Row[]>;
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
  const kept = options.readOnly === true ? createKeptStatements() : null;
  return {
    target,
    transact(label, work, transaction = {}) {
      const { signal } = transaction;
      const begin = beginStatement(options, transaction);
      const isOne = transaction.isOne === true && kept !== null;
      const attempt = { label, work, begin, measured, target, signal, kept, isOne };
      const transactOnce = async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await pool.lend((client) => runTransaction(client, attempt), signal);
          } catch (error) {
            signal?.throwIfAborted();
            if (isStatementLost(error)) kept?.giveUp();
            else if (!isConflict(error)) throw error;
            if (attempts >= attemptsAtConflict) throw error;
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
  /** Null where statements are not kept, and the beginning is waited for: only a reader's transaction may go on before. */
  readonly kept: KeptStatements | null;
  readonly isOne: boolean;
}

async function runTransaction<T>(client: pg.PoolClient, attempt: Attempt<T>): Promise<T> {
  const { label, begin, work, measured, target, signal, kept, isOne } = attempt;
  if (kept !== null) sendTogether(client);
  const begun = measured('begin', () => client.query(begin));
  if (kept === null) await begun;
  const commit = () => measured('commit', () => client.query('commit'));
  let committed: ReturnType<typeof commit> | null = null;
  let isOver = false;
  const measuredUnlessOver: Measure = (name, statement) => {
    signal?.throwIfAborted();
    // The connection may be in the hands of another by now.
    if (isOver) throw new TypeError(`transaction ${label} is over`);
    if (committed !== null) throw new TypeError(`transaction ${label} has more than one statement`);
    const answered = measured(name, statement);
    if (isOne) {
      committed = commit();
      committed.catch(() => undefined);
    }
    return answered;
  };
  const result = await afterBegin(begun, () =>
    work({
      run: (name, statement) => measuredUnlessOver(name, () => statement(drizzle(client))),
      ask: (name, statement, how) =>
        measuredUnlessOver(name, () =>
          how?.plansOnce === true && kept !== null
            ? askPlannedOnce(client, kept, statement)
            : ask(client, kept, statement),
        ),
    }).finally(() => {
      isOver = true;
    }),
  );
  const ended = await (committed ?? commit());
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (ended.command !== 'COMMIT') throw new Error(`transaction ${label} was rolled back on ${target}`);
  return result;
}

/** What is sent within this turn of the event loop goes out at once: each write costs as much as a short statement. */
function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The work goes on while the beginning is under way; when that fails, it is what is told. */
async function afterBegin<T>(begun: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const [, outcome] = await Promise.allSettled([begun, work()]);
  await begun;
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** The settings go with the statement; when it fails, the transaction is over, and with it the setting. */
async function askPlannedOnce<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  kept: KeptStatements,
  statement: SQL,
): Promise<readonly Row[]> {
  const set = (mode: string) => client.query(`set local plan_cache_mode = ${mode}`);
  const [, asked, restored] = await Promise.allSettled([
    set('force_generic_plan'),
    ask<Row>(client, kept, statement, { atOnce: true }),
    set('force_custom_plan'),
  ]);
  if (asked.status === 'rejected') throw asked.reason;
  if (restored.status === 'rejected') throw restored.reason;
  return asked.value;
}

async function ask<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  kept: KeptStatements | null,
  statement: SQL,
  { atOnce }: { readonly atOnce?: boolean } = {},
): Promise<readonly Row[]> {
  const { sql: text, params: values } = textOf(statement);
  const name = kept?.nameOf(text, atOnce);
  const { rows } = await client.query<Row>({ text, values, ...(name === undefined ? {} : { name }) });
  return rows;
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
