// The client of the custody service: the seven read operations of docs/custody-service.md 4, each with
// tolerant decoding, retry, and its own limiter. Nothing else in the program sends requests to the service or
// knows how it spells its fields.
import type { Clock } from '../base/clock.ts';
import type { CustodyConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { sleep as realSleep, type Sleep } from '../base/loop.ts';
import type { Metrics } from '../base/metrics.ts';
import { withLinkedSignal } from '../base/waiting.ts';
import type { BalanceVaultType } from '../domain/balance.ts';
import type { VaultType } from '../domain/document.ts';
import type { Fact } from '../domain/endpoint.ts';
import type { Resource } from '../domain/jobs.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { readPage } from './answers.ts';
import {
  type Asked,
  createLearnedPath,
  type Endpoint,
  endpoints,
  endpointUrl,
  type QueryParameters,
  type Target,
} from './endpoints.ts';
import { createConnections, type Fetch } from './http/connections.ts';
import { createForeignText } from './http/foreign-text.ts';
import { createKeys } from './http/keys.ts';
import { type Call, type RequestTools, request } from './http/requests.ts';
import { createLimiters } from './rate/limiter.ts';

export type { Call } from './http/requests.ts';

/** The filters of GET /transactions by their names (docs/custody-service.md 4.1). */
export type ServiceFilter = Readonly<
  Partial<
    Record<
      | 'transaction_id'
      | 'source_id'
      | 'source_address'
      | 'asset_id'
      | 'network_id'
      | 'start_date'
      | 'end_date'
      | 'transaction_type'
      | 'destination_id'
      | 'destination_address'
      | 'status',
      string
    >
  >
>;

export interface CustodyClientOptions {
  readonly config: CustodyConfig;
  /** Timestamps the start of a request and the arrival of its answer. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly facts?: ReadonlyMap<string, string>;
  /** Adds to the facts. */
  readonly onFact?: (fact: Fact) => void;
  readonly userAgent?: string;
  readonly maxBodyBytes?: number;
  /**
   * Wait before a rejected key or proxy password is tried again, in milliseconds; it doubles up to
   * `keyProbeMaxMs`.
   */
  readonly keyProbeMs?: number;
  readonly keyProbeMaxMs?: number;
  readonly sleep?: Sleep;
  /** Replaces this client's own connections. */
  readonly fetch?: Fetch;
  /** Measures waits; unlike `clock` it is never adjusted. */
  readonly monotonicMs?: () => number;
  readonly random?: () => number;
}

/** After so many answers that contradict their request, another is believed: the service works that way. */
const repeats = 2;

export type CustodyClient = ReturnType<typeof createCustodyClient>;

/**
 * Each operation resolves to a page; the page has no items when the service says that nothing matched. Each
 * operation rejects with a CustodyError, or with the reason of the call's signal.
 */
export function createCustodyClient(options: CustodyClientOptions) {
  const { config, facts = new Map<string, string>(), onFact = () => undefined } = options;
  const closing = new AbortController();
  const tools = createTools(options, facts, onFact);
  const path = createLearnedPath(facts, onFact);
  const rules = config.documents;

  const read = async <Record_>(
    endpoint: Endpoint<Record_>,
    asked: Asked,
    target: Target,
    call: Call,
  ): Promise<Page<Record_>> => {
    const url = endpointUrl(endpoint, config.baseUrl, target);
    let contradictions = 0;
    const isBelieved = () => {
      contradictions += 1;
      return contradictions > Math.min(repeats, config.retries);
    };
    return await withLinkedSignal([call.signal, closing.signal], (signal) =>
      request(
        endpoint.name,
        url,
        { ...call, signal },
        (answer) => readPage(endpoint, asked, answer, { ...tools, signal, isBelieved }),
        tools,
      ),
    );
  };

  return {
    /**
     * Whether the key was rejected for the resource and is not due for another try: calls would fail unsent.
     */
    isKeyBackedOff: (resource: Resource): boolean => tools.keys.isBackedOff(resource),
    /** docs/custody-service.md 4.1 */
    transactions(page: PageRequest, call: Call, filter: ServiceFilter = {}) {
      const { transaction_id: transactionId, asset_id: assetId, status } = filter;
      const asked = { rules, fields: { transactionId, assetId, status } };
      return read(endpoints.transactions, asked, { query: { ...paging(page), ...filter } }, call);
    },
    /** docs/custody-service.md 4.2; an unknown id (TXN-04) is a page without items. */
    transaction(id: string, call: Call) {
      const asked = { rules, fields: { transactionId: id } };
      return path.read((spelling) => read(endpoints.transaction, asked, { id, spelling }, call));
    },
    /** docs/custody-service.md 4.3 for `all`, else 4.4; with an `assetId`, of that asset. */
    balances(vaultType: BalanceVaultType, page: PageRequest, call: Call, assetId?: string) {
      const asked = { rules, balances: vaultType, fields: { assetId } };
      const query = { ...paging(page), asset_id: assetId };
      return vaultType === 'all'
        ? read(endpoints.balances, asked, { query }, call)
        : read(endpoints.balancesByType, asked, { id: vaultType, query }, call);
    },
    /** docs/custody-service.md 4.5 */
    vaults(vaultType: VaultType, page: PageRequest, call: Call) {
      const query = { vault_type: vaultType, ...paging(page) };
      return read(endpoints.vaults, { rules, vaults: vaultType, fields: { vaultType } }, { query }, call);
    },
    /** docs/custody-service.md 4.6; an unknown id (VAL-02) is a page without items. */
    vault: (id: string, call: Call) =>
      read(endpoints.vault, { rules, fields: { vaultId: id } }, { id }, call),
    /** docs/custody-service.md 4.7 */
    whitelist: (page: PageRequest, call: Call) =>
      read(endpoints.whitelist, { rules }, { query: paging(page) }, call),
    /** Aborts calls in progress and waits for them to end; every later call rejects. */
    async close(): Promise<void> {
      closing.abort(new DOMException('the custody client was closed', 'AbortError'));
      await tools.limiters.idle();
      tools.connections.close();
    },
  };
}

function createTools(
  options: CustodyClientOptions,
  facts: ReadonlyMap<string, string>,
  onFact: (fact: Fact) => void,
): RequestTools {
  const { config, clock, logger, metrics } = options;
  const { sleep = realSleep, monotonicMs = () => performance.now() } = options;
  const probes = {
    monotonicMs,
    probeMs: options.keyProbeMs ?? 60_000,
    maxProbeMs: options.keyProbeMaxMs ?? 15 * 60_000,
  };
  const keys = createKeys(config, logger, metrics.keyRejected, probes);
  return {
    config,
    clock,
    logger,
    metrics,
    foreign: createForeignText(keys.known),
    userAgent: options.userAgent ?? 'custody-mirror',
    connections: createConnections(config, { ...probes, fetch: options.fetch }),
    maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
    limiters: createLimiters({ config, metrics, facts, onFact, monotonicMs, sleep }),
    keys,
    monotonicMs,
    random: options.random ?? Math.random,
    unreachable: { since: null },
  };
}

/** The service documents both for /transactions and /balances only; other lists may honour them too. */
function paging({ offset, limit }: PageRequest): QueryParameters {
  return { limit, offset };
}
