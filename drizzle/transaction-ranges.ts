// How many transactions the list holds in which span of first_seen_at, so that a page in the middle of the list is found without
// counting off those before it. Triggers on custody.transactions update it in the same commit; it can be made again from them.
import { bigint, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { custody, moment } from './schemas.ts';

export const transactionRanges = custody.table(
  'transaction_ranges',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    beginsAt: moment('begins_at').notNull(),
    lastAt: moment('last_at').notNull(),
    shown: bigint('shown', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ name: 'transaction_ranges_pkey', columns: [table.accountId, table.beginsAt] })],
);
