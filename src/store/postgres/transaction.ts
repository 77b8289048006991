// One transaction on a lent connection, in pg's pipeline: a statement whose answer the next does not need is
// sent without waiting. A statement that may write is sent only once the transaction has begun: on its own it
// would be committed at once.
import { hash } from 'node:crypto';
import type { SQL, SQLWrapper } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { allSettled, unlessStopped } from '../../base/waiting.ts';
import { joinCollapseLimit } from './begin.ts';
import { type CopiedRow, type Copy, copyOut } from './copy-out.ts';
import { isDatabaseOffline, sqlState } from './database-errors.ts';
import type { ResponseWatchdog, ServerTransaction } from './response-watchdog.ts';

const dialect = new PgDialect();

/** An open transaction. */
export interface Tx {
  /** Runs one statement. The label names it in logs, metrics and errors. */
  run<T>(label: string, statement: (db: NodePgDatabase) => PromiseLike<T>): Promise<T>;
  /**
   * Sends a write that returns no rows, and continues: it travels with the statements after it. If it fails,
   * the transaction fails with its error.
   */
  send(label: string, statement: (db: NodePgDatabase) => SQLWrapper): void;
  /** The rows of one statement, whose columns are texts. */
  ask<Row extends pg.QueryResultRow>(
    label: string,
    statement: SQL | ((db: NodePgDatabase) => SQL),
    hint?: PlanHint,
  ): Promise<readonly Row[]>;
  /** Reads all rows of a table, in any order, each as it arrives. */
  copy(label: string, copy: Copy, onRow: (row: CopiedRow) => void): Promise<void>;
}

/** How the server should plan one statement; docs/decisions/plan-hints.md records the gain of each. */
export type PlanHint = keyof typeof planHints;

/** The settings around the statement. */
const planHints = {
  /** For a statement that takes longer to plan than to run: prepared, with one plan for all values. */
  once: {
    before: 'set local plan_cache_mode = force_generic_plan',
    after: 'set local plan_cache_mode = auto',
  },
  /** Joins run in the order in which they are written. */
  'joins-as-written': {
    before: 'set local join_collapse_limit = 1',
    after: `set local join_collapse_limit = ${joinCollapseLimit}`,
  },
} as const;

/** Runs a statement and measures it. */
export type Measure = <T>(
  label: string,
  statement: () => PromiseLike<T>,
  watchdog: ResponseWatchdog,
) => Promise<T>;

export interface Attempt<T> {
  readonly label: string;
  readonly begin: string;
  readonly work: (tx: Tx) => Promise<T>;
  readonly measured: Measure;
  readonly target: string;
  readonly signal: AbortSignal | undefined;
  /** Whether a statement may be kept by the server under a name. */
  readonly mayPrepare: boolean;
  /** Whether it begins with locks, for which it may wait. */
  readonly locks: boolean;
  /** The first statement travels with `begin`. */
  readonly readOnly: boolean;
  readonly onStep: (() => void) | undefined;
}

/** @throws the first error of a statement; the caller rolls back */
export async function runTransaction<T>(
  client: pg.PoolClient,
  watchdog: ResponseWatchdog,
  attempt: Attempt<T>,
): Promise<T> {
  const { label, begin, work, measured, target, readOnly, signal } = attempt;
  const begun = measured(
    attempt.locks ? 'begin.locked' : 'begin',
    () => beginTransaction(client, begin),
    watchdog,
  );
  watchdog.begun = begun.catch(() => null);
  const state: State = { isOver: false, all: [], sent: [], hasFailed: false };
  if (!readOnly) await begun;
  // Asynchronous, so that `begin` is still awaited if the work throws at once.
  const working = async () => await work(createTx(client, attempt, state, watchdog));
  // The work may hang and ignore the signal.
  const [, outcome] = await Promise.allSettled([begun, signal ? unlessStopped(signal, working) : working()]);
  state.isOver = true;
  await begun;
  if (outcome.status === 'rejected') throw await causeOf(outcome.reason, state);
  // Not every failure reaches the server, which would commit the rest.
  if (state.hasFailed) await inOrder(state.sent);
  const committing = measured('commit', () => client.query('commit'), watchdog);
  const [answered, ended] = await Promise.allSettled([inOrder(state.sent), committing]);
  if (answered.status === 'rejected') throw answered.reason;
  if (ended.status === 'rejected') throw ended.reason;
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (ended.value.command !== 'COMMIT') throw new Error(`transaction ${label} was rolled back on ${target}`);
  return outcome.value;
}

