// The columns of a transaction with the members of the sandbox's records that they come from: the one list of
// the tests, stated apart from src/domain/fields.ts, which it is to find wrong.
import type { TransactionRecord } from '../../packages/sandbox/src/world/records.ts';

const members = {
  transaction_id: 'transactionId',
  status: 'status',
  transaction_type: 'transactionType',
  asset_id: 'assetId',
  asset_name: 'assetName',
  network_id: 'networkId',
  network_name: 'networkName',
  amount: 'amount',
  fee: 'fee',
  source_type: 'sourceType',
  source_id: 'sourceId',
  source_name: 'sourceName',
  source_address: 'sourceAddress',
  destination_type: 'destinationType',
  destination_id: 'destinationId',
  destination_name: 'destinationName',
  destination_address: 'destinationAddress',
  destination_memo: 'memo',
  txn_hash: 'txnHash',
  blockexplorer_link: 'blockexplorerLink',
  note: 'note',
} as const satisfies Readonly<Record<string, keyof TransactionRecord>>;

type Column = keyof typeof members;
const names = Object.keys(members) as Column[];

/** For a select from `custody.transactions`: amounts as text. */
export const transactionColumns = names
  .map((name) => (name === 'amount' || name === 'fee' ? `${name}::text` : name))
  .join(', ');

/** The members that the object `transaction` of a record has on the wire (docs/custody-service.md 2.3). */
export const wireDetails: readonly string[] = [
  ...names.slice(names.indexOf('transaction_type')).filter((name) => !/^(source|destination)_/.test(name)),
  'source',
  'destination',
];

/** What the columns hold of a record, each as the record has it. */
export function transactionCells(record: TransactionRecord): Record<Column, string> {
  return Object.fromEntries(names.map((name) => [name, record[members[name]]])) as Record<Column, string>;
}
