// Finds the records of an answer, and whether it answers its own request, as far as its content says. A
// gateway may send an answer late, twice or to another request, and HTTP does not show it
// (docs/correctness.md, "Its own answer").
import type { DocumentRules } from '../../base/config/config.ts';
import { type BalanceVaultType, balanceVaultTypes } from '../../domain/balance.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { flatTransactionNames } from '../../domain/transaction.ts';
import { isObject } from './exact-json.ts';
import type { Tolerance } from './fields.ts';

type Has = (...names: readonly string[]) => boolean;

/** The four kinds of records. */
export interface RecordKind {
  /** The name of the list of these records. */
  readonly list: string;
  /** How the error codes of its endpoints begin (docs/custody-service.md 7.2). */
  readonly codes: string;
  /** The names of the identifier of a record that is not documented; the first that is not empty counts. */
  readonly ids: readonly string[];
  /** Whether a record is one of these, by members that no other has. */
  readonly marks: (has: Has) => boolean;
  /** Members that keep a record from being taken for one of another kind. */
  readonly shared: readonly string[];
}

export const kinds = {
  transaction: {
    list: 'transactions',
    codes: 'TXN-',
    ids: [],
    marks: (has) => has('transaction_id', 'transaction'),
    shared: ['transaction_type', 'source', 'destination'],
  },
  balance: {
    list: 'balance',
    codes: 'BAL-',
    ids: [],
    marks: (has) => has('asset_id') && has('balances') && !has('id'),
    shared: ['balances', 'total_balance', 'available_balance'],
  },
  vault: {
    list: 'vaults',
    codes: 'VAL-',
    ids: ['vault_id', 'vaults_id', 'id'],
    marks: (has) => has('vault_id', 'vaults_id'),
    shared: [],
  },
  entry: {
    list: 'whitelist',
    codes: 'WHT-',
    ids: ['whitelist_id', 'entry_id', 'id', 'destination_id'],
    marks: (has) => has('whitelist_id', 'entry_id'),
    shared: ['address', 'destination_address', 'wallet_address'],
  },
} as const satisfies Record<string, RecordKind>;

const allKinds: readonly RecordKind[] = Object.values(kinds);

function isAnyOf(others: RecordKind, test: (kind: RecordKind) => boolean): boolean {
  return allKinds.some((kind) => kind !== others && test(kind));
}

/** Whether an error code belongs to another kind. */
export function isForeignCode(own: RecordKind, code: string): boolean {
  return isAnyOf(own, ({ codes }) => code.startsWith(codes));
}

/** Whether the body is one record of another kind. */
export function isForeignBody(own: RecordKind, body: unknown): boolean {
  if (!isObject(body)) return false;
  const has = membersOf(body);
  return !has(own.list) && !own.marks(has) && isAnyOf(own, ({ marks }) => marks(has));
}

/** @param configured the name of the identifier of these records, where it is configured */
export function areForeignRecords(
  own: RecordKind,
  records: readonly unknown[],
  configured: string | null,
): boolean {
  const isForeign = (record: unknown) => {
    if (!isObject(record)) return false;
    const has = membersOf(record);
    if (own.marks(has) || has(...own.shared) || (configured !== null && has(configured))) return false;
    return isAnyOf(own, ({ marks }) => marks(has));
  };
  return records.length > 0 && records.every(isForeign);
}

/** Whether the list has the name of its kind, or a record members that no other kind has. */
export function isNamedList(own: RecordKind, body: unknown, records: readonly unknown[]): boolean {
  const isNamed = isObject(body) && membersOf(body)(own.list);
  return isNamed || records.some((record) => isObject(record) && own.marks(membersOf(record)));
}

/**
 * Whether the object is one record, and so not the envelope of a list: lists in it (the addresses of a vault)
 * are its own.
 */
function isOneRecord(value: JsonObject): boolean {
  const has = membersOf(value);
  return allKinds.some(({ marks }) => marks(has)) || (has('id') && has('name', 'vault_name', 'vault_type'));
}

function membersOf(record: JsonObject): Has {
  return (...names) => names.some((name) => Object.hasOwn(record, name));
}

/** The records in a body; null when it holds no list. */
type Found = readonly unknown[] | null;

