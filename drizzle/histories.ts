// The names of an account's history. A place in the feed belongs to the name under which it was given out: a
// restored database numbers other rows with the same numbers, under another name.
import { bigint, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { custody, moment } from './schemas.ts';

export const histories = custody.table(
  'histories',
  {
    // No foreign key: a commit may come before the account's row, and outlive it.
    accountId: text('account_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    history: text('history').notNull(),
    beganAfter: bigint('began_after', { mode: 'number' }).notNull(),
    beganAt: moment('began_at').notNull(),
    origin: text('origin').notNull(),
  },
  (table) => [primaryKey({ name: 'histories_pkey', columns: [table.accountId, table.ordinal] })],
);
