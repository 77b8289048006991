// The seven operations of section 4, from a parsed request to a body. Invariant: an empty result is an error,
// never an empty list, and an answer depends only on the world at that moment.
import type { DocumentShape } from '../wire/document-writer.ts';
import { writeBalances, writeVault, writeVaults, writeWhitelist } from '../wire/document-writer.ts';
import type { Quirks } from '../wire/quirks.ts';
import { TransactionWriter } from '../wire/transaction-writer.ts';
import type { RecordFilter } from '../world/lists.ts';
import { isOneOf, statusIndex, typeIndex, vaultTypes, whitelistStatuses } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { ErrorCode, Reply } from './errors.ts';
import { jsonReply } from './errors.ts';
import { cutWindow, type ListCut, shownBy } from './list-cut.ts';
import { RefusedRequest, type RequestQuery } from './parameters.ts';

/** The names of the operations of section 4 in faults, counters and rate limits. */
export const endpointNames = [
  'transactions',
  'transaction',
  'balances',
  'balances-by-type',
  'vaults',
  'vault',
  'whitelist',
] as const;
export type Endpoint = (typeof endpointNames)[number];

/** What an endpoint does with limit and offset if the interface does not list them. */
export const pagingModes = ['ignored', 'supported', 'refused'] as const;
export type PagingMode = (typeof pagingModes)[number];

interface EndpointOptions {
  readonly shape: DocumentShape;
  readonly cut: ListCut;
  /** Greater limits are silently lowered to this. */
  readonly maxLimit: number;
  /** Greater limits are refused with ERR-00. */
  readonly refuseLimitAbove: number;
  readonly defaultLimit: { readonly transactions: number; readonly others: number };
  readonly paging: { readonly [name in 'balances-by-type' | 'vaults' | 'whitelist']: PagingMode };
  /** What happens to a parameter that the endpoint does not know. */
  readonly unknownParameters: 'ignored' | 'refused';
  readonly quirks: Quirks;
}

/** A parsed request. */
interface Call {
  readonly endpoint: Endpoint;
  /** The parameter of the path; empty when it has none. */
  readonly parameter: string;
  readonly query: RequestQuery;
  /** Time of the request, milliseconds. */
  readonly time: number;
  /** Number of the request; a shuffled list has another order for each. */
  readonly number: number;
  /** Faults that change the answer: offset or limit is ignored. */
  readonly ignoreOffset: boolean;
  readonly ignoreLimit: boolean;
}

/** The code of each endpoint for an empty result (section 7.2). */
export const emptyCodes: Readonly<Record<Endpoint, ErrorCode>> = {
  transactions: 'TXN-02',
  transaction: 'TXN-04',
  balances: 'BAL-00',
  'balances-by-type': 'BAL-01',
  vaults: 'VAL-01',
  vault: 'VAL-02',
  whitelist: 'WHT-00',
};

const transactionParameters = [
  ...[
    'limit',
    'offset',
    'transaction_id',
    'source_id',
    'source_address',
    'asset_id',
    'network_id',
    'start_date',
  ],
  ...['end_date', 'transaction_type', 'destination_id', 'destination_address', 'status'],
];

export class Endpoints {
  readonly #world: World;
  readonly #options: EndpointOptions;
  readonly #writer: TransactionWriter;
  /** The rows of the last page, for faults that depend on a record. */
  lastPage: readonly number[] = [];

  constructor(world: World, options: EndpointOptions) {
    this.#world = world;
    this.#options = options;
    this.#writer = new TransactionWriter(world.table, options.quirks);
  }

  /** Answers a call. @throws RefusedRequest for every error of section 7.2 and for ERR-00 */
  answer(call: Call): Reply {
    this.lastPage = [];
    const timestamp = new Date(call.time).toISOString();
    switch (call.endpoint) {
      case 'transactions':
        return this.#transactions(call, timestamp);
      case 'transaction':
        return this.#transaction(call, timestamp);
      case 'balances':
        return this.#balances(call, timestamp, 'all', 'supported');
      case 'balances-by-type':
        return this.#balancesByType(call, timestamp);
      case 'vaults':
        return this.#vaults(call, timestamp);
      case 'vault':
        return this.#vault(call, timestamp);
      case 'whitelist':
        return this.#whitelist(call, timestamp);
    }
  }

