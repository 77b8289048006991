// The statement that begins a transaction, with its limits. They are set for the transaction only, so any
// server connection will do.

// The settings that change what a statement means, writes or hides. A role or a database may override any of
// them (ALTER ROLE … SET, ALTER DATABASE … SET), so each transaction sets them, whatever its session.
// docs/access.md lists what is refused instead.

/** Only PostgreSQL's own names: no object created by others can shadow them. */
const ownNamesAlone = 'pg_catalog, pg_temp';

/** PostgreSQL's default. */
export const joinCollapseLimit = '8';

/** Set for the transaction; none of them needs a privilege. */
const fixed = {
  // PostgreSQL refuses what a policy would silently leave out.
  row_security: 'off',
  // Text format of values, written and read.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  bytea_output: 'hex',
  datestyle: 'iso, mdy',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  // Names of types are compared as text.
  quote_all_identifiers: 'off',
  // An index on arrays or words returns every match.
  gin_fuzzy_search_limit: '0',
  // A conflict ends a transaction, not the session.
  exit_on_error: 'off',
  // The genetic planner may find no plan at all; without it, the tables planned together are bounded.
  geqo: 'off',
  join_collapse_limit: joinCollapseLimit,
  from_collapse_limit: '8',
  // Compiling a plan takes longer than running it: no statement reads much at once.
  jit: 'off',
} as const;

/**
 * Settings that only some versions have, or that need a privilege: set only if they differ. Without the
 * privilege the transaction is refused, and the server's message names the setting.
 */
const conditional = {
  // Anything but `origin` switches off the triggers that keep the history.
  session_replication_role: 'origin',
  // From PostgreSQL 17 on.
  restrict_nonsystem_relation_kind: '',
} as const;

/** Skips a setting unknown to this server. */
function setWhereDifferent([name, value]: readonly [string, string]): string {
  return `case when current_setting('${name}', true) <> '${value}' then set_config('${name}', '${value}', true) end`;
}

export interface SessionSettings {
  readonly readOnly?: boolean;
  /** The schemas searched for unqualified names. Default: PostgreSQL's own only. */
  readonly searchPath?: string;
  /** Maximum duration of a statement, including waits for locks. Default 60 seconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a transaction may stay idle before the server ends it: the longest that a frozen process can
   * keep others from taking over its lease. Default 10 seconds.
   */
  readonly idleTransactionTimeoutMs?: number;
}

export interface TransactionSettings {
  /** Read only: `begin` travels with the first statement. */
  readonly readOnly?: boolean;
  /** Read only: all statements see one state of the database. */
  readonly snapshot?: boolean;
  /** Tables locked before the state is seen, so that nobody puts another in their place. */
  readonly locks?: readonly string[];
  /** 0 for none: then `wayMs` bounds how long nothing arrives. */
  readonly statementTimeoutMs?: number;
  /**
   * Time for the answer to arrive once the server must have ended the statement; after it, the connection is
   * dropped. Default 5 seconds.
   */
  readonly wayMs?: number;
  /** As of the session, for a transaction that keeps nobody waiting. */
  readonly idleTransactionTimeoutMs?: number;
  /**
   * Maximum duration of the whole transaction, for one that holds a lock others wait for: if its connection
   * dies in the middle of a statement, neither the statement nor the idle limit applies. Before
   * PostgreSQL 17, only TCP detects this.
   */
  readonly transactionTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/** Maximum duration of a statement of the transaction, including waits for locks. */
function longestStatementMs(options: SessionSettings, transaction: TransactionSettings): number {
  return Math.round(transaction.statementTimeoutMs ?? options.statementTimeoutMs ?? 60_000);
}

/** How long the transaction waits for an answer. */
export function longestAnswerMs(options: SessionSettings, transaction: TransactionSettings): number {
  return longestStatementMs(options, transaction) + (transaction.wayMs ?? 5_000);
}

export function isReadOnly(options: SessionSettings, transaction: TransactionSettings): boolean {
  return options.readOnly === true || transaction.readOnly === true || transaction.snapshot === true;
}

export function beginStatement(options: SessionSettings, transaction: TransactionSettings): string {
  const isolation = transaction.snapshot === true ? 'repeatable read' : 'read committed';
  const { lockTimeoutMs = 0, transactionTimeoutMs = 0, locks = [] } = transaction;
  const idleMs = transaction.idleTransactionTimeoutMs ?? options.idleTransactionTimeoutMs ?? 10_000;
  const whereDifferent = { ...conditional, transaction_timeout: String(Math.round(transactionTimeoutMs)) };
  return [
    // Explicit, whatever the server's default: the fence must see commits made while it waited for its lock.
    `begin isolation level ${isolation}${isReadOnly(options, transaction) ? ' read only' : ''}`,
    `set local statement_timeout = ${longestStatementMs(options, transaction)}`,
    ...Object.entries(fixed).map(([name, value]) => `set local ${name} = '${value}'`),
    `set local search_path = ${options.searchPath ?? ownNamesAlone}`,
    `set local lock_timeout = ${Math.round(lockTimeoutMs)}`,
    // Neither these nor the settings see a state of the database yet; the next statement does.
    ...(locks.length === 0 ? [] : [`lock table only ${locks.join(', only ')} in access share mode`]),
    `select ${Object.entries(whereDifferent).map(setWhereDifferent).join(', ')}`,
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
    ...(transactionTimeoutMs === 0 ? [] : keepalives),
  ].join('; ');
}

/** A transaction of limited duration holds locks: keepalives detect a dead connection early. */
const keepalives = ['idle = 10', 'interval = 5', 'count = 3'].map(
  (setting) => `set local tcp_keepalives_${setting}`,
);
