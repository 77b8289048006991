// Decodes transactions (docs/custody-service.md 2.1 to 2.5) and balances (2.6 to 2.8), with every
// inconsistency that the document names.
import { type Balance, type BalanceVaultType, balanceKey, balanceVaultTypes } from '../../domain/balance.ts';
import { balanceAmountNames, balanceFields, balanceNames, transactionFields } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { fitsKey, longestKeyBytes } from '../../domain/page.ts';
import { flatTransactionNames, type Transaction } from '../../domain/transaction.ts';
import { isObject } from './exact-json.ts';
import { fieldReader, type Holders, lastingNames, type Reading, tableReader, Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import type { Deviation, Tolerance } from './tolerance.ts';

/**
 * The list: the member `name` of the body, or a bare array. A single record in the place of the list counts
 * as a list of one.
 *
 * @returns undefined when the body has no such member; null when the member, or the body, is something else
 */
function findList(
  body: unknown,
  name: string,
  { tolerate }: Tolerance,
): readonly unknown[] | null | undefined {
  if (Array.isArray(body)) {
    tolerate('list-bare');
    return body;
  }
  if (!isObject(body)) return null;
  const list: unknown = Object.hasOwn(body, name) ? body[name] : undefined;
  if (list === undefined || Array.isArray(list)) return list;
  if (!isObject(list)) return null;
  tolerate('list-single');
  return [list];
}

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

const readTransaction = tableReader(transactionFields, openRecord, ['raw', 'contentHash']);

export const transactionDecoder: RecordDecoder<Transaction> = {
  identify: fieldReader(transactionFields.transactionId),
  lastingFields: new Set(lastingNames(transactionFields)),
  decode(record, content, reading) {
    const { raw, hash } = content;
    const transaction: Transaction = readTransaction(record, reading, { raw, contentHash: hash });
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

/**
 * The elements of an answer. The document describes their `balances` as an array and shows it as an object.
 *
 * @returns null when the answer holds no list, or names another vault type than `vaultType`: then the service
 *   ignored the path, and the figures are of another vault type
 */
export function findBalances(
  body: unknown,
  vaultType: BalanceVaultType,
  tolerance: Tolerance,
): readonly unknown[] | null {
  const named = isObject(body)
    ? balanceVaultTypes.find((known) => known === body['balance_type'])
    : undefined;
  if (named !== undefined && named !== vaultType) return null;
  const list = findList(body, 'balance', tolerance);
  if (list !== undefined) return list;
  const renamed: unknown = isObject(body) && Object.hasOwn(body, 'balances') ? body['balances'] : undefined;
  if (!Array.isArray(renamed)) return null;
  tolerance.tolerate('list-renamed');
  return renamed;
}

const readBalanceNames = tableReader(balanceNames, () => ({}));
const readBalance = tableReader(
  balanceFields,
  (record, reading) => ({ balances: readAmounts(record, reading) }),
  ['raw'],
);

export const balanceDecoder: RecordDecoder<Balance> = {
  lastingFields: new Set(lastingNames(balanceFields)),
  identify: (record, reading) => balanceKey(readBalanceNames(record, reading, {})),
  decode(record, content, reading) {
    const balance: Balance = readBalance(record, reading, { raw: content.raw });
    return { kind: 'record', key: balanceKey(balance), hash: content.hash, record: balance };
  },
};

function readAmounts(record: JsonObject, reading: Reading): JsonObject {
  const balances: unknown = record['balances'];
  if (isObject(balances)) return balances;
  if (Array.isArray(balances) && balances.length > 0) {
    const [only] = balances;
    if (balances.length > 1) throw new Undecodable(`balances is an array of ${balances.length}`);
    if (!isObject(only)) throw new Undecodable('balances is an array whose element is not an object');
    reading.tolerate('balances-array');
    return only;
  }
  if (balances !== undefined && balances !== null && !Array.isArray(balances))
    throw new Undecodable('balances is neither an object nor an array');
  const flat = balanceAmountNames.some((name) => Object.hasOwn(record, name));
  reading.tolerate(flat ? 'balances-flat' : 'balances-missing');
  return flat ? record : {};
}
