// The record of each account that was erased. It outlives the account.
import { bigint, primaryKey, text } from 'drizzle-orm/pg-core';
import { internal, moment } from './schemas.ts';

export const erasures = internal.table(
  'erasures',
  {
    accountId: text('account_id').notNull(),
    startedAt: moment('started_at').notNull(),
    // Null while it is unfinished: the command continues it.
    finishedAt: moment('finished_at'),
    erasedBy: text('erased_by').notNull(),
    lastToken: bigint('last_token', { mode: 'bigint' }),
    rowsErased: bigint('rows_erased', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ name: 'erasures_pkey', columns: [table.accountId, table.startedAt] })],
);
