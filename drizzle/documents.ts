// Vaults and whitelist entries: their bodies are not documented, so that they are kept whole as documents,
// with every revision. Triggers keep the revisions append-only (sql/history).
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { documentAttributes, entryAttributes, vaultAttributes } from '../src/domain/fields.ts';
import { ofAccount } from './accounts.ts';
import { fieldColumns } from './field-columns.ts';
import { changeNumber, custody, moment } from './schemas.ts';

export const vaults = custody.table(
  'vaults',
  {
    accountId: ofAccount(),
    vaultId: text('vault_id').notNull(),
    ...fieldColumns(vaultAttributes),
    document: jsonb('document').notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    missingSince: moment('missing_since'),
    contentHash: text('content_hash').notNull(),
  },
  (table) => [primaryKey({ name: 'vaults_pkey', columns: [table.accountId, table.vaultId] })],
);

export const whitelistEntries = custody.table(
  'whitelist_entries',
  {
    accountId: ofAccount(),
    entryId: text('entry_id').notNull(),
    ...fieldColumns(entryAttributes),
    document: jsonb('document').notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    missingSince: moment('missing_since'),
    contentHash: text('content_hash').notNull(),
  },
  (table) => [primaryKey({ name: 'whitelist_entries_pkey', columns: [table.accountId, table.entryId] })],
);

export const documentRevisions = custody.table(
  'document_revisions',
  {
    accountId: ofAccount(),
    kind: text('kind').notNull(),
    documentId: text('document_id').notNull(),
    revision: integer('revision').notNull(),
    observedAt: moment('observed_at').notNull(),
    change: text('change').notNull(),
    document: jsonb('document').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    ...fieldColumns(documentAttributes),
    changeId: changeNumber('change_id'),
    observedAfter: moment('observed_after'),
  },
  (table) => [
    primaryKey({
      name: 'document_revisions_pkey',
      columns: [table.accountId, table.kind, table.documentId, table.revision],
    }),
    index('document_revisions_observed_idx').on(table.accountId, table.observedAt),
    index('document_revisions_change_idx').on(table.accountId, table.changeId),
    // Finds the entries of an address. A hash index, because an address from outside may be too long for
    // another index.
    index('document_revisions_address_idx')
      .using('hash', sql`lower(${table.address})`)
      .where(sql`${table.kind} = 'whitelist_entry'`),
    check('document_revisions_after_before_at', sql`${table.observedAfter} <= ${table.observedAt}`),
    check('document_revisions_kind_known', sql`${table.kind} in ('vault', 'whitelist_entry')`),
    check(
      'document_revisions_change_known',
      sql`${table.change} in ('added', 'changed', 'removed', 'restored')`,
    ),
    check(
      'document_revisions_first_is_added',
      sql`(${table.revision} = 1) = (${table.change} = 'added') and ${table.revision} >= 1`,
    ),
  ],
);

/** When the list of each kind was first and last read whole: before and after nothing is known. */
export const documentReadings = custody.table(
  'document_readings',
  {
    accountId: ofAccount(),
    kind: text('kind').notNull(),
    firstReadAt: moment('first_read_at').notNull(),
    lastReadAfter: moment('last_read_after').notNull(),
    lastReadAt: moment('last_read_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'document_readings_pkey', columns: [table.accountId, table.kind] }),
    check('document_readings_kind_known', sql`${table.kind} in ('vault', 'whitelist_entry')`),
  ],
);
