// Finds and decodes vaults and whitelist entries, whose bodies interface.md does not show (2.9). All guesses about them are
// in this file.
//
// The list is the first of these, at the top level or one level down: the array that configuration names, the array named
// after the resource, an array of objects, an empty array. A bare array is a list.
// The id is the first of these: the field that configuration names, the first of `idFields` that is not empty, and for a
// whitelist entry its address, asset and network together, then the digest of its content.
import type { DocumentRules } from '../../base/config/config.ts';
import type { Vault, VaultType, WhitelistEntry } from '../../domain/document.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isObject } from './content.ts';
import { type Reading, readIdentity, readText, Undecodable } from './fields.ts';
import type { Content, RecordDecoder } from './items.ts';
import type { Tolerance } from './tolerance.ts';

const idFields = {
  vault: ['vault_id', 'vaults_id', 'id'],
  whitelist: ['whitelist_id', 'entry_id', 'id', 'destination_id'],
} as const;

const nameFields = {
  vault: ['name', 'vault_name', 'label'],
  whitelist: ['name', 'whitelist_name', 'label', 'destination_name'],
} as const;

const entryFields = {
  address: ['address', 'destination_address', 'wallet_address'],
  assetId: ['asset_id', 'asset'],
  networkId: ['network_id', 'network'],
} as const;

/** The records of a list answer; null when the answer holds no list. */
export function findDocuments(
  body: unknown,
  resource: 'vaults' | 'whitelist',
  configured: string | null,
  tolerance: Tolerance,
): readonly unknown[] | null {
  if (Array.isArray(body)) {
    tolerance.tolerate('list-bare');
    return body;
  }
  if (!isObject(body)) return null;
  const levels = [body, ...Object.values(body).filter(isObject)];
  for (const name of configured === null ? [resource] : [configured, resource]) {
    for (const level of levels) {
      const list: unknown = Object.hasOwn(level, name) ? level[name] : undefined;
      if (Array.isArray(list)) return list;
    }
  }
  const arrays = levels.flatMap((level) => Object.values(level).filter(isArray));
  const list = arrays.find((array) => array.some(isObject)) ?? arrays.find((array) => array.length === 0);
  if (list !== undefined) tolerance.tolerate('list-renamed');
  return list ?? null;
}

/** The record of GET /vaults/{vaults_id}: the body, its member `vault`, `vaults` or `data`, or the records of a list. */
export function findVault(
  body: unknown,
  rules: DocumentRules,
  tolerance: Tolerance,
): readonly unknown[] | null {
  if (isObject(body)) {
    const names = rules.vaultId === null ? idFields.vault : [rules.vaultId, ...idFields.vault];
    if (names.some((name) => typeof body[name] === 'string')) return [body];
    for (const name of ['vault', 'vaults', 'data']) if (isObject(body[name])) return [body[name]];
  }
  return findDocuments(body, 'vaults', rules.vaultsArray, tolerance);
}

/** @param filter the vault type that the list was filtered by; it counts for a record that names none */
export function vaultDecoder(rules: DocumentRules, filter: VaultType | null): RecordDecoder<Vault> {
  const identify = (record: JsonObject, reading: Reading) =>
    readId(record, rules.vaultId, idFields.vault, reading);
  return {
    identify,
    lastingFields: fieldSet(rules.vaultId, idFields.vault, nameFields.vault),
    decode(record, content, reading) {
      const vaultId = identify(record, reading);
      if (vaultId === null) throw new Undecodable('no identifier was found in the record');
      const vault: Vault = {
        vaultId,
        vaultType: firstIdentity(record, ['vault_type', 'type'], reading) ?? filter,
        name: firstText(record, nameFields.vault, reading),
        ...documentBody(content),
      };
      return { kind: 'record', key: vaultId, hash: content.hash, record: vault };
    },
  };
}

export function whitelistDecoder(rules: DocumentRules): RecordDecoder<WhitelistEntry> {
  const identify = (record: JsonObject, reading: Reading) =>
    readId(record, rules.whitelistId, idFields.whitelist, reading) ?? composedId(record, reading);
  const { address, assetId, networkId } = entryFields;
  return {
    identify,
    lastingFields: fieldSet(
      rules.whitelistId,
      idFields.whitelist,
      nameFields.whitelist,
      address,
      assetId,
      networkId,
    ),
    decode(record, content, reading) {
      let entryId = identify(record, reading);
      if (entryId === null) {
        reading.tolerate('id-from-content');
        entryId = content.hash;
      }
      const entry: WhitelistEntry = {
        entryId,
        name: firstText(record, nameFields.whitelist, reading),
        address: firstText(record, entryFields.address, reading),
        assetId: firstIdentity(record, entryFields.assetId, reading),
        networkId: firstIdentity(record, entryFields.networkId, reading),
        ...documentBody(content),
      };
      return { kind: 'record', key: entryId, hash: content.hash, record: entry };
    },
  };
}

function fieldSet(configured: string | null, ...names: readonly (readonly string[])[]): ReadonlySet<string> {
  return new Set([...names.flat(), ...(configured === null ? [] : [configured])]);
}

function documentBody({ raw, hash }: Content) {
  return { document: raw, contentHash: hash };
}

function readId(
  record: JsonObject,
  configured: string | null,
  names: readonly string[],
  reading: Reading,
): string | null {
  for (const name of configured === null ? names : [configured, ...names]) {
    const id = readIdentity(record, name, reading);
    if (id !== null && id !== '') return id;
  }
  return null;
}

function composedId(record: JsonObject, reading: Reading): string | null {
  const address = firstIdentity(record, entryFields.address, reading);
  if (address === null || address === '') return null;
  reading.tolerate('id-composed');
  const assetId = firstIdentity(record, entryFields.assetId, reading) ?? '';
  const networkId = firstIdentity(record, entryFields.networkId, reading) ?? '';
  return [address, assetId, networkId].join('|');
}

function firstText(record: JsonObject, names: readonly string[], reading: Reading): string | null {
  for (const name of names) if (typeof record[name] === 'string') return readText(record, name, reading);
  return null;
}

function firstIdentity(record: JsonObject, names: readonly string[], reading: Reading): string | null {
  for (const name of names) if (typeof record[name] === 'string') return readIdentity(record, name, reading);
  return null;
}

function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
