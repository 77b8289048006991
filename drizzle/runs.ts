// What each run of a job did and what it claims, where an interrupted job resumes, and which process may
// write for an account.
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment, sync } from './schemas.ts';

export const runs = sync.table(
  'runs',
  {
    accountId: text('account_id').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    job: text('job').notNull(),
    mode: text('mode').notNull(),
    status: text('status').notNull(),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
    requests: integer('requests').notNull().default(0),
    retries: integer('retries').notNull().default(0),
    rateLimited: integer('rate_limited').notNull().default(0),
    recordsRead: bigint('records_read', { mode: 'number' }).notNull().default(0),
    recordsInserted: bigint('records_inserted', { mode: 'number' }).notNull().default(0),
    recordsChanged: bigint('records_changed', { mode: 'number' }).notNull().default(0),
    statusChanges: bigint('status_changes', { mode: 'number' }).notNull().default(0),
    quarantined: bigint('quarantined', { mode: 'number' }).notNull().default(0),
    verified: boolean('verified'),
    verdict: jsonb('verdict'),
    openTransactionsRead: boolean('open_transactions_read'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    requestedBy: text('requested_by'),
  },
  (table) => [
    primaryKey({ name: 'runs_pkey', columns: [table.accountId, table.runId] }),
    index('runs_job_started_idx').on(table.accountId, table.job, table.startedAt),
    index('runs_open_read_idx')
      .on(table.accountId, table.startedAt)
      .where(sql`${table.openTransactionsRead}`),
    // For the last run of each outcome of a job. An index that holds the outcome in a column would do, but
    // PostgreSQL prefers the primary key to it, and reads the runs of all jobs.
    index('runs_verified_idx').on(table.accountId, table.job, table.finishedAt).where(sql`${table.verified}`),
    index('runs_succeeded_idx')
      .on(table.accountId, table.job, table.finishedAt)
      .where(sql`${table.status} = 'succeeded'`),
    // For the last sweep of a list of which most runs read only a part.
    index('runs_full_idx')
      .on(table.accountId, table.job, table.finishedAt)
      .where(sql`${table.mode} = 'full' and ${table.status} = 'succeeded'`),
    index('runs_failed_idx')
      .on(table.accountId, table.job, table.finishedAt)
      .where(sql`${table.status} = 'failed'`),
    check('runs_mode_known', sql`${table.mode} in ('full', 'incremental')`),
    check('runs_status_known', sql`${table.status} in ('running', 'succeeded', 'failed', 'abandoned')`),
    check(
      'runs_finished_when_not_running',
      sql`(${table.status} = 'running') = (${table.finishedAt} is null)`,
    ),
  ],
);

// What `sync` asks of the process that holds the lease.
export const syncRequests = sync.table(
  'sync_requests',
  {
    accountId: text('account_id').notNull(),
    requestId: bigint('request_id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    // Null for all that the holder mirrors, until it has finished.
    resources: text('resources').array(),
    isFull: boolean('is_full').notNull(),
    trustEmpty: boolean('trust_empty').notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: moment('requested_at').notNull(),
    wantedUntil: moment('wanted_until').notNull(),
    takenBy: text('taken_by'),
    runIds: text('run_ids').array().notNull().default(sql`'{}'`),
    finishedAt: moment('finished_at'),
    refusal: text('refusal'),
  },
  (table) => [primaryKey({ name: 'sync_requests_pkey', columns: [table.accountId, table.requestId] })],
);

export const positions = sync.table(
  'positions',
  {
    accountId: text('account_id').notNull(),
    job: text('job').notNull(),
    position: jsonb('position').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ name: 'positions_pkey', columns: [table.accountId, table.job] })],
);

export const leases = sync.table('leases', {
  accountId: text('account_id').primaryKey(),
  holder: text('holder').notNull(),
  token: bigint('token', { mode: 'bigint' }).notNull(),
  acquiredAt: moment('acquired_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  accountTime: moment('account_time').notNull().default(sql`now()`),
  databaseTime: moment('database_time').notNull().default(sql`now()`),
  aheadSince: moment('ahead_since'),
});

// An account without an end of its last one is not mirrored any more, on purpose.
export const retirements = sync.table(
  'retirements',
  {
    accountId: text('account_id').notNull(),
    retiredAt: moment('retired_at').notNull(),
    retiredBy: text('retired_by').notNull(),
    endedAt: moment('ended_at'),
    endedBy: text('ended_by'),
  },
  (table) => [primaryKey({ name: 'retirements_pkey', columns: [table.accountId, table.retiredAt] })],
);
