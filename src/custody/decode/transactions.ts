// Decodes transactions (interface.md 2.1 to 2.5), with every inconsistency that the document names.
import type { JsonObject } from '../../domain/json.ts';
import { type DecodedItem, fitsKey, longestKeyBytes } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { isObject } from './content.ts';
import { findList } from './envelope.ts';
import { type Reading, readAmount, readIdentity, readText, readTimestamp, Undecodable } from './fields.ts';
import type { Content, RecordDecoder } from './items.ts';
import type { Deviation, Tolerance } from './tolerance.ts';

/**
 * The records of an answer: the envelope's list, a bare list, a single record in the envelope, or the bare record.
 *
 * @returns null when the answer holds no list
 */
export function findTransactions(body: unknown, tolerance: Tolerance): readonly unknown[] | null {
  const list = findList(body, 'transactions', tolerance);
  if (list !== undefined) return list;
  if (!isObject(body) || !(Object.hasOwn(body, 'transaction_id') || Object.hasOwn(body, 'id'))) return null;
  tolerance.tolerate('record-bare');
  return [body];
}

/** Every field of interface.md 2.2 to 2.5 except `timestamp` and `status`, which change. */
const lastingFields: ReadonlySet<string> = new Set([
  'transaction_id',
  'id',
  'transaction',
  'transaction_type',
  'asset_id',
  'asset_name',
  'network_id',
  'network_name',
  'amount',
  'fee',
  'source',
  'source_type',
  'source_id',
  'source_name',
  'source_address',
  'destination',
  'destination_type',
  'destination_id',
  'destination_name',
  'destination_address',
  'memo',
  'vault_id',
  'txn_hash',
  'blockexplorer_link',
  'note',
]);

export const transactionDecoder: RecordDecoder<Transaction> = {
  identify: readId,
  lastingFields,
  decode(record, content, reading) {
    const transactionId = readId(record, reading);
    if (transactionId === null) throw new Undecodable('the record has no transaction_id');
    const status = readIdentity(record, 'status', reading);
    if (status === null || status === '') throw new Undecodable('the record has no status');
    // An index of the table holds the status.
    if (!fitsKey(status)) throw new Undecodable(`its status is longer than ${longestKeyBytes} bytes`);
    return decoded(transactionId, status, record, content, reading);
  },
};

function decoded(
  transactionId: string,
  status: string,
  record: JsonObject,
  content: Content,
  reading: Reading,
): DecodedItem<Transaction> {
  const details = readDetails(record, reading);
  const source = readParty(details, 'source', 'source-unreadable', reading);
  const destination = readParty(details, 'destination', 'destination-unreadable', reading);
  const transaction: Transaction = {
    transactionId,
    status,
    transactionType: documented(readIdentity(details, 'transaction_type', reading), 'changepool', reading),
    assetId: readIdentity(details, 'asset_id', reading),
    assetName: readText(details, 'asset_name', reading),
    networkId: readText(details, 'network_id', reading),
    networkName: readText(details, 'network_name', reading),
    amount: readAmount(details, 'amount', reading),
    fee: readAmount(details, 'fee', reading),
    sourceType: readIdentity(source, 'source_type', reading),
    sourceId: readPartyId(source, 'source_id', reading),
    sourceName: readText(source, 'source_name', reading),
    sourceAddress: readText(source, 'source_address', reading),
    destinationType: documented(readIdentity(destination, 'destination_type', reading), 'stakepool', reading),
    destinationId: readPartyId(destination, 'destination_id', reading),
    destinationName: readText(destination, 'destination_name', reading),
    destinationAddress: readText(destination, 'destination_address', reading),
    destinationMemo: readText(destination, 'memo', reading),
    txnHash: readText(details, 'txn_hash', reading),
    blockexplorerLink: readText(details, 'blockexplorer_link', reading),
    note: readText(details, 'note', reading),
    sourceTimestamp: readTimestamp(record, 'timestamp', reading),
    raw: content.raw,
    contentHash: content.hash,
  };
  return { kind: 'record', key: transactionId, hash: content.hash, record: transaction };
}

/** Some samples use `id` (interface.md 2.5, inconsistencies). */
function readId(record: JsonObject, reading: Reading): string | null {
  const named = readIdentity(record, 'transaction_id', reading);
  if (named !== null && named !== '') return named;
  const alias = readIdentity(record, 'id', reading);
  if (alias === null || alias === '') return null;
  reading.tolerate('id-alias');
  return alias;
}

/** The details: the member `transaction`, or the record itself when it holds their fields. */
function readDetails(record: JsonObject, reading: Reading): JsonObject {
  const details: unknown = record['transaction'];
  if (isObject(details)) return details;
  if (details !== undefined && details !== null) throw new Undecodable('transaction is not an object');
  const flat = ['transaction_type', 'asset_id', 'amount', 'source', 'destination'].some((name) =>
    Object.hasOwn(record, name),
  );
  reading.tolerate(flat ? 'transaction-flat' : 'transaction-missing');
  return flat ? record : nothing;
}

const nothing: JsonObject = {};

function readParty(
  details: JsonObject,
  name: 'source' | 'destination',
  deviation: Deviation,
  reading: Reading,
): JsonObject {
  const party: unknown = details[name];
  if (isObject(party)) return party;
  if (party !== undefined && party !== null) reading.tolerate(deviation);
  return nothing;
}

/** Some samples use `vault_id` inside source (interface.md 2.5, inconsistencies). */
function readPartyId(
  party: JsonObject,
  name: 'source_id' | 'destination_id',
  reading: Reading,
): string | null {
  const named = readText(party, name, reading);
  if (named !== null) return named;
  const alias = readText(party, 'vault_id', reading);
  if (alias !== null) reading.tolerate('vault-id-alias');
  return alias;
}

const spellings = { changepool: 'change pool', stakepool: 'stake pool' } as const;

/** Replaces the spelling without a space, which a sample and an error message use, by the documented one. */
function documented(
  value: string | null,
  undocumented: keyof typeof spellings,
  reading: Reading,
): string | null {
  if (value !== undocumented) return value;
  reading.tolerate(undocumented);
  return spellings[undocumented];
}
