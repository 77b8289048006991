// The statement that begins a transaction, with its limits: they are set for the transaction alone, so that
// it does not matter which server connection it gets.

import { fixedSettings } from './session-settings.ts';

export interface SessionSettings {
  readonly readOnly?: boolean;
  /** Where names without a schema are looked up. Default: among PostgreSQL's own alone. */
  readonly searchPath?: string;
  /** The longest a statement may take, waiting for locks included. Default 60 seconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a transaction may stand idle before the server ends it. A frozen process cannot keep others from
   * taking over its lease for longer. Default 10 seconds.
   */
  readonly idleTransactionTimeoutMs?: number;
}

export interface TransactionSettings {
  /** Nothing is written: the beginning travels with the first statement. */
  readonly readOnly?: boolean;
  /** Several statements see one state of the database, and nothing is written. */
  readonly snapshot?: boolean;
  readonly statementTimeoutMs?: number;
  /**
   * What an answer has for its way after the server had to end the statement, before the connection is given
   * up. Default 5 seconds.
   */
  readonly wayMs?: number;
  /**
   * The longest that the whole transaction may take, for one that holds a lock which others wait for: where
   * its connection is dead in the middle of a statement, no limit of statements or of standing idle counts.
   * Before PostgreSQL 17, TCP has to notice.
   */
  readonly transactionTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /**
   * The plans that the session keeps, those of foreign keys among them, are made anew. One that was made
   * while a table had a few rows and no statistics looks through all rows of the account for each row that is
   * written, until the table is analysed.
   */
  readonly freshPlans?: boolean;
}

/** The longest that a statement of the transaction may take, waiting for locks included. */
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
  const { lockTimeoutMs = 0, transactionTimeoutMs = 0 } = transaction;
  return [
    // Named, whatever the server's default is: the fence must see what was committed while it waited for its
    // lock.
    `begin isolation level ${isolation}${isReadOnly(options, transaction) ? ' read only' : ''}`,
    `set local statement_timeout = ${longestStatementMs(options, transaction)}`,
    ...fixedSettings({ searchPath: options.searchPath, lockTimeoutMs, transactionTimeoutMs }),
    ...(options.readOnly === true ? ofReaders : []),
    ...(transaction.freshPlans === true ? ['discard plans'] : []),
    `set local idle_in_transaction_session_timeout = ${Math.round(options.idleTransactionTimeoutMs ?? 10_000)}`,
    ...(transactionTimeoutMs === 0 ? [] : keepalives),
  ].join('; ');
}

/**
 * The answers of readers are small: compiling a plan takes longer than it. A prepared statement is planned
 * for the values given.
 */
const ofReaders = ['set local jit = off', 'set local plan_cache_mode = force_custom_plan'];

/** A transaction of limited length is that of a holder of locks: a dead connection is noticed early. */
const keepalives = ['idle = 10', 'interval = 5', 'count = 3'].map(
  (setting) => `set local tcp_keepalives_${setting}`,
);
