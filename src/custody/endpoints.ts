// The endpoint table: everything in which the seven operations of docs/custody-service.md 4 differ.
// `emptyCodes` mean that nothing matched: the service sends an error instead of an empty list.
import type { DocumentRules } from '../base/config/config.ts';
import type { Balance, BalanceVaultType } from '../domain/balance.ts';
import type { Vault, VaultType, WhitelistEntry } from '../domain/document.ts';
import type { EndpointName } from '../domain/endpoint.ts';
import type { Transaction } from '../domain/transaction.ts';
import { balanceDecoder, findBalances } from './decode/balances.ts';
import { isObject } from './decode/content.ts';
import { findDocuments, findVault, vaultDecoder, whitelistDecoder } from './decode/documents.ts';
import type { RecordDecoder } from './decode/items.ts';
import type { Tolerance } from './decode/tolerance.ts';
import { findTransactions, transactionDecoder } from './decode/transactions.ts';

/** The parts of a request that decoding its answer depends on. */
export interface Asked {
  readonly rules: DocumentRules;
  readonly balances?: BalanceVaultType;
  readonly vaults?: VaultType;
  /** What the request asked for that records name, by the names of their fields. */
  readonly fields?: Readonly<Record<string, string | undefined>>;
}

export interface Endpoint<Record_> {
  readonly name: EndpointName;
  /** Path below the base address; `{id}` stands for one segment. */
  readonly path: string;
  /** The second spelling of the path in the documentation. */
  readonly otherPath?: string;
  readonly emptyCodes: readonly string[];
  /** The records in a body; null when it holds no list. */
  find(body: unknown, asked: Asked, tolerance: Tolerance): readonly unknown[] | null;
  /** The configured name of the identifier. */
  readonly idField?: (rules: DocumentRules) => string | null;
  /** Whether the body names what the request asked for, so that no other request has such an answer. */
  readonly isTelling?: (body: unknown) => boolean;
  decoder(asked: Asked): RecordDecoder<Record_>;
}

/** docs/custody-service.md 4.1 */
const transactions: Endpoint<Transaction> = {
  name: 'transactions',
  path: '/transactions',
  emptyCodes: ['TXN-02'],
  find: (body, _, tolerance) => findTransactions(body, tolerance),
  decoder: () => transactionDecoder,
};

/** docs/custody-service.md 4.2 */
const transaction: Endpoint<Transaction> = {
  name: 'transaction',
  path: '/transactions/{id}',
  otherPath: '/transaction/{id}',
  emptyCodes: ['TXN-04'],
  find: (body, _, tolerance) => findTransactions(body, tolerance),
  decoder: () => transactionDecoder,
};

/** docs/custody-service.md 4.3 */
const balances: Endpoint<Balance> = {
  name: 'balances',
  path: '/balances',
  emptyCodes: ['BAL-00', 'BAL-01'],
  find: (body, asked, tolerance) => findBalances(body, asked.balances ?? 'all', tolerance),
  isTelling: (body) => isObject(body) && typeof body['balance_type'] === 'string',
  decoder: () => balanceDecoder,
};

/** docs/custody-service.md 4.4 */
const balancesByType: Endpoint<Balance> = {
  ...balances,
  name: 'balances_by_type',
  path: '/balances/{id}',
};

/** docs/custody-service.md 4.5 */
const vaults: Endpoint<Vault> = {
  name: 'vaults',
  path: '/vaults',
  emptyCodes: ['VAL-01'],
  find: (body, { rules }, tolerance) => findDocuments(body, 'vaults', rules.vaultsArray, tolerance),
  idField: ({ vaultId }) => vaultId,
  // A thin record does not name its type.
  isTelling: () => false,
  decoder: ({ rules, vaults: filter }) => vaultDecoder(rules, filter ?? null),
};

/** docs/custody-service.md 4.6 */
const vault: Endpoint<Vault> = {
  name: 'vault',
  path: '/vaults/{id}',
  emptyCodes: ['VAL-02'],
  find: (body, { rules }, tolerance) => findVault(body, rules, tolerance),
  idField: ({ vaultId }) => vaultId,
  decoder: ({ rules }) => vaultDecoder(rules, null),
};

/** docs/custody-service.md 4.7 */
const whitelist: Endpoint<WhitelistEntry> = {
  name: 'whitelist',
  path: '/whitelist',
  emptyCodes: ['WHT-00'],
  find: (body, { rules }, tolerance) => findDocuments(body, 'whitelist', rules.whitelistArray, tolerance),
  idField: ({ whitelistId }) => whitelistId,
  decoder: ({ rules }) => whitelistDecoder(rules),
};

export const endpoints = { transactions, transaction, balances, balancesByType, vaults, vault, whitelist };
