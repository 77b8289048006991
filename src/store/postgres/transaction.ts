// One transaction on a lent connection, in pg's pipeline: a statement whose answer is not needed for the next is sent without waiting.
// What writes is sent only when the transaction is known to have begun: alone it would be committed at once.
import type { SQL, SQLWrapper } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Answers } from './answers.ts';
import { isDatabaseAway, sqlState } from './database-errors.ts';
import { textOf } from './fixed-sql.ts';
import type { KeptStatements } from './kept-statements.ts';

/** An open transaction. */
export interface Tx {
  /** Runs one statement. The label names it in logs, metrics and errors. */
  run<T>(label: string, statement: (db: NodePgDatabase) => PromiseLike<T>): Promise<T>;
  /**
   * Sends a write of which no rows are needed, and goes on: it travels with the statements after it. When it fails, the transaction
   * does, with its error.
   */
  send(label: string, statement: (db: NodePgDatabase) => SQLWrapper): void;
  /**
   * The rows of one statement that comes often: the server may keep it. Its columns are texts.
   *
   * @param how `plansOnce`: planning it takes longer than its rows do, so it is kept at once, with one plan for all values
   */
  ask<Row extends pg.QueryResultRow>(
    label: string,
    statement: SQL | ((db: NodePgDatabase) => SQL),
    how?: { readonly plansOnce: boolean },
  ): Promise<readonly Row[]>;
}

/** Runs a statement and measures it. */
export type Measure = <T>(label: string, statement: () => PromiseLike<T>, answers: Answers) => Promise<T>;

export interface Attempt<T> {
  readonly label: string;
  readonly begin: string;
  readonly work: (tx: Tx) => Promise<T>;
  readonly measured: Measure;
  readonly target: string;
  readonly signal: AbortSignal | undefined;
  /** Null where statements are not kept. */
  readonly kept: KeptStatements | null;
  readonly isOne: boolean;
  /** Its statements go with the beginning. */
  readonly writesNothing: boolean;
}

/** @throws the first error of a statement; the caller rolls back */
export async function runTransaction<T>(
  client: pg.PoolClient,
  answers: Answers,
  attempt: Attempt<T>,
): Promise<T> {
  const { label, begin, work, measured, target, writesNothing } = attempt;
  const commit = () => measured('commit', () => client.query('commit'), answers);
  const begun = measured('begin', async () => void (await client.query(begin)), answers);
  const state: State = { isOver: false, sent: [], hasFailed: false, committed: null };
  if (!writesNothing) await begun;
  // Asynchronous, so that work that throws at once leaves the beginning to be waited for.
  const working = async () => await work(createTx(client, attempt, state, answers, commit));
  const [, outcome] = await Promise.allSettled([begun, working()]);
  state.isOver = true;
  await begun;
  if (outcome.status === 'rejected') throw await causeOf(outcome.reason, state);
  // Not all that fails reaches the server, which would commit the rest.
  if (state.hasFailed) await inOrder(state.sent);
  const committing = state.committed ?? commit();
  const [answered, ended] = await Promise.allSettled([inOrder(state.sent), committing]);
  if (answered.status === 'rejected') throw answered.reason;
  if (ended.status === 'rejected') throw ended.reason;
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (ended.value.command !== 'COMMIT') throw new Error(`transaction ${label} was rolled back on ${target}`);
  return outcome.value;
}

interface State {
  isOver: boolean;
  /** What was sent and is not waited for. */
  readonly sent: Promise<unknown>[];
  /** One of them has failed. */
  hasFailed: boolean;
  committed: Promise<pg.QueryResult> | null;
}

function createTx(
  client: pg.PoolClient,
  { label, measured, signal, kept, isOne }: Attempt<unknown>,
  state: State,
  answers: Answers,
  commit: () => Promise<pg.QueryResult>,
): Tx {
  const check = () => {
    signal?.throwIfAborted();
    // The connection may be in the hands of another by now.
    if (state.isOver) throw new TypeError(`transaction ${label} is over`);
    if (state.committed !== null) throw new TypeError(`transaction ${label} has more than one statement`);
  };
  /** A turn later, because a builder's statement is sent when it is awaited. Were it sent after the end, it would read alone. */
  const commitAfterThis = () => {
    state.committed = new Promise((answer) => process.nextTick(() => answer(commit())));
    state.committed.catch(() => undefined);
  };
  const checked = async <R>(name: string, statement: () => PromiseLike<R>): Promise<R> => {
    check();
    if (isOne) commitAfterThis();
    return await measured(name, statement, answers);
  };
  return {
    run: (name, statement) => checked(name, () => statement(drizzle(client))),
    send(name, statement) {
      check();
      const { sql: text, params: values } = textOf(statement(drizzle(client)).getSQL());
      const answer = measured(name, () => sendOff(client, { text, values }, state), answers);
      answer.catch(() => undefined);
      state.sent.push(answer);
    },
    ask: (name, statement, how) =>
      checked(name, () => {
        const question = typeof statement === 'function' ? statement(drizzle(client)) : statement;
        return how?.plansOnce === true && kept !== null
          ? askPlannedOnce(client, kept, question)
          : ask(client, kept, question);
      }),
  };
}

/** Notes a failure as soon as it happens: that of encoding the values happens here and now, and the server hears nothing of it. */
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

/** Waits for one after the other, so that the first that failed is told. */
async function inOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of sent) await answer;
}

/** Why the work failed: by what was sent before, or by itself. */
async function causeOf(reason: unknown, { sent }: State): Promise<unknown> {
  for (const answer of sent) {
    const failure = await answer.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure !== null && !hasFailedAlready(failure.error)) return failure.error;
  }
  return reason;
}

/** The transaction, or a connection that ended without a word, ended by what came before. */
function hasFailedAlready(error: unknown): boolean {
  return sqlState(error) === '25P02' || (sqlState(error) === null && isDatabaseAway(error));
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
