// In which asset a network takes its fees, if not in that of the transaction. People fill this table: the
// custody service names no asset of a fee, and the mirror neither writes nor removes rules. What they replace
// or remove is kept, so that days that are over stay as they were.
import { sql } from 'drizzle-orm';
import { bigint, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { custody, moment } from './schemas.ts';

export const feeRules = custody.table(
  'fee_rules',
  {
    accountId: ofAccount().default('default'),
    feeRuleId: bigint('fee_rule_id', { mode: 'bigint' }).notNull().generatedByDefaultAsIdentity(),
    networkId: text('network_id').notNull(),
    transactionType: text('transaction_type'),
    assetId: text('asset_id').notNull(),
    knownFrom: moment('known_from').notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ name: 'fee_rules_pkey', columns: [table.accountId, table.feeRuleId] }),
    // A fee has at most one rule.
    unique('fee_rules_one_answer')
      .on(table.accountId, table.networkId, table.transactionType)
      .nullsNotDistinct(),
  ],
);

export const formerFeeRules = custody.table(
  'former_fee_rules',
  {
    accountId: ofAccount(),
    feeRuleId: bigint('fee_rule_id', { mode: 'bigint' }).notNull(),
    networkId: text('network_id').notNull(),
    transactionType: text('transaction_type'),
    assetId: text('asset_id').notNull(),
    knownFrom: moment('known_from').notNull(),
    knownUntil: moment('known_until').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'former_fee_rules_pkey',
      columns: [table.accountId, table.feeRuleId, table.knownUntil],
    }),
  ],
);
