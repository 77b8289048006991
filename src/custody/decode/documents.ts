// Finds and decodes vaults and whitelist entries, whose bodies are not documented (docs/custody-service.md
// 2.9). The guesses about their attributes are in domain/fields.ts, all others in this file.
//
// The list is the first of these, at the top level or one level down: the array that configuration names, the
// array named after the resource, an array of objects, an empty array; never one that is named after
// another resource, or inside a record. A bare array is a list. The id is the first of these: the field that
// configuration names, the first of `idFields` that is not empty, and for a whitelist entry its address,
// asset and network together, then the digest of its content.
import type { DocumentRules } from '../../base/config/config.ts';
import type { Vault, VaultType, WhitelistEntry } from '../../domain/document.ts';
import { entryAttributes, type Fields, vaultAttributes } from '../../domain/fields.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isObject } from './exact-json.ts';
import {
  firstTextReader,
  lastingNames,
  type Reading,
  readIdentity,
  tableReader,
  Undecodable,
} from './fields.ts';
import type { Content, RecordDecoder } from './items.ts';
import { isForeignList, isOneRecord } from './own-answers.ts';
import type { Tolerance } from './tolerance.ts';

const idFields = {
  vault: ['vault_id', 'vaults_id', 'id'],
  whitelist: ['whitelist_id', 'entry_id', 'id', 'destination_id'],
} as const;

const readVault = attributeReader(vaultAttributes);
const readEntry = attributeReader(entryAttributes);
const { address, assetId, networkId } = entryAttributes;
const readIdParts = attributeReader({ address: { ...address, kind: 'identity' }, assetId, networkId });

function attributeReader<Table extends Fields>(attributes: Table) {
  return tableReader(attributes, () => ({}), [], firstTextReader);
}

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
  const envelopes = levels.filter((level) => !isOneRecord(level));
  const arrays = envelopes.flatMap((level) =>
    Object.entries(level).flatMap(([name, member]) =>
      isArray(member) && !isForeignList(resource, name) ? [member] : [],
    ),
  );
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
    lastingFields: lastingFields(rules.vaultId, idFields.vault, vaultAttributes),
    decode(record, content, reading) {
      const vaultId = identify(record, reading);
      if (vaultId === null) throw new Undecodable('no identifier was found in the record');
      const attributes = readVault(record, reading, {});
      const vaultType = attributes.vaultType ?? filter;
      const vault: Vault = { vaultId, ...attributes, vaultType, ...documentBody(content) };
      return { kind: 'record', key: vaultId, hash: content.hash, record: vault };
    },
  };
}

export function whitelistDecoder(rules: DocumentRules): RecordDecoder<WhitelistEntry> {
  const identify = (record: JsonObject, reading: Reading) =>
    readId(record, rules.whitelistId, idFields.whitelist, reading) ?? composedId(record, reading);
  return {
    identify,
    lastingFields: lastingFields(rules.whitelistId, idFields.whitelist, entryAttributes),
    decode(record, content, reading) {
      let entryId = identify(record, reading);
      if (entryId === null) {
        reading.tolerate('id-from-content');
        entryId = content.hash;
      }
      const entry: WhitelistEntry = {
        entryId,
        ...readEntry(record, reading, {}),
        ...documentBody(content),
      };
      return { kind: 'record', key: entryId, hash: content.hash, record: entry };
    },
  };
}

function lastingFields(
  configured: string | null,
  ids: readonly string[],
  attributes: Fields,
): ReadonlySet<string> {
  return new Set([...ids, ...lastingNames(attributes), ...(configured === null ? [] : [configured])]);
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
  const { address, assetId, networkId } = readIdParts(record, reading, {});
  if (address === null || address === '') return null;
  reading.tolerate('id-composed');
  return [address, assetId ?? '', networkId ?? ''].join('|');
}

function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
