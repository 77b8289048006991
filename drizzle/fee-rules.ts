// In which asset a network takes its fees, if not in that of the transaction. People fill this table: the
// custody service names no asset of a fee, and the mirror neither writes nor removes rules.
import { bigint, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { custody } from './schemas.ts';

export const feeRules = custody.table(
  'fee_rules',
  {
    accountId: text('account_id')
      .notNull()
      .default('default')
      .references(() => accounts.accountId),
    feeRuleId: bigint('fee_rule_id', { mode: 'bigint' }).notNull().generatedByDefaultAsIdentity(),
    networkId: text('network_id').notNull(),
    transactionType: text('transaction_type'),
    assetId: text('asset_id').notNull(),
  },
  (table) => [
    primaryKey({ name: 'fee_rules_pkey', columns: [table.accountId, table.feeRuleId] }),
    // A fee has at most one rule.
    unique('fee_rules_one_answer')
      .on(table.accountId, table.networkId, table.transactionType)
      .nullsNotDistinct(),
  ],
);
