// The accounts that are mirrored. A name stands for one base address for good, so that two services never mix.
import { bigint, text } from 'drizzle-orm/pg-core';
import { custody, moment } from './schemas.ts';

export const accounts = custody.table('accounts', {
  accountId: text('account_id').primaryKey(),
  baseUrl: text('base_url').notNull(),
  firstSeenAt: moment('first_seen_at').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  transactionsSince: moment('transactions_since'),
  // Kept with every commit: counting the rows would cost more with each of them.
  transactionsTotal: bigint('transactions_total', { mode: 'number' }).notNull().default(0),
  transactionsMissing: bigint('transactions_missing', { mode: 'number' }).notNull().default(0),
});
