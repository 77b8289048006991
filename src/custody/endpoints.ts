// The endpoint table: everything in which the seven operations of docs/custody-service.md 4 differ, and their
// addresses. `emptyCodes` mean that nothing matched: the service sends an error instead of an empty list.
// Invariant: an id is always one path segment, whatever it contains.
import type { DocumentRules } from '../base/config/config.ts';
import type { Balance, BalanceVaultType } from '../domain/balance.ts';
import type { Vault, VaultType, WhitelistEntry } from '../domain/document.ts';
import type { EndpointName, Fact } from '../domain/endpoint.ts';
import { CustodyError } from '../domain/errors.ts';
import { isStorable } from '../domain/json.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Tolerance } from './decode/fields.ts';
import type { RecordDecoder } from './decode/items.ts';
import {
  balanceTypeOf,
  findBalances,
  findDocuments,
  findTransactions,
  findVault,
  kinds,
  type RecordKind,
} from './decode/lists.ts';
import { balanceDecoder, transactionDecoder, vaultDecoder, whitelistDecoder } from './decode/records.ts';
import { fault } from './http/transport.ts';

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
  readonly kind: RecordKind;
  /** Path below the base address; `{id}` stands for one segment. */
  readonly path: string;
  /** The second spelling of the path in the documentation. */
  readonly otherPath?: string;
  readonly emptyCodes: readonly string[];
  /** The records in a body; null when it holds no list. */
  find(body: unknown, asked: Asked, tolerance: Tolerance): readonly unknown[] | null;
  /** The configured name of the identifier. */
  readonly idField?: (rules: DocumentRules) => string | null;
  /** Whether the body names what was asked for, so that no other request has this answer. */
  readonly isTelling?: (body: unknown) => boolean;
  decoder(asked: Asked): RecordDecoder<Record_>;
}

/** docs/custody-service.md 4.1 */
const transactions: Endpoint<Transaction> = {
  name: 'transactions',
  kind: kinds.transaction,
  path: '/transactions',
  emptyCodes: ['TXN-02'],
  find: (body, _, tolerance) => findTransactions(body, tolerance),
  decoder: () => transactionDecoder,
};

/** docs/custody-service.md 4.2 */
const transaction: Endpoint<Transaction> = {
  ...transactions,
  name: 'transaction',
  path: '/transactions/{id}',
  otherPath: '/transaction/{id}',
  emptyCodes: ['TXN-04'],
};

/** docs/custody-service.md 4.3 */
const balances: Endpoint<Balance> = {
  name: 'balances',
  kind: kinds.balance,
  path: '/balances',
  emptyCodes: ['BAL-00', 'BAL-01'],
  find: (body, asked, tolerance) => findBalances(body, asked.balances ?? 'all', tolerance),
  isTelling: (body) => balanceTypeOf(body) !== undefined,
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
  kind: kinds.vault,
  path: '/vaults',
  emptyCodes: ['VAL-01'],
  find: (body, { rules }, tolerance) => findDocuments(body, kinds.vault, rules.vaultsArray, tolerance),
  idField: ({ vaultId }) => vaultId,
  // A thin record does not name its type.
  isTelling: () => false,
  decoder: ({ rules, vaults: filter }) => vaultDecoder(rules, filter ?? null),
};

/** docs/custody-service.md 4.6 */
const vault: Endpoint<Vault> = {
  name: 'vault',
  kind: kinds.vault,
  path: '/vaults/{id}',
  emptyCodes: ['VAL-02'],
  find: (body, { rules }, tolerance) => findVault(body, rules, tolerance),
  idField: ({ vaultId }) => vaultId,
  decoder: ({ rules }) => vaultDecoder(rules, null),
};

/** docs/custody-service.md 4.7 */
const whitelist: Endpoint<WhitelistEntry> = {
  name: 'whitelist',
  kind: kinds.entry,
  path: '/whitelist',
  emptyCodes: ['WHT-00'],
  find: (body, { rules }, tolerance) => findDocuments(body, kinds.entry, rules.whitelistArray, tolerance),
  idField: ({ whitelistId }) => whitelistId,
  decoder: ({ rules }) => whitelistDecoder(rules),
};

export const endpoints = { transactions, transaction, balances, balancesByType, vaults, vault, whitelist };

/** Parameters in the order in which they are sent; undefined ones are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

export interface Target {
  readonly id?: string;
  readonly query?: QueryParameters;
  readonly spelling?: PathSpelling;
}

/** @throws CustodyError `permanent` when the id cannot be a path segment */
export function endpointUrl(endpoint: Endpoint<unknown>, baseUrl: URL, target: Target): URL {
  const path = target.spelling === 'singular' ? (endpoint.otherPath ?? endpoint.path) : endpoint.path;
  const url = new URL(baseUrl);
  const segment = target.id === undefined ? '' : encodedSegment(endpoint, target.id);
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path.replace('{id}', segment);
  for (const [name, value] of Object.entries(target.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function encodedSegment({ name }: Endpoint<unknown>, id: string): string {
  // URL parsers read `.` and `..` as steps in the path, encoded or not.
  if (id !== '' && id !== '.' && id !== '..' && isStorable(id)) return encodeURIComponent(id);
  throw fault({ endpoint: name }, 'BAD-ID', `${JSON.stringify(id)} cannot be part of a path`);
}

/** The documentation spells the path both ways. */
const spellings = ['plural', 'singular'] as const;
type PathSpelling = (typeof spellings)[number];

const factOfPath = 'transaction_path';

export function createLearnedPath(facts: ReadonlyMap<string, string>, onFact: (fact: Fact) => void) {
  return {
    /** Reads with the spelling known to work, and with the other if there is no such path. */
    async read<Result>(attempt: (spelling: PathSpelling) => Promise<Result>): Promise<Result> {
      const known = facts.get(factOfPath);
      let missing: unknown;
      for (const spelling of known === 'singular' ? spellings.toReversed() : spellings) {
        try {
          const result = await attempt(spelling);
          const evidence = `a transaction was answered by its id with the ${spelling} path`;
          if (spelling !== known) onFact({ fact: factOfPath, value: spelling, evidence });
          return result;
        } catch (error) {
          if (!isMissingPath(error)) throw error;
          missing ??= error;
        }
      }
      // When neither spelling exists, report the first answer.
      throw missing;
    },
  };
}

/** Whether the answer says that there is no such path. A missing record has an error code instead. */
function isMissingPath(error: unknown): boolean {
  return (
    error instanceof CustodyError &&
    error.fault.kind === 'permanent' &&
    [404, 405, 410].includes(error.fault.httpStatus ?? 0)
  );
}
