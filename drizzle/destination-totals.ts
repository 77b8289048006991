// What each destination was paid, summed up so that a report need not read every withdrawal. A rollup: every row follows from
// the transactions and their status history up to the position `destination-totals`, and could be made again from them.
import { bigint, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { amount, bytes, internal, moment } from './schemas.ts';

export const destinationTotals = internal.table(
  'destination_totals',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    destinationKey: bytes('destination_key').notNull(),
    uses: bigint('uses', { mode: 'number' }).notNull(),
    completedUses: bigint('completed_uses', { mode: 'number' }).notNull(),
    completedAmount: amount('completed_amount').notNull(),
    unknownAmounts: bigint('unknown_amounts', { mode: 'number' }).notNull(),
    firstUsedAt: moment('first_used_at').notNull(),
    firstTransactionId: text('first_transaction_id').notNull(),
    lastUsedAt: moment('last_used_at').notNull(),
    lastTransactionId: text('last_transaction_id').notNull(),
  },
  (table) => [
    primaryKey({ name: 'destination_totals_pkey', columns: [table.accountId, table.destinationKey] }),
  ],
);