/** @returns the data for a cancellation; behind a pooler each transaction may have another server process */
async function beginTransaction(client: pg.PoolClient, begin: string): Promise<ServerTransaction | null> {
  const question = `${begin}; select pg_backend_pid() as pid, now()::text as since`;
  const answers = await client.query<{ readonly pid: number; readonly since: string }>(question);
  return [answers].flat().at(-1)?.rows[0] ?? null;
}

interface State {
  isOver: boolean;
  /** All statements so far, without their rows. */
  readonly all: Promise<unknown>[];
  /** Statements sent and not awaited. */
  readonly sent: Promise<unknown>[];
  /** Whether one of them has failed. */
  hasFailed: boolean;
}

function createTx(
  client: pg.PoolClient,
  { label, measured, signal, mayPrepare, onStep = () => undefined }: Attempt<unknown>,
  state: State,
  watchdog: ResponseWatchdog,
): Tx {
  const check = () => {
    signal?.throwIfAborted();
    // The connection may have been lent to somebody else by now.
    if (state.isOver) throw new TypeError(`transaction ${label} is over`);
    onStep();
  };
  const checked = async <R>(name: string, statement: () => PromiseLike<R>): Promise<R> => {
    check();
    const answer = measured(name, statement, watchdog);
    const end = answer.then(() => undefined);
    end.catch(() => undefined);
    state.all.push(end);
    return await answer;
  };
  return {
    run: (name, statement) => checked(name, () => statement(drizzle(client))),
    send(name, statement) {
      check();
      const query = queryOf(statement(drizzle(client)).getSQL());
      const answer = measured(name, () => sendOff(client, query, state), watchdog);
      answer.catch(() => undefined);
      state.sent.push(answer);
      state.all.push(answer);
    },
    ask: (name, statement, hint) =>
      checked(name, () => {
        const question = typeof statement === 'function' ? statement(drizzle(client)) : statement;
        const query = queryOf(question, mayPrepare && hint === 'once' ? client : null);
        return hint === undefined ? ask(client, query) : askWithHint(client, query, hint);
      }),
    copy: (name, copy, onRow) =>
      checked(name, () =>
        copyOut(client, copy, (row) => {
          onStep();
          onRow(row);
        }),
      ),
  };
}

/** Plans are large: a connection keeps the first of so many statements. */
const mostKept = 40;
const keptBy = new WeakMap<pg.PoolClient, Set<string>>();

/** @param keeper the connection that keeps the statement, by a name that is the same in every process */
function queryOf(statement: SQL, keeper: pg.PoolClient | null = null): pg.QueryConfig {
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  if (keeper === null) return { text, values };
  const name = `custody_mirror_${hash('sha256', text).slice(0, 40)}`;
  const kept = keptBy.get(keeper) ?? new Set();
  keptBy.set(keeper, kept);
  if (!kept.has(name) && kept.size >= mostKept) return { text, values };
  kept.add(name);
  return { text, values, name };
}

async function ask<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
): Promise<readonly Row[]> {
  return (await client.query<Row>(query)).rows;
}

/**
 * The settings travel with the statement; if one of the three fails, the transaction ends, and the setting with
 * it. The first failure is the cause: the server refuses what follows it.
 */
async function askWithHint<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  hint: PlanHint,
): Promise<readonly Row[]> {
  const [, asked] = await allSettled([
    client.query<Row>(planHints[hint].before),
    client.query<Row>(query),
    client.query<Row>(planHints[hint].after),
  ]);
  return asked?.rows ?? [];
}

/**
 * Records a failure as soon as it happens: encoding the values fails here, before anything reaches the
 * server.
 */
function sendOff(client: pg.PoolClient, query: pg.QueryConfig, state: State): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      state.hasFailed = true;
      reject(error);
    };
    try {
      void client.query(query, (error?: Error | null) => (error ? fail(error) : resolve()));
    } catch (error) {
      fail(error);
    }
  });
}

/** Awaits one after another, so that the first failure is reported. */
async function inOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of sent) await answer;
}

/**
 * Why the work failed: an earlier unawaited statement, or the work itself. Of statements that travelled
 * together, the follow-on failure of a later one may be heard first.
 */
async function causeOf(reason: unknown, { all, sent }: State): Promise<unknown> {
  for (const answer of sqlState(reason) === '25P02' ? all : sent) {
    const failure = await answer.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure !== null && !hasFailedAlready(failure.error)) return failure.error;
  }
  return reason;
}

/** The transaction, or a connection that closed silently, was ended by an earlier failure. */
function hasFailedAlready(error: unknown): boolean {
  return sqlState(error) === '25P02' || (sqlState(error) === null && isDatabaseOffline(error));
}
