// The history of a transaction: every observed status, and every other change of content. Triggers keep it
// append-only (sql/history).
import { type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, check, foreignKey, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { changeNumber, custody, moment } from './schemas.ts';
import { filterColumns, transactions } from './transactions.ts';

/** It changed a field that readers filter by, which few revisions do. */
export function changedFilters(changedFields: SQLWrapper) {
  const columns = filterColumns.map((column) => `'${transactions[column].name}'`);
  return sql`${changedFields} && array[${sql.raw(columns.join())}]`;
}

export const transactionStatusHistory = custody.table(
  'transaction_status_history',
  {
    accountId: text('account_id').notNull(),
    transactionId: text('transaction_id').notNull(),
    sequence: integer('sequence').notNull(),
    fromStatus: text('from_status'),
    toStatus: text('to_status').notNull(),
    observedAt: moment('observed_at').notNull(),
    sourceTimestamp: moment('source_timestamp'),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    observedAfter: moment('observed_after'),
    readAt: moment('read_at'),
    contentHash: text('content_hash'),
    changeId: changeNumber('change_id'),
  },
  (table) => [
    primaryKey({
      name: 'transaction_status_history_pkey',
      columns: [table.accountId, table.transactionId, table.sequence],
    }),
    foreignKey({
      name: 'transaction_status_history_transaction_fk',
      columns: [table.accountId, table.transactionId],
      foreignColumns: [transactions.accountId, transactions.transactionId],
    }),
    index('transaction_status_history_observed_idx').on(table.accountId, table.observedAt),
    index('transaction_status_history_change_idx').on(table.accountId, table.changeId),
    check('transaction_status_history_after_before_at', sql`${table.observedAfter} <= ${table.observedAt}`),
    check(
      'transaction_status_history_first_has_no_from',
      sql`(${table.sequence} = 1) = (${table.fromStatus} is null) and ${table.sequence} >= 1`,
    ),
  ],
);

export const transactionRevisions = custody.table(
  'transaction_revisions',
  {
    accountId: text('account_id').notNull(),
    transactionId: text('transaction_id').notNull(),
    revision: integer('revision').notNull(),
    observedAt: moment('observed_at').notNull(),
    changedFields: text('changed_fields').array().notNull(),
    before: jsonb('before').notNull(),
    after: jsonb('after').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    contentHash: text('content_hash'),
    changeId: changeNumber('change_id'),
  },
  (table) => [
    primaryKey({
      name: 'transaction_revisions_pkey',
      columns: [table.accountId, table.transactionId, table.revision],
    }),
    foreignKey({
      name: 'transaction_revisions_transaction_fk',
      columns: [table.accountId, table.transactionId],
      foreignColumns: [transactions.accountId, transactions.transactionId],
    }),
    index('transaction_revisions_observed_idx').on(table.accountId, table.observedAt),
    index('transaction_revisions_change_idx').on(table.accountId, table.changeId),
    // Finds what once had another value of a field that readers filter by.
    index('transaction_revisions_filters_idx')
      .on(table.accountId, table.transactionId)
      .where(changedFilters(table.changedFields)),
    check('transaction_revisions_revision_positive', sql`${table.revision} >= 1`),
  ],
);
