// Which accounts a role may read that reads some of them: `grant --account`.
import { primaryKey, text } from 'drizzle-orm/pg-core';
import { internal } from './schemas.ts';

export const accountReaders = internal.table(
  'account_readers',
  { accountId: text('account_id').notNull(), reader: text('reader').notNull() },
  (table) => [primaryKey({ name: 'account_readers_pkey', columns: [table.accountId, table.reader] })],
);
