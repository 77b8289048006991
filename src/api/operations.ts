// Every route of the API, in the order of the reference, and their groups.
import type { Operation } from './answer/operation.ts';
import { balanceOperations } from './resources/balances.ts';
import { changesOperation } from './resources/changes.ts';
import { destinationOperations } from './resources/destinations.ts';
import { documentChangesOperation, vaultOperations, whitelistOperations } from './resources/documents.ts';
import { reconciliationOperations } from './resources/reconciliation.ts';
import { reportOperations } from './resources/reports.ts';
import { syncOperations } from './resources/sync.ts';
import { transactionOperations } from './resources/transactions.ts';
import { portfolioOperations, valueOperations } from './resources/values.ts';

/** What the groups are about, by their tags. */
export const tagDescriptions = {
  Transactions: 'Transactions now and as they were known at a moment, with every status and correction.',
  Balances: 'Balances by asset and vault type, now, at a moment and over time, and their value.',
  Vaults: 'Vaults now and at a moment, with what changed.',
  Whitelist: 'Withdrawal addresses now and at a moment, with what changed.',
  Documents: 'Changes in vaults and whitelist entries, with the members before and after.',
  Reports: 'Flows, fees, the reconciliation and destinations, by calendar day of the account.',
  Changes: 'A feed of every change that can be resumed and misses nothing.',
  Sync: 'Accounts, health, freshness, runs, and what was found in the data.',
} as const;

export interface TaggedOperation extends Operation {
  readonly tag: keyof typeof tagDescriptions;
}

export const operations: readonly TaggedOperation[] = [
  ...tagged('Transactions', transactionOperations),
  ...tagged('Balances', balanceOperations),
  ...tagged('Reports', valueOperations),
  ...tagged('Balances', portfolioOperations),
  ...tagged('Vaults', vaultOperations),
  ...tagged('Whitelist', whitelistOperations),
  ...tagged('Documents', [documentChangesOperation]),
  ...tagged('Reports', [...reportOperations, ...reconciliationOperations, ...destinationOperations]),
  ...tagged('Changes', [changesOperation]),
  ...tagged('Sync', syncOperations),
];

function tagged(tag: TaggedOperation['tag'], group: readonly Operation[]): readonly TaggedOperation[] {
  return group.map((operation) => ({ ...operation, tag }));
}

const byId = new Map(operations.map((operation) => [operation.id, operation]));

export function operationOf(id: string): Operation {
  const operation = byId.get(id);
  if (operation === undefined) throw new TypeError(`there is no operation ${id}`);
  return operation;
}
