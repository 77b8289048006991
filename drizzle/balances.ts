// Balances as intervals of snapshots: a row begins at the first snapshot that showed its values and ends at the first that
// did not. A snapshot has a row of its own also when nothing changed, so that a gap in observation is never read as a zero.
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
import { accounts } from './accounts.ts';
import { amount, custody, moment } from './schemas.ts';

export const balanceSnapshots = custody.table(
  'balance_snapshots',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    vaultType: text('vault_type').notNull(),
    snapshotAt: moment('snapshot_at').notNull(),
    sourceTimestamp: moment('source_timestamp'),
    assetCount: integer('asset_count').notNull(),
    changedCount: integer('changed_count').notNull(),
    quarantinedCount: integer('quarantined_count').notNull(),
    runId: bigint('run_id', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({
      name: 'balance_snapshots_pkey',
      columns: [table.accountId, table.vaultType, table.snapshotAt],
    }),
    index('balance_snapshots_at_idx').on(table.accountId, table.snapshotAt),
    check('balance_snapshots_vault_type_known', sql`${table.vaultType} in ('all', 'warm', 'cold')`),
  ],
);

export const balances = custody.table(
  'balances',
  {
    accountId: text('account_id').notNull(),
    vaultType: text('vault_type').notNull(),
    assetId: text('asset_id').notNull(),
    networkId: text('network_id').notNull(),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to'),
    assetName: text('asset_name'),
    networkName: text('network_name'),
    totalBalance: amount('total_balance'),
    availableBalance: amount('available_balance'),
    processingBalance: amount('processing_balance'),
    stakingBalance: amount('staking_balance'),
    claimableBalance: amount('claimable_balance'),
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
    // What held at a moment, whatever the account; the others find what began and what ended in a span of time.
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
        [
          table.totalBalance,
          table.availableBalance,
          table.processingBalance,
          table.stakingBalance,
          table.claimableBalance,
        ].map((column) => sql`${column} not in ('NaN', 'Infinity', '-Infinity')`),
        sql` and `,
      ),
    ),
  ],
);
