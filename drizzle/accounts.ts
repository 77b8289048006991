// The accounts that are mirrored. A name stands for one base address for good, so that two services never mix.
import { text } from 'drizzle-orm/pg-core';
import { custody, moment } from './schemas.ts';

export const accounts = custody.table('accounts', {
  accountId: text('account_id').primaryKey(),
  baseUrl: text('base_url').notNull(),
  firstSeenAt: moment('first_seen_at').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  transactionsSince: moment('transactions_since'),
});
