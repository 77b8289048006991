// What jobs work with, over a service and a database that are there: the account is bound, the lease is
// taken.
import { type Config, type CustodyConfig, parseConfig } from '../../src/base/config/config.ts';
import { createMetrics, type Metrics } from '../../src/base/metrics.ts';
import {
  type CustodyClient,
  type CustodyClientOptions,
  createCustodyClient,
} from '../../src/custody/client.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import type { Lease } from '../../src/store/run/leases.ts';
import type { JobContext } from '../../src/sync/run/context.ts';
import { createFactKeeper } from '../../src/sync/run/fact-keeper.ts';
import { silentLogger } from './loggers.ts';
import { lease as takeLease } from './store.ts';

export interface Engine {
  readonly context: JobContext;
  /** Aborts what the context's jobs are doing. */
  readonly stop: AbortController;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly database: Database;
  readonly config: CustodyConfig;
  readonly lease: Lease;
  readonly metrics?: Metrics;
  readonly client?: Partial<CustodyClientOptions>;
  /** Stands between the jobs and the client. */
  readonly observe?: (client: CustodyClient) => CustodyClient;
}

/** The configuration of a test: no wait is longer than it must be, and no rate is kept. */
export function testConfig(
  places: { readonly databaseUrl: string; readonly serviceUrl: string; readonly key: string },
  env: Readonly<Record<string, string>> = {},
): Config {
  return parseConfig({
    isTerminal: false,
    env: {
      DATABASE_URL: places.databaseUrl,
      CUSTODY_BASE_URL: places.serviceUrl,
      CUSTODY_API_KEY: places.key,
      CUSTODY_RETRIES: '3',
      CUSTODY_RETRY_MIN_MS: '1',
      CUSTODY_RETRY_MAX_MS: '5',
      CUSTODY_RATE_LIMIT: 'off',
      ...env,
    },
  });
}

/** Binds the account to the address, and takes its lease. */
export async function bindAndLease(
  database: Database,
  { account, baseUrl }: Pick<CustodyConfig, 'account' | 'baseUrl'>,
): Promise<Lease> {
  await bindAccount(database, { account, baseUrl: baseUrl.href, timeZone: 'UTC' });
  return await takeLease(database, 'test', 3_600_000, account);
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { database, config, lease, metrics = createMetrics(), observe = (client) => client } = options;
  const { clock } = lease;
  const facts = await createFactKeeper(database, config.account);
  const client = createCustodyClient({
    config,
    clock,
    logger: silentLogger,
    metrics,
    facts: facts.known,
    onFact: (fact) => facts.learn(fact),
    ...options.client,
  });
  const stop = new AbortController();
  const { signal } = stop;
  const told = { clock, config, facts, logger: silentLogger, metrics, lease, signal };
  return {
    context: { database, client: observe(client), ...told },
    stop,
    close: () => client.close(),
  };
}
