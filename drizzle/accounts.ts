// The mirrored accounts. A name is bound to one base address, so that two services never mix. Time zones that
// were replaced are kept, so that days that are over stay as they were.
import { bigint, primaryKey, text } from 'drizzle-orm/pg-core';
import { custody, moment } from './schemas.ts';

export const accounts = custody.table('accounts', {
  accountId: text('account_id').primaryKey(),
  baseUrl: text('base_url').notNull(),
  firstSeenAt: moment('first_seen_at').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  transactionsSince: moment('transactions_since'),
  // Updated with every commit, because counting would read every row.
  transactionsTotal: bigint('transactions_total', { mode: 'number' }).notNull().default(0),
  transactionsMissing: bigint('transactions_missing', { mode: 'number' }).notNull().default(0),
});

/** The column that says whose a row is. */
export const ofAccount = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.accountId);

export const formerTimeZones = custody.table(
  'former_time_zones',
  {
    accountId: ofAccount(),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to').notNull(),
    timeZone: text('time_zone').notNull(),
  },
  (table) => [primaryKey({ name: 'former_time_zones_pkey', columns: [table.accountId, table.validFrom] })],
);