  /** The list as it shows these transactions, and no others. */
  only(rows: readonly number[], time: number): Reply {
    return jsonReply(this.#writer.envelope(rows, new Date(time).toISOString()));
  }

  #transactions(call: Call, timestamp: string): Reply {
    const { query } = call;
    this.#only(query, transactionParameters);
    const filter = shownBy(this.#options.cut, this.#filter(query), call.time);
    const { order } = this.#world.options;
    this.#world.exchanges.requested();
    const asked = this.#window(call, this.#options.defaultLimit.transactions);
    const { offset, limit } = cutWindow(this.#options.cut, asked, () => this.#world.lists.count(filter));
    const rows = this.#world.lists.page(filter, order, offset, limit, call.number);
    if (rows.length === 0) throw new RefusedRequest('TXN-02');
    this.lastPage = rows;
    return jsonReply(this.#writer.envelope(rows, timestamp));
  }

  #filter(query: RequestQuery): RecordFilter {
    const transactionType = query.text('transaction_type');
    const spelled =
      transactionType === 'changepool' && this.#options.quirks.active ? 'change pool' : transactionType;
    if (spelled !== undefined && typeIndex(spelled) < 0) throw new RefusedRequest('TXN-00');
    const status = query.text('status');
    if (status !== undefined && statusIndex(status) < 0) throw new RefusedRequest('TXN-01');
    const { ignoredFilters = [], dates: format } = this.#options.cut;
    const texts = {
      transactionId: query.text('transaction_id'),
      transactionType: spelled,
      status,
      sourceId: query.text('source_id'),
      sourceAddress: query.text('source_address'),
      destinationId: query.text('destination_id'),
      destinationAddress: query.text('destination_address'),
      assetId: query.text('asset_id'),
      networkId: query.text('network_id'),
    };
    const { from, to } = query.dates(format);
    return withoutUndefined({ ...texts, from, to }, ignoredFilters);
  }

  #transaction({ parameter, query }: Call, timestamp: string): Reply {
    this.#only(query, []);
    const row = this.#world.table.rowOf(parameter);
    if (row === undefined) throw new RefusedRequest('TXN-04');
    this.lastPage = [row];
    return jsonReply(this.#writer.envelope([row], timestamp));
  }

  #balancesByType(call: Call, timestamp: string): Reply {
    if (!isOneOf(vaultTypes, call.parameter)) throw new RefusedRequest('BAL-02');
    return this.#balances(call, timestamp, call.parameter, this.#options.paging['balances-by-type']);
  }

  #balances(call: Call, timestamp: string, balanceType: 'all' | 'warm' | 'cold', paging: PagingMode): Reply {
    const { query } = call;
    this.#only(query, ['asset_id', 'limit', 'offset']);
    const assetId = query.text('asset_id');
    const all = this.#world
      .balances(balanceType)
      .filter((balance) => (assetId ?? balance.assetId) === balance.assetId);
    const shown = assetId === undefined ? all.slice(0, this.#options.cut.balances) : all;
    const page = this.#page(call, shown, paging);
    if (page.length === 0) throw new RefusedRequest(emptyCodes[call.endpoint]);
    return jsonReply(writeBalances(page, balanceType, timestamp, this.#options.quirks));
  }

  #vaults(call: Call, timestamp: string): Reply {
    const { query } = call;
    this.#only(query, ['vault_type', 'limit', 'offset']);
    const vaultType = query.text('vault_type');
    if (vaultType !== undefined && !isOneOf(vaultTypes, vaultType)) throw new RefusedRequest('VAL-00');
    const page = this.#page(call, this.#world.vaults(vaultType), this.#options.paging.vaults);
    if (page.length === 0) throw new RefusedRequest('VAL-01');
    return jsonReply(writeVaults(page, timestamp, this.#options.shape, this.#options.quirks));
  }

  #vault({ parameter, query }: Call, timestamp: string): Reply {
    this.#only(query, []);
    const vault = this.#world.directory.vault(parameter);
    if (vault === undefined) throw new RefusedRequest('VAL-02');
    return jsonReply(writeVault(vault, timestamp, this.#options.shape, this.#options.quirks));
  }

  #whitelist(call: Call, timestamp: string): Reply {
    const { query } = call;
    this.#only(query, ['status', 'asset_id', 'network_id', 'limit', 'offset']);
    const status = query.text('status');
    if (status !== undefined && !isOneOf(whitelistStatuses, status)) throw new RefusedRequest('WHT-01');
    const assetId = query.text('asset_id');
    const networkId = query.text('network_id');
    const entries = this.#world
      .whitelist()
      .filter(
        (entry) => (status ?? entry.status) === entry.status && (assetId ?? entry.assetId) === entry.assetId,
      )
      .filter((entry) => (networkId ?? entry.networkId) === entry.networkId);
    const page = this.#page(call, entries, this.#options.paging.whitelist);
    if (page.length === 0) throw new RefusedRequest('WHT-00');
    return jsonReply(writeWhitelist(page, timestamp, this.#options.shape, this.#options.quirks));
  }

  #only(query: RequestQuery, names: readonly string[]): void {
    if (this.#options.unknownParameters === 'refused') query.only(names);
  }

  #page<T>(call: Call, all: readonly T[], paging: PagingMode): readonly T[] {
    if (paging === 'ignored') return all;
    if (paging === 'refused') {
      for (const name of ['limit', 'offset']) {
        if (call.query.text(name) !== undefined)
          throw new RefusedRequest('ERR-00', `${name} is not a parameter of this endpoint`);
      }
      return all;
    }
    const { offset, limit } = this.#window(call, this.#options.defaultLimit.others);
    return all.slice(offset, offset + limit);
  }

  #window(
    { query, ignoreOffset, ignoreLimit }: Call,
    defaultLimit: number,
  ): { offset: number; limit: number } {
    const asked = query.integer('limit', 1) ?? defaultLimit;
    const offset = query.integer('offset', 0) ?? 0;
    if (asked > this.#options.refuseLimitAbove) throw new RefusedRequest('ERR-00');
    const limit = Math.min(ignoreLimit ? defaultLimit : asked, this.#options.maxLimit);
    return { offset: ignoreOffset ? 0 : offset, limit };
  }
}

function withoutUndefined(
  values: Readonly<Record<string, string | number | undefined>>,
  ignored: readonly string[],
): RecordFilter {
  const given = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !ignored.includes(name),
  );
  return Object.fromEntries(given);
}
