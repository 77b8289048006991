// Whether an answer is that of its own request, as far as its content says. A gateway may send one late, twice
// or to another request, and HTTP does not tell (docs/correctness.md, "Its own answer").
import type { EndpointName } from '../../domain/endpoint.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isObject } from './exact-json.ts';

type Has = (...names: readonly string[]) => boolean;

interface Marks {
  /** The name of the list of these records. */
  readonly list: string;
  /** How the error codes of its endpoints begin. */
  readonly codes: string;
  /** Whether a record is one of these, by members that no other has. */
  readonly marks: (has: Has) => boolean;
  /** Members that keep a record from being taken for one of another endpoint. */
  readonly shared: readonly string[];
}

const transaction: Marks = {
  list: 'transactions',
  codes: 'TXN-',
  marks: (has) => has('transaction_id', 'transaction'),
  shared: ['transaction_type', 'source', 'destination'],
};
const balance: Marks = {
  list: 'balance',
  codes: 'BAL-',
  marks: (has) => has('asset_id') && has('balances') && !has('id'),
  shared: ['balances', 'total_balance', 'available_balance'],
};
const vault: Marks = {
  list: 'vaults',
  codes: 'VAL-',
  marks: (has) => has('vault_id', 'vaults_id'),
  shared: [],
};
const entry: Marks = {
  list: 'whitelist',
  codes: 'WHT-',
  marks: (has) => has('whitelist_id', 'entry_id'),
  shared: ['address', 'destination_address', 'wallet_address'],
};

const marksOf: Readonly<Record<EndpointName, Marks>> = {
  transactions: transaction,
  transaction,
  balances: balance,
  balances_by_type: balance,
  vaults: vault,
  vault,
  whitelist: entry,
};

const kinds = [transaction, balance, vault, entry];

function others(endpoint: EndpointName): readonly Marks[] {
  return kinds.filter((marks) => marks !== marksOf[endpoint]);
}

/** Whether a list of this name is of another endpoint. */
export function isForeignList(endpoint: EndpointName, name: string): boolean {
  return others(endpoint).some(({ list }) => list === name);
}

/** Whether an error code is of another endpoint (docs/custody-service.md 7.2). */
export function isForeignCode(endpoint: EndpointName, code: string): boolean {
  return others(endpoint).some(({ codes }) => code.startsWith(codes));
}

/**
 * Whether the object is one record, and so not the envelope of a list: lists in it (the addresses of a vault)
 * are its own.
 */
export function isOneRecord(value: JsonObject): boolean {
  const has = membersOf(value);
  return kinds.some(({ marks }) => marks(has)) || (has('id') && has('name', 'vault_name', 'vault_type'));
}

/** Whether the body is one record of another endpoint. */
export function isForeignBody(endpoint: EndpointName, body: unknown): boolean {
  if (!isObject(body)) return false;
  const has = membersOf(body);
  const own = marksOf[endpoint];
  return !has(own.list) && !own.marks(has) && others(endpoint).some(({ marks }) => marks(has));
}

/** @param configured the name of the identifier of these records, where it is configured */
export function isForeignRecord(endpoint: EndpointName, record: unknown, configured: string | null): boolean {
  if (!isObject(record)) return false;
  const has = membersOf(record);
  const own = marksOf[endpoint];
  if (own.marks(has) || has(...own.shared) || (configured !== null && has(configured))) return false;
  return others(endpoint).some(({ marks }) => marks(has));
}

function membersOf(record: JsonObject): Has {
  return (...names) => names.some((name) => Object.hasOwn(record, name));
}
