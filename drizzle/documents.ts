// Vaults and whitelist entries: bodies that the interface does not show, kept whole as documents, with every revision.
// The revisions are append-only, which triggers of a custom migration hold against everybody.
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { changeNumber, custody, moment } from './schemas.ts';

export const vaults = custody.table(
  'vaults',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    vaultId: text('vault_id').notNull(),
    vaultType: text('vault_type'),
    name: text('name'),
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
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    entryId: text('entry_id').notNull(),
    name: text('name'),
    address: text('address'),
    assetId: text('asset_id'),
    networkId: text('network_id'),
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
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    kind: text('kind').notNull(),
    documentId: text('document_id').notNull(),
    revision: integer('revision').notNull(),
    observedAt: moment('observed_at').notNull(),
    change: text('change').notNull(),
    document: jsonb('document').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    name: text('name'),
    vaultType: text('vault_type'),
    address: text('address'),
    assetId: text('asset_id'),
    networkId: text('network_id'),
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
    // For the entries of an address. By hash: an address is foreign text, and may be longer than another index can hold.
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

/** When the list of each kind was read whole: what lies outside of these moments, nobody knows. */
export const documentReadings = custody.table(
  'document_readings',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
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
