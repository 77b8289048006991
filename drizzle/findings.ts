// What the mirror found besides the records: records that it could not decode, facts about the service, and
// anomalies. One row per subject, which counts how often it was seen and is resolved when it is no longer so.
import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { resources } from '../src/domain/jobs.ts';
import { moment, sync } from './schemas.ts';

const known = resources.map((resource) => `'${resource}'`).join(', ');

export const quarantine = sync.table(
  'quarantine',
  {
    accountId: text('account_id').notNull(),
    quarantineId: bigint('quarantine_id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    resource: text('resource').notNull(),
    recordKey: text('record_key').notNull(),
    reason: text('reason').notNull(),
    raw: text('raw').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    firstObservedAt: moment('first_observed_at').notNull(),
    lastObservedAt: moment('last_observed_at').notNull(),
    occurrences: bigint('occurrences', { mode: 'number' }).notNull().default(1),
    resolvedAt: moment('resolved_at'),
  },
  (table) => [
    primaryKey({ name: 'quarantine_pkey', columns: [table.accountId, table.quarantineId] }),
    unique('quarantine_record_key').on(table.accountId, table.resource, table.recordKey),
    index('quarantine_open_idx').on(table.accountId, table.resource).where(sql`${table.resolvedAt} is null`),
    check('quarantine_resource_known', sql`${table.resource} in (${sql.raw(known)})`),
  ],
);

export const learned = sync.table(
  'learned',
  {
    accountId: text('account_id').notNull(),
    fact: text('fact').notNull(),
    value: text('value').notNull(),
    evidence: text('evidence').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ name: 'learned_pkey', columns: [table.accountId, table.fact] })],
);

export const anomalies = sync.table(
  'anomalies',
  {
    accountId: text('account_id').notNull(),
    anomalyId: bigint('anomaly_id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    kind: text('kind').notNull(),
    resource: text('resource').notNull(),
    resourceId: text('resource_id').notNull(),
    details: jsonb('details').notNull(),
    firstObservedAt: moment('first_observed_at').notNull(),
    lastObservedAt: moment('last_observed_at').notNull(),
    occurrences: bigint('occurrences', { mode: 'number' }).notNull().default(1),
    resolvedAt: moment('resolved_at'),
  },
  (table) => [
    primaryKey({ name: 'anomalies_pkey', columns: [table.accountId, table.anomalyId] }),
    unique('anomalies_subject').on(table.accountId, table.kind, table.resource, table.resourceId),
    index('anomalies_open_idx').on(table.accountId, table.kind).where(sql`${table.resolvedAt} is null`),
    check('anomalies_resource_known', sql`${table.resource} in (${sql.raw(known)})`),
  ],
);