function bareList(body: unknown, { tolerate }: Tolerance): Found {
  if (!isArray(body)) return null;
  tolerate('list-bare');
  return body;
}

/**
 * The list: the member `name` of the body, or a bare array. A single record in the place of the list counts
 * as a list of one.
 *
 * @returns undefined when the body is an object without such a member
 */
function findList(body: unknown, { list: name }: RecordKind, tolerance: Tolerance): Found | undefined {
  if (!isObject(body)) return bareList(body, tolerance);
  const list: unknown = Object.hasOwn(body, name) ? body[name] : undefined;
  if (list === undefined || Array.isArray(list)) return list;
  if (!isObject(list)) return null;
  tolerance.tolerate('list-single');
  return [list];
}

/** The envelope's list, a bare list, a single record in the envelope, or the bare record. */
export function findTransactions(body: unknown, tolerance: Tolerance): Found {
  const list = findList(body, kinds.transaction, tolerance);
  if (list !== undefined || !isObject(body)) return list ?? null;
  const has = membersOf(body);
  if (!has('transaction_id') && !(has('id') && has('transaction', ...flatTransactionNames))) return null;
  tolerance.tolerate('record-bare');
  return [body];
}

/** The vault type that an answer names, in any case; undefined without a documented one. */
export function balanceTypeOf(body: unknown): BalanceVaultType | undefined {
  const named = isObject(body) ? String(body['balance_type']).toLowerCase() : null;
  return balanceVaultTypes.find((type) => type === named);
}

/**
 * @returns null also when the answer names another vault type than `vaultType`: then the service ignored the
 *   path, and the figures belong to another vault type
 */
export function findBalances(body: unknown, vaultType: BalanceVaultType, tolerance: Tolerance): Found {
  const named = balanceTypeOf(body);
  if (named !== undefined && named !== vaultType) return null;
  const list = findList(body, kinds.balance, tolerance);
  if (list !== undefined || !isObject(body)) return list ?? null;
  const renamed: unknown = Object.hasOwn(body, 'balances') ? body['balances'] : undefined;
  if (!Array.isArray(renamed)) return null;
  tolerance.tolerate('list-renamed');
  return renamed;
}

/**
 * The list of vaults or whitelist entries, whose bodies are not documented (docs/custody-service.md 2.9): the
 * first of these, at the top level or one level down: the array that configuration names, the array named
 * after the kind, an array of objects, an empty array; never one that is named after another kind, or inside
 * a record. A bare array is a list.
 */
export function findDocuments(
  body: unknown,
  kind: RecordKind,
  configured: string | null,
  tolerance: Tolerance,
): Found {
  if (!isObject(body)) return bareList(body, tolerance);
  const levels = [body, ...Object.values(body).filter(isObject)];
  for (const name of configured === null ? [kind.list] : [configured, kind.list]) {
    for (const level of levels) {
      const list: unknown = Object.hasOwn(level, name) ? level[name] : undefined;
      if (Array.isArray(list)) return list;
    }
  }
  const arrays = levels
    .filter((level) => !isOneRecord(level))
    .flatMap((level) => Object.entries(level))
    .filter(([name]) => !isAnyOf(kind, ({ list }) => list === name))
    .map(([, member]) => member)
    .filter(isArray);
  const list = arrays.find((array) => array.some(isObject)) ?? arrays.find((array) => array.length === 0);
  if (list !== undefined) tolerance.tolerate('list-renamed');
  return list ?? null;
}

/**
 * The record of GET /vaults/{vaults_id}: the body, its member `vault`, `vaults` or `data`, or the records of
 * a list.
 */
export function findVault(
  body: unknown,
  { vaultId, vaultsArray }: Pick<DocumentRules, 'vaultId' | 'vaultsArray'>,
  tolerance: Tolerance,
): Found {
  if (isObject(body)) {
    if (idsOf(kinds.vault, vaultId).some((name) => typeof body[name] === 'string')) return [body];
    for (const name of ['vault', 'vaults', 'data']) if (isObject(body[name])) return [body[name]];
  }
  return findDocuments(body, kinds.vault, vaultsArray, tolerance);
}

/** The names of the identifier, the configured one first. */
export function idsOf({ ids }: RecordKind, configured: string | null): readonly string[] {
  return configured === null ? ids : [configured, ...ids];
}

function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
