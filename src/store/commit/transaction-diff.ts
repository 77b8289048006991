// What changed between two observations of a transaction, apart from the status: by column where the field has one, else by
// its path in the record. Pure. Another spelling of the same value changes the record only, and shows as its path.
import { getTableColumns } from 'drizzle-orm';
import { transactions } from '../../../drizzle/transactions.ts';
import { jsonLeaves } from '../../domain/json-leaves.ts';
import type { TransactionDetails } from '../../domain/transaction.ts';

export interface TransactionRevision {
  readonly changedFields: readonly string[];
  /** JSON text of an object of the changed fields; one that was absent is left out. */
  readonly before: string;
  readonly after: string;
}

type Observed = TransactionDetails & { readonly raw: string };

/** For each member of `TransactionDetails`, the paths of the wire record that it is read from (interface.md 2.2 to 2.5). */
const wirePaths: { readonly [Field in keyof TransactionDetails]: readonly string[] } = {
  transactionType: ['transaction.transaction_type'],
  assetId: ['transaction.asset_id'],
  assetName: ['transaction.asset_name'],
  networkId: ['transaction.network_id'],
  networkName: ['transaction.network_name'],
  amount: ['transaction.amount'],
  fee: ['transaction.fee'],
  sourceType: ['transaction.source.source_type'],
  sourceId: ['transaction.source.source_id', 'transaction.source.vault_id'],
  sourceName: ['transaction.source.source_name'],
  sourceAddress: ['transaction.source.source_address'],
  destinationType: ['transaction.destination.destination_type'],
  destinationId: ['transaction.destination.destination_id'],
  destinationName: ['transaction.destination.destination_name'],
  destinationAddress: ['transaction.destination.destination_address'],
  destinationMemo: ['transaction.destination.memo'],
  txnHash: ['transaction.txn_hash'],
  blockexplorerLink: ['transaction.blockexplorer_link'],
  note: ['transaction.note'],
};

/** The members of `TransactionDetails`. */
export const detailFields = Object.keys(wirePaths).filter(isDetailField);
const columns = getTableColumns(transactions);
/** `timestamp` is the time of retrieval; status and identifier have columns of their own in the history. */
const leftOut: ReadonlySet<string> = new Set(['timestamp', 'status', 'transaction_id', 'id']);

function isDetailField(name: string): name is keyof TransactionDetails {
  return Object.hasOwn(wirePaths, name);
}

/** @returns null when nothing but status or timestamp differs */
export function diffTransactions(before: Observed, after: Observed): TransactionRevision | null {
  const changedFields: string[] = [];
  const beforeMembers: string[] = [];
  const afterMembers: string[] = [];
  const explained = new Set<string>();
  for (const field of detailFields) {
    if (before[field] === after[field]) continue;
    const name = columns[field].name;
    changedFields.push(name);
    beforeMembers.push(member(name, JSON.stringify(before[field])));
    afterMembers.push(member(name, JSON.stringify(after[field])));
    for (const path of wirePaths[field]) explained.add(path);
  }
  const leavesBefore = jsonLeaves(before.raw, leftOut);
  const leavesAfter = jsonLeaves(after.raw, leftOut);
  const paths = [...new Set([...leavesBefore.keys(), ...leavesAfter.keys()])].sort();
  for (const path of paths) {
    const was = leavesBefore.get(path);
    const is = leavesAfter.get(path);
    if (was === is || explained.has(path)) continue;
    const name = `raw.${path}`;
    changedFields.push(name);
    if (was !== undefined) beforeMembers.push(member(name, was));
    if (is !== undefined) afterMembers.push(member(name, is));
  }
  if (changedFields.length === 0) return null;
  return { changedFields, before: `{${beforeMembers.join()}}`, after: `{${afterMembers.join()}}` };
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}
