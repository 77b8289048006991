// Decodes transactions (docs/custody-service.md 2.1 to 2.5), with every inconsistency that the document
// names.
import { transactionFields } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { fitsKey, longestKeyBytes } from '../../domain/page.ts';
import { flatTransactionNames, type Transaction } from '../../domain/transaction.ts';
import { findList } from './envelope.ts';
import { isObject } from './exact-json.ts';
import { type Reading, Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import { fieldReader, type Holders, lastingNames, tableReader } from './table-reader.ts';
import type { Deviation, Tolerance } from './tolerance.ts';

/**
 * The records of an answer: the envelope's list, a bare list, a single record in the envelope, or the bare
 * record.
 *
 * @returns null when the answer holds no list
 */
export function findTransactions(body: unknown, tolerance: Tolerance): readonly unknown[] | null {
  const list = findList(body, 'transactions', tolerance);
  if (list !== undefined) return list;
  if (!isObject(body) || !isTransaction(body)) return null;
  tolerance.tolerate('record-bare');
  return [body];
}

function isTransaction(body: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(body, name);
  return has('transaction_id') || (has('id') && ['transaction', ...flatTransactionNames].some(has));
}

const readFields = tableReader(transactionFields, openRecord, ['raw', 'contentHash']);

export const transactionDecoder: RecordDecoder<Transaction> = {
  identify: fieldReader(transactionFields.transactionId),
  lastingFields: new Set(lastingNames(transactionFields)),
  decode(record, content, reading) {
    const { raw, hash } = content;
    const transaction: Transaction = readFields(record, reading, { raw, contentHash: hash });
    // An index of the table holds the status.
    if (!fitsKey(transaction.status))
      throw new Undecodable(`its status is longer than ${longestKeyBytes} bytes`);
    return { kind: 'record', key: transaction.transactionId, hash, record: transaction };
  },
};

function openRecord(record: JsonObject, reading: Reading): Holders {
  const details = readDetails(record, reading);
  return {
    transaction: details,
    'transaction.source': readParty(details, 'source', 'source-unreadable', reading),
    'transaction.destination': readParty(details, 'destination', 'destination-unreadable', reading),
  };
}

/** The details: the member `transaction`, or the record itself when it holds their fields. */
function readDetails(record: JsonObject, reading: Reading): JsonObject {
  const details: unknown = record['transaction'];
  if (isObject(details)) return details;
  if (details !== undefined && details !== null) throw new Undecodable('transaction is not an object');
  const flat = flatTransactionNames.some((name) => Object.hasOwn(record, name));
  reading.tolerate(flat ? 'transaction-flat' : 'transaction-missing');
  return flat ? record : {};
}

function readParty(
  details: JsonObject,
  name: 'source' | 'destination',
  deviation: Deviation,
  reading: Reading,
): JsonObject {
  const party: unknown = details[name];
  if (isObject(party)) return party;
  if (party !== undefined && party !== null) reading.tolerate(deviation);
  return {};
}
