// Decodes balances (docs/custody-service.md 2.6 to 2.8). The document describes `balances` as an array and
// shows it as an object.
import { type Balance, type BalanceVaultType, balanceKey, balanceVaultTypes } from '../../domain/balance.ts';
import { balanceAmountNames, balanceFields, balanceNames } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { findList } from './envelope.ts';
import { isObject } from './exact-json.ts';
import { type Reading, Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import { lastingNames, tableReader } from './table-reader.ts';
import type { Tolerance } from './tolerance.ts';

/**
 * The elements of an answer.
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

const readNames = tableReader(balanceNames, () => ({}));
const readFields = tableReader(
  balanceFields,
  (record, reading) => ({ balances: readAmounts(record, reading) }),
  ['raw'],
);

export const balanceDecoder: RecordDecoder<Balance> = {
  lastingFields: new Set(lastingNames(balanceFields)),
  identify: (record, reading) => balanceKey(readNames(record, reading, {})),
  decode(record, content, reading) {
    const balance: Balance = readFields(record, reading, { raw: content.raw });
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
