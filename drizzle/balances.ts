// Balances as intervals of snapshots: a row begins at the first snapshot that showed its values and ends at
// the first that did not. Every snapshot has a row, even if nothing changed, so that a gap in observation
// never counts as zero. While a record cannot be read its interval goes on, and an interval of
// unreadable_balances says that the value is unknown.
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { balanceAmounts, balanceFields, namesOf } from '../src/domain/fields.ts';
import { ofAccount } from './accounts.ts';
import { fieldColumns } from './field-columns.ts';
import { changeNumber, custody, moment } from './schemas.ts';

export const balanceSnapshots = custody.table(
  'balance_snapshots',
  {
    accountId: ofAccount(),
    vaultType: text('vault_type').notNull(),
    snapshotAt: moment('snapshot_at').notNull(),
    // Every writer sets its own values; the defaults are not used.
    askedAt: moment('asked_at').notNull().defaultNow(),
    answeredAt: moment('answered_at').notNull().defaultNow(),
    sourceTimestamp: moment('source_timestamp'),
    assetCount: integer('asset_count').notNull(),
    changedCount: integer('changed_count').notNull(),
    quarantinedCount: integer('quarantined_count').notNull(),
    unidentifiedCount: integer('unidentified_count').notNull().default(0),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    changeId: changeNumber('change_id'),
  },
  (table) => [
    primaryKey({
      name: 'balance_snapshots_pkey',
      columns: [table.accountId, table.vaultType, table.snapshotAt],
    }),
    index('balance_snapshots_at_idx').on(table.accountId, table.snapshotAt),
    index('balance_snapshots_answered_idx').on(table.accountId, table.vaultType, table.answeredAt),
    index('balance_snapshots_change_idx').on(table.accountId, table.changeId),
    check('balance_snapshots_vault_type_known', sql`${table.vaultType} in ('all', 'warm', 'cold')`),
    check('balance_snapshots_bounds_forward', sql`${table.answeredAt} >= ${table.askedAt}`),
  ],
);

export const balances = custody.table(
  'balances',
  {
    accountId: text('account_id').notNull(),
    vaultType: text('vault_type').notNull(),
    ...fieldColumns(balanceFields),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to'),
    unchangedSince: moment('unchanged_since').notNull().defaultNow(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
    raw: jsonb('raw').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'balances_pkey',
      columns: [table.accountId, table.vaultType, table.assetId, table.networkId, table.validFrom],
    }),
    uniqueIndex('balances_current_idx')
      .on(table.accountId, table.vaultType, table.assetId, table.networkId)
      .where(sql`${table.validTo} is null`),
    // For what held at a moment, in all accounts; the next two find what began and what ended in a time span.
    index('balances_valid_idx').using('gist', sql`tstzrange(${table.validFrom}, ${table.validTo})`),
    index('balances_began_idx').on(table.accountId, table.validFrom),
    index('balances_ended_idx').on(table.accountId, table.validTo).where(sql`${table.validTo} is not null`),
    foreignKey({
      name: 'balances_first_snapshot_fk',
      columns: [table.accountId, table.vaultType, table.validFrom],
      foreignColumns: [balanceSnapshots.accountId, balanceSnapshots.vaultType, balanceSnapshots.snapshotAt],
    }),
    foreignKey({
      name: 'balances_ending_snapshot_fk',
      columns: [table.accountId, table.vaultType, table.validTo],
      foreignColumns: [balanceSnapshots.accountId, balanceSnapshots.vaultType, balanceSnapshots.snapshotAt],
    }),
    check('balances_interval_forward', sql`${table.validTo} > ${table.validFrom}`),
    check(
      'balances_amounts_finite',
      sql.join(
        namesOf(balanceAmounts).map((name) => sql`${table[name]} not in ('NaN', 'Infinity', '-Infinity')`),
        sql` and `,
      ),
    ),
  ],
);

/**
 * When the record of a balance could not be read: its value is unknown then, whatever its row in balances
 * says.
 */
export const unreadableBalances = custody.table(
  'unreadable_balances',
  {
    accountId: text('account_id').notNull(),
    vaultType: text('vault_type').notNull(),
    assetId: text('asset_id').notNull(),
    networkId: text('network_id').notNull(),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to'),
  },
  (table) => [
    primaryKey({
      name: 'unreadable_balances_pkey',
      columns: [table.accountId, table.vaultType, table.assetId, table.networkId, table.validFrom],
    }),
    uniqueIndex('unreadable_balances_current_idx')
      .on(table.accountId, table.vaultType, table.assetId, table.networkId)
      .where(sql`${table.validTo} is null`),
    index('unreadable_balances_valid_idx').using(
      'gist',
      sql`tstzrange(${table.validFrom}, ${table.validTo})`,
    ),
    index('unreadable_balances_began_idx').on(table.accountId, table.validFrom),
    index('unreadable_balances_ended_idx')
      .on(table.accountId, table.validTo)
      .where(sql`${table.validTo} is not null`),
    foreignKey({
      name: 'unreadable_balances_first_snapshot_fk',
      columns: [table.accountId, table.vaultType, table.validFrom],
      foreignColumns: [balanceSnapshots.accountId, balanceSnapshots.vaultType, balanceSnapshots.snapshotAt],
    }),
    foreignKey({
      name: 'unreadable_balances_ending_snapshot_fk',
      columns: [table.accountId, table.vaultType, table.validTo],
      foreignColumns: [balanceSnapshots.accountId, balanceSnapshots.vaultType, balanceSnapshots.snapshotAt],
    }),
    check('unreadable_balances_interval_forward', sql`${table.validTo} > ${table.validFrom}`),
  ],
);
