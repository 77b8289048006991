// What the processes of an account are configured to do, one row per job, so that SQL can judge whether they
// do it.
import { sql } from 'drizzle-orm';
import { boolean, check, interval, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment, sync } from './schemas.ts';

export const expectations = sync.table(
  'expectations',
  {
    accountId: text('account_id').notNull(),
    job: text('job').notNull(),
    startedBy: text('started_by').notNull(),
    isMirrored: boolean('is_mirrored').notNull(),
    isScheduled: boolean('is_scheduled').notNull(),
    maxAge: interval('max_age'),
    maxVerifiedAge: interval('max_verified_age'),
    confirmedAt: moment('confirmed_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'expectations_pkey', columns: [table.accountId, table.job] }),
    check('expectations_started_by_known', sql`${table.startedBy} in ('daemon', 'sync')`),
  ],
);
