// The statement that begins a transaction, with its limits. They are set for the transaction only, so any
// server connection will do.

import { settingsOf } from './session-settings.ts';

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
  /** Tables that are kept as they are from before the state is seen: nobody puts another in their place. */
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
  const { fixed, whereDifferent } = settingsOf({
    searchPath: options.searchPath,
    lockTimeoutMs,
    transactionTimeoutMs,
  });
  return [
    // Explicit, whatever the server's default: the fence must see commits made while it waited for its lock.
    `begin isolation level ${isolation}${isReadOnly(options, transaction) ? ' read only' : ''}`,
    `set local statement_timeout = ${longestStatementMs(options, transaction)}`,
    ...fixed,
    // Neither these nor a setting sees a state of the database yet; the next statement does.
    ...(locks.length === 0 ? [] : [`lock table only ${locks.join(', only ')} in access share mode`]),
    whereDifferent,
    ...(options.readOnly === true ? ofReaders : []),
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
    ...(transactionTimeoutMs === 0 ? [] : keepalives),
  ].join('; ');
}

/** A prepared statement is planned for its values. */
const ofReaders = ['set local plan_cache_mode = force_custom_plan'];

/** A transaction of limited duration holds locks: keepalives detect a dead connection early. */
const keepalives = ['idle = 10', 'interval = 5', 'count = 3'].map(
  (setting) => `set local tcp_keepalives_${setting}`,
);
