// Decodes transactions (docs/custody-service.md 2.1 to 2.5) and balances (2.6 to 2.8), with every
// inconsistency that the document names; and vaults and whitelist entries, which are not documented (2.9).
// Their id is the first of these: the configured field, the first of the kind's `ids` that is not empty, for
// a whitelist entry its address, asset and network together, then the digest of its content.
import type { DocumentRules } from '../../base/config/config.ts';
import { type Balance, balanceKey } from '../../domain/balance.ts';
import type { Vault, VaultType, WhitelistEntry } from '../../domain/document.ts';
import {
  balanceAmountNames,
  balanceFields,
  balanceNames,
  entryAttributes,
  type Fields,
  transactionFields,
  vaultAttributes,
} from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { fitsKey, longestKeyBytes } from '../../domain/page.ts';
import { flatTransactionNames, type Transaction } from '../../domain/transaction.ts';
import { isObject } from './exact-json.ts';
import {
  type Deviation,
  fieldReader,
  firstTextReader,
  type Holders,
  lastingNames,
  type Reading,
  readIdentity,
  tableReader,
  Undecodable,
} from './fields.ts';
import type { Content, RecordDecoder } from './items.ts';
import { idsOf, kinds } from './lists.ts';

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

const readVault = attributeReader(vaultAttributes);
const readEntry = attributeReader(entryAttributes);
const { address, assetId, networkId } = entryAttributes;
const readIdParts = attributeReader({ address: { ...address, kind: 'identity' }, assetId, networkId });

function attributeReader<Table extends Fields>(attributes: Table) {
  return tableReader(attributes, () => ({}), [], firstTextReader);
}

/** @param filter the vault type that the list was filtered by; it counts for a record that names none */
export function vaultDecoder(rules: DocumentRules, filter: VaultType | null): RecordDecoder<Vault> {
  const identify = (record: JsonObject, reading: Reading) =>
    readId(record, idsOf(kinds.vault, rules.vaultId), reading);
  return {
    identify,
    lastingFields: new Set([...idsOf(kinds.vault, rules.vaultId), ...lastingNames(vaultAttributes)]),
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
    readId(record, idsOf(kinds.entry, rules.whitelistId), reading) ?? composedId(record, reading);
  return {
    identify,
    lastingFields: new Set([...idsOf(kinds.entry, rules.whitelistId), ...lastingNames(entryAttributes)]),
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

function documentBody({ raw, hash }: Content) {
  return { document: raw, contentHash: hash };
}

function readId(record: JsonObject, names: readonly string[], reading: Reading): string | null {
  for (const name of names) {
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
