// The seven operations of docs/custody-service.md 4: from a query to the text of a body. An empty result is
// an error, never an empty list.
import {
  columnOf,
  transactionDetails,
  transactionStatuses,
  transactionTypes,
  vaultTypes,
} from '../../domain/fields.ts';
import { isStorable } from '../../domain/json.ts';
import type { Database } from '../../store/postgres/database.ts';
import { readBalancePage } from '../../store/read-api/custody/balances.ts';
import {
  readVaultDocument,
  readVaultPage,
  readWhitelistPage,
} from '../../store/read-api/custody/documents.ts';
import {
  readTransactionPage,
  readTransactionRecord,
  type TransactionFilter,
} from '../../store/read-api/custody/transactions.ts';
import { readKnownSince } from '../../store/read-api/known-since.ts';
import type { Observed } from '../../store/read-api/list/listing.ts';
import { Refusal, type RefusalCode } from './errors.ts';
import { readQuery } from './parameters.ts';

export interface Call {
  readonly database: Database;
  readonly account: string;
  readonly search: URLSearchParams;
  /** The parameter of the path; empty where it has none. */
  readonly parameter: string;
}

/** Greater limits are silently cut to these: a client pages on by the number of records received. */
const mostRecords = 1_000;
const defaults = { transactions: 200, balances: 50 };

/**
 * The parameters of 4.1 that take any text, and the spelling of a type that docs/custody-service.md 7 has
 * besides that of 2.3.
 */
const textFilters = [
  'transactionId',
  'sourceId',
  'sourceAddress',
  'assetId',
  'networkId',
  'destinationId',
  'destinationAddress',
] as const satisfies readonly (keyof TransactionFilter)[];
const { sent, meant } = transactionDetails.transactionType.spelling;

/** 4.1 */
export async function listTransactions({ database, account, search }: Call): Promise<string> {
  const others = ['limit', 'offset', 'start_date', 'end_date', 'transaction_type', 'status'];
  const query = readQuery(search, [...others, ...textFilters.map(columnOf)]);
  const type = query.oneOf('transaction_type', [...transactionTypes, sent], 'TXN-00');
  const status = query.oneOf('status', transactionStatuses, 'TXN-01');
  const { from, to } = query.dates();
  const texts = textFilters.flatMap((field) => {
    const value = query.text(columnOf(field));
    return value === undefined ? [] : [[field, value] as const];
  });
  const filter: TransactionFilter = {
    ...Object.fromEntries(texts),
    ...(type === undefined ? {} : { transactionType: type === sent ? meant : type }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { firstSeenFrom: from }),
    ...(to === undefined ? {} : { firstSeenTo: to }),
  };
  const window = query.window(defaults.transactions, mostRecords);
  const records = await readTransactionPage(database, account, filter, window);
  if (records.length === 0) throw await nothingFound(database, account, 'transactions', 'TXN-02');
  return `{"transactions":[${records.join()}]}`;
}

/** 4.2 */
export async function showTransaction({ database, account, search, parameter }: Call): Promise<string> {
  readQuery(search, []);
  const record = isStorable(parameter) ? await readTransactionRecord(database, account, parameter) : null;
  if (record === null) throw await nothingFound(database, account, 'transactions', 'TXN-04');
  return `{"transactions":[${record}]}`;
}

/** 4.3 */
export async function listBalances(call: Call): Promise<string> {
  return await balancesOf(call, 'all', defaults.balances);
}

/** 4.4. It has no limit of its own, so that it shows all where none is asked for. */
export async function listBalancesOfType(call: Call): Promise<string> {
  const vaultType = vaultTypes.find((known) => known === call.parameter);
  if (vaultType === undefined) throw new Refusal('BAL-02');
  return await balancesOf(call, vaultType, null);
}

async function balancesOf(
  { database, account, search }: Call,
  vaultType: 'all' | 'warm' | 'cold',
  defaultLimit: number | null,
): Promise<string> {
  const query = readQuery(search, ['asset_id', 'limit', 'offset']);
  const assetId = query.text('asset_id');
  const page = await readBalancePage(database, account, {
    vaultType,
    ...(assetId === undefined ? {} : { assetId }),
    ...query.window(defaultLimit, mostRecords),
  });
  if (page === null || page.elements.length === 0)
    throw await nothingFound(database, account, 'balances', vaultType === 'all' ? 'BAL-00' : 'BAL-01');
  return `{"timestamp":"${page.snapshotAt}","balance_type":"${vaultType}","balance":[${page.elements.join()}]}`;
}

/** 4.5. It has no documented paging, so that it shows all where no limit is asked for. */
export async function listVaults({ database, account, search }: Call): Promise<string> {
  const query = readQuery(search, ['vault_type', 'limit', 'offset']);
  const vaultType = query.oneOf('vault_type', vaultTypes, 'VAL-00');
  const documents = await readVaultPage(database, account, {
    ...(vaultType === undefined ? {} : { vaultType }),
    ...query.window(null, mostRecords),
  });
  if (documents.length === 0) throw await nothingFound(database, account, 'vault', 'VAL-01');
  return `{"vaults":[${documents.join()}]}`;
}

/** 4.6 */
export async function showVault({ database, account, search, parameter }: Call): Promise<string> {
  readQuery(search, []);
  const document = isStorable(parameter) ? await readVaultDocument(database, account, parameter) : null;
  if (document === null) throw await nothingFound(database, account, 'vault', 'VAL-02');
  return document;
}

/**
 * 4.7. No parameter is documented; these are columns, and the member of the documents by which an entry is
 * usually shown.
 */
export async function listWhitelist({ database, account, search }: Call): Promise<string> {
  const query = readQuery(search, ['asset_id', 'network_id', 'status', 'limit', 'offset']);
  const [assetId, networkId, status] = ['asset_id', 'network_id', 'status'].map((name) => query.text(name));
  const { documents, isStatusKnown } = await readWhitelistPage(database, account, {
    ...(assetId === undefined ? {} : { assetId }),
    ...(networkId === undefined ? {} : { networkId }),
    ...(status === undefined ? {} : { status }),
    ...query.window(null, mostRecords),
  });
  if (!isStatusKnown) throw await nothingFound(database, account, 'whitelist_entry', 'WHT-01');
  if (documents.length === 0) throw await nothingFound(database, account, 'whitelist_entry', 'WHT-00');
  return `{"whitelist":[${documents.join()}]}`;
}

/** What was never read is unknown, not empty: the mirror cannot say yet that there is nothing. */
async function nothingFound(
  database: Database,
  account: string,
  observed: Observed,
  code: RefusalCode,
): Promise<Refusal> {
  const known = await database.transact('custody.known-since', (tx) => readKnownSince(tx, account, observed));
  if (known !== null && known.since === null)
    return new Refusal('ERR-01', 'these records have not been read yet; try again later');
  return new Refusal(code);
}
