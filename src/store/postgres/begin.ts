// The statement that begins a transaction, with its limits: they are set for the transaction alone, so that it does not matter which
// server connection it gets.

export interface SessionSettings {
  readonly readOnly?: boolean;
  /** The longest a statement may take, waiting for locks included. Default 60 seconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a transaction may stand idle before the server ends it. A frozen process cannot keep others from taking
   * over its lease for longer. Default 10 seconds.
   */
  readonly idleTransactionTimeoutMs?: number;
}

export interface TransactionSettings {
  /** The work is one statement, which writes nothing: it travels with the beginning and the end of the transaction at once. */
  readonly isOne?: boolean;
  /** Several statements see one state of the database, and nothing is written. */
  readonly snapshot?: boolean;
  readonly statementTimeoutMs?: number;
  /** What an answer has for its way after the server had to end the statement, before the connection is given up. Default 5 seconds. */
  readonly wayMs?: number;
  /**
   * The longest that the whole transaction may take, for one that holds a lock which others wait for: where its connection is dead in
   * the middle of a statement, no limit of statements or of standing idle counts. Before PostgreSQL 17, TCP has to notice.
   */
  readonly transactionTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /**
   * The plans that the session keeps, those of foreign keys among them, are made anew. One that was made while a table had a few rows
   * and no statistics looks through all rows of the account for each row that is written, until the table is analysed.
   */
  readonly freshPlans?: boolean;
  /** Joins are made in the order in which they are written, by one process: for small answers, of which planning is the greater part. */
  readonly joinsAsWritten?: boolean;
  /** Kept statements (`Tx.ask`) have one plan for all values: for those of which an index gives the rows in order, whatever the values. */
  readonly plansOnce?: boolean;
}

/** The longest that a statement of the transaction may take, waiting for locks included. */
function longestStatementMs(options: SessionSettings, transaction: TransactionSettings): number {
  return Math.round(transaction.statementTimeoutMs ?? options.statementTimeoutMs ?? 60_000);
}

/** How long a statement of the transaction may wait for its answer. */
export function longestAnswerMs(options: SessionSettings, transaction: TransactionSettings): number {
  return longestStatementMs(options, transaction) + (transaction.wayMs ?? 5_000);
}

export function beginStatement(options: SessionSettings, transaction: TransactionSettings): string {
  const lockMs = transaction.lockTimeoutMs ?? 0;
  const idleMs = options.idleTransactionTimeoutMs ?? 10_000;
  const { snapshot = false, isOne = false } = transaction;
  const isReadOnly = options.readOnly === true || snapshot || isOne;
  return [
    // Named, whatever the server's default is: the fence must see what was committed while it waited for its lock.
    `begin isolation level ${snapshot ? 'repeatable read' : 'read committed'}${isReadOnly ? ' read only' : ''}`,
    // The answers of readers are small: compiling a plan takes longer than it.
    ...(options.readOnly === true ? ['set local jit = off', planCache(transaction)] : []),
    ...(transaction.joinsAsWritten === true
      ? ['set local join_collapse_limit = 1', 'set local max_parallel_workers_per_gather = 0']
      : []),
    `set local statement_timeout = ${longestStatementMs(options, transaction)}`,
    ...(lockMs > 0 ? [`set local lock_timeout = ${Math.round(lockMs)}`] : []),
    ...(transaction.freshPlans === true ? ['discard plans'] : []),
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
    ...(transaction.transactionTimeoutMs === undefined ? [] : endedBy(transaction.transactionTimeoutMs)),
  ].join('; ');
}

function endedBy(ms: number): readonly string[] {
  return [
    ...['idle = 10', 'interval = 5', 'count = 3'].map((setting) => `set local tcp_keepalives_${setting}`),
    `select set_config('transaction_timeout', '${Math.round(ms)}', true) where current_setting('server_version_num')::int >= 170000`,
  ];
}

/** A kept statement without parameters has one plan in any case. */
function planCache({ plansOnce }: TransactionSettings): string {
  return `set local plan_cache_mode = ${plansOnce === true ? 'force_generic_plan' : 'force_custom_plan'}`;
}
