// Every route of the API, in the order of the reference.
import type { Operation } from './answer/operation.ts';
import { balanceOperations } from './resources/balances.ts';
import { changesOperation } from './resources/changes.ts';
import { destinationOperations } from './resources/destinations.ts';
import { documentChangesOperation, vaultOperations, whitelistOperations } from './resources/documents.ts';
import { mirrorOperations } from './resources/mirror.ts';
import { reconciliationOperations } from './resources/reconciliation.ts';
import { reportOperations } from './resources/reports.ts';
import { transactionOperations } from './resources/transactions.ts';
import { valueOperations } from './resources/values.ts';
import { worthOperations } from './resources/worth.ts';

export const operations: readonly Operation[] = [
  ...transactionOperations,
  ...balanceOperations,
  ...valueOperations,
  ...worthOperations,
  ...vaultOperations,
  ...whitelistOperations,
  documentChangesOperation,
  ...reportOperations,
  ...reconciliationOperations,
  ...destinationOperations,
  changesOperation,
  ...mirrorOperations,
];
