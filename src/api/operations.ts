// Every route of the API, in the order of the reference, and their groups.
import { balanceHistory, balanceSplit, balances, snapshots } from '../store/read-api/balances/balances.ts';
import { balanceSeries, balanceTrends } from '../store/read-api/balances/series.ts';
import {
  balanceValues,
  movementValues,
  portfolioValue,
  portfolioValueDaily,
  prices,
} from '../store/read-api/balances/values.ts';
import {
  destinations,
  destinationsDaily,
  destinationUses,
  destinationUseTotals,
} from '../store/read-api/destinations.ts';
import { documentChanges, vaults, whitelist } from '../store/read-api/documents.ts';
import { accounts, anomalies, facts, freshness, quarantine, runs } from '../store/read-api/findings.ts';
import type { List } from '../store/read-api/list/listing.ts';
import {
  explained,
  lateCorrections,
  postings,
  reconciliation,
  reconciliationPostings,
  reconciliationUncertain,
} from '../store/read-api/reconciliation.ts';
import { calendar, fees, feeTotals, flows } from '../store/read-api/reports.ts';
import { revisions, timeline } from '../store/read-api/transactions.ts';
import { listOperation } from './answer/list-operation.ts';
import type { Operation } from './answer/operation.ts';
import { tickOperation } from './resources/balances.ts';
import { changesOperation } from './resources/changes.ts';
import { documentOperation } from './resources/documents.ts';
import { healthOperation } from './resources/health.ts';
import { transactionOperations } from './resources/transactions.ts';

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
  ...tagged('Transactions', ...transactionOperations, timeline, revisions),
  ...tagged('Balances', balances, balanceSplit, balanceHistory, snapshots, tickOperation),
  ...tagged('Balances', balanceSeries, balanceTrends),
  ...tagged('Reports', portfolioValueDaily, movementValues),
  ...tagged('Balances', balanceValues, portfolioValue, prices),
  ...tagged('Vaults', vaults.now, documentOperation(vaults, 'vault')),
  ...tagged('Whitelist', whitelist.now, documentOperation(whitelist, 'whitelist entry')),
  ...tagged('Documents', documentChanges),
  ...tagged('Reports', calendar, flows, fees, feeTotals),
  ...tagged('Reports', reconciliation, explained, postings, reconciliationPostings, reconciliationUncertain),
  ...tagged('Reports', lateCorrections),
  ...tagged('Reports', destinations, destinationsDaily, destinationUses, destinationUseTotals),
  ...tagged('Changes', changesOperation),
  ...tagged('Sync', accounts, freshness, healthOperation, runs, quarantine, anomalies, facts),
];

function tagged(
  tag: TaggedOperation['tag'],
  ...group: readonly (Operation | List)[]
): readonly TaggedOperation[] {
  return group.map((one) => ({ ...('view' in one ? listOperation(one) : one), tag }));
}

const byId = new Map(operations.map((operation) => [operation.id, operation]));

export function operationOf(id: string): Operation {
  const operation = byId.get(id);
  if (operation === undefined) throw new TypeError(`there is no operation ${id}`);
  return operation;
}
