// Writes balances (sections 2.6 to 2.8), vaults and whitelist entries, whose bodies section 2.9 does not
// show. Invariant: amounts are the text of the world, digit for digit.
import type { BalanceRecord, VaultRecord, WhitelistRecord } from '../world/records.ts';
import type { Quirks } from './quirks.ts';
import { amountToken, quote } from './transaction-writer.ts';

/** How the bodies that the interface does not show are written. */
export interface DocumentShape {
  /** The field that holds the array of vaults; null for a bare array. */
  readonly vaultsKey: string | null;
  /** The field that holds the array of whitelist entries; null for a bare array. */
  readonly whitelistKey: string | null;
  readonly vaultIdField: string;
  /** `thin` lists show only id and name of a vault; one vault by id is always full. */
  readonly vaultRecord: 'full' | 'thin';
  /** How one vault is written: as an object, or in the envelope of the list. */
  readonly oneVault: 'object' | 'envelope';
  /** True writes the time of the request into each vault and entry, so that they change at every read. */
  readonly retrievedAt: boolean;
}

/** The balance response of section 2.6. */
export function writeBalances(
  balances: readonly BalanceRecord[],
  balanceType: string,
  timestamp: string,
  quirks: Quirks,
): string {
  const elements = balances.map((balance) => writeBalance(balance, quirks));
  return `{"timestamp":"${timestamp}","balance_type":${quote(balanceType)},"balance":[${elements.join(',')}]}`;
}

function writeBalance(balance: BalanceRecord, quirks: Quirks): string {
  const id = balance.assetId;
  if (quirks.has('string-record', id)) return quote(id);
  const numeric = quirks.has('numeric-amounts', id);
  const extra = quirks.has('unknown-fields', id);
  const available = quirks.has('nan-amount', id) ? 'NaN' : balance.available;
  const object = `{"total_balance":${amountToken(balance.total, numeric)},"available_balance":${amountToken(available, numeric)},"processing_balance":${amountToken(balance.processing, numeric)},"staking_balance":${amountToken(balance.staking, numeric)},"claimable_balance":${amountToken(balance.claimable, numeric)}${extra ? ',"x_sandbox_balance":"0"' : ''}}`;
  const balances = quirks.has('balances-array', id) ? `[${object}]` : object;
  const idField = quirks.has('missing-id', id) ? '' : `"asset_id":${quote(id)},`;
  return `{${idField}"asset_name":${quote(balance.assetName)},"network_id":${quote(balance.networkId)},"network_name":${quote(balance.networkName)},"balances":${balances}${extra ? ',"x_sandbox_source":null' : ''}}`;
}

/** The list of vaults. */
export function writeVaults(
  vaults: readonly VaultRecord[],
  timestamp: string,
  shape: DocumentShape,
  quirks: Quirks,
): string {
  const thin = shape.vaultRecord === 'thin';
  const documents = vaults.map((vault) => vaultDocument(vault, timestamp, shape, quirks, thin));
  return list(documents, shape.vaultsKey, timestamp);
}

/** One vault, always in full. */
export function writeVault(
  vault: VaultRecord,
  timestamp: string,
  shape: DocumentShape,
  quirks: Quirks,
): string {
  const document = vaultDocument(vault, timestamp, shape, quirks, false);
  return shape.oneVault === 'object'
    ? JSON.stringify(document)
    : list([document], shape.vaultsKey, timestamp);
}

function vaultDocument(
  vault: VaultRecord,
  timestamp: string,
  shape: DocumentShape,
  quirks: Quirks,
  thin: boolean,
): unknown {
  const id = vault.vaultId;
  const time = shape.retrievedAt ? { timestamp } : {};
  const start = { vault_name: vault.name, ...time };
  const rest = {
    vault_type: vault.vaultType,
    description: vault.description,
    status: 'active',
    created_at: new Date(vault.createdAt).toISOString(),
    addresses: vault.addresses.map(({ networkId, address }) => ({ network_id: networkId, address })),
  };
  return withQuirks(id, shape.vaultIdField, thin ? start : { ...start, ...rest }, quirks);
}

/** The list of whitelist entries. */
export function writeWhitelist(
  entries: readonly WhitelistRecord[],
  timestamp: string,
  shape: DocumentShape,
  quirks: Quirks,
): string {
  const documents = entries.map((entry) => {
    const fields = {
      name: entry.name,
      address: entry.address,
      asset_id: entry.assetId,
      network_id: entry.networkId,
      memo: entry.memo,
      status: entry.status,
      created_at: new Date(entry.createdAt).toISOString(),
      ...(shape.retrievedAt ? { timestamp } : {}),
    };
    return withQuirks(entry.whitelistId, 'whitelist_id', fields, quirks);
  });
  return list(documents, shape.whitelistKey, timestamp);
}

/** A document with its id field, and with the quirks that apply to an undocumented shape. */
function withQuirks(id: string, idField: string, fields: object, quirks: Quirks): unknown {
  if (quirks.has('string-record', id)) return id;
  const named = quirks.has('missing-id', id) ? {} : { [quirks.has('id', id) ? 'id' : idField]: id };
  const extra = quirks.has('unknown-fields', id)
    ? { x_sandbox_labels: ['a', null], x_sandbox_risk: { score: 0.1 } }
    : {};
  const nul = quirks.has('nul-note', id) ? { remark: 'nul\u0000here' } : {};
  const surrogate = quirks.has('surrogate-note', id) ? { comment: 'lone\ud83dhere' } : {};
  return { ...named, ...fields, ...extra, ...nul, ...surrogate };
}

function list(documents: readonly unknown[], key: string | null, timestamp: string): string {
  return JSON.stringify(key === null ? documents : { timestamp, [key]: documents });
}
