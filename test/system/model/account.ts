// One account of one interleaving: its service, its rows in a database that many share, and the engine between the two.
// What is dear to set up (server, database, connections) is shared by a whole test file; the name of the account isolates.
import { type Clock, createClock } from '../../../src/base/clock.ts';
import { type CustodyConfig, parseConfig } from '../../../src/base/config.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { createCustodyClient } from '../../../src/custody/client.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { acquireLease, type Lease } from '../../../src/store/run/leases.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { createFactKeeper } from '../../../src/sync/run/fact-keeper.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { type Row, type TestDatabase, testDatabase } from '../../support/database.ts';
import { silentLogger } from '../../support/loggers.ts';
import { type Given, type ObservedClient, observeClient } from './observed-client.ts';
import { type ModelServer, type ModelService, openModelServer } from './service.ts';

export interface Surroundings {
  readonly server: ModelServer;
  readonly test: TestDatabase;
  readonly database: Database;
  open(service: ModelService, options: AccountOptions): Promise<Account>;
}

export interface AccountOptions {
  readonly pageSize: number;
  readonly concurrency: number;
}

export interface Account {
  readonly name: string;
  readonly service: ModelService;
  readonly database: Database;
  /** For the next run. After a stop, a process would begin with what the database holds: so does `restart`. */
  context(): JobContext;
  /** Aborts what the context is doing. */
  stop(): void;
  restart(): Promise<void>;
  /** Names the run on whose behalf is read from now on. */
  beginRun(run: number): void;
  /** Everything the engine was given, over all restarts. */
  given(): readonly Given[];
  /** Microseconds, on the clock by which answers are timed. */
  now(): number;
  query<Found extends Row>(sql: string): Promise<Found[]>;
  close(): Promise<void>;
}

/** Opens what all interleavings of a file share; released with the test or the file. */
export async function openSurroundings(): Promise<Surroundings> {
  const server = await openModelServer();
  onCleanup(() => server.close());
  const test = await testDatabase();
  const metrics = createMetrics();
  const database = openDatabase({
    url: configFor('http://127.0.0.1', 'none', test.url, { pageSize: 1, concurrency: 1 }).database.url,
    applicationName: 'custody-mirror model test',
    logger: silentLogger,
    metrics,
  });
  onCleanup(() => database.close());
  let opened = 0;
  return {
    server,
    test,
    database,
    async open(service, options) {
      opened += 1;
      const name = `model-${opened}`;
      const url = server.serve(name, service);
      const config = configFor(url, name, test.url, options).custody;
      await bindAccount(database, { account: name, baseUrl: url, timeZone: 'UTC' });
      const lease = await takeLease(database, name);
      const process = { database, metrics, lease, config, clock: createClock() };
      return await openAccount(process, service, test, () => server.forget(name));
    },
  };
}

interface Process {
  readonly database: Database;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly lease: Lease;
  readonly config: CustodyConfig;
  /** Kept over restarts: in one process, another clock could begin a millisecond before this one. */
  readonly clock: Clock;
}

async function openAccount(
  process: Process,
  service: ModelService,
  test: TestDatabase,
  forget: () => void,
): Promise<Account> {
  const { account } = process.config;
  const earlier: Given[] = [];
  let current = await start(process);
  return {
    name: account,
    service,
    database: process.database,
    context: () => current.context,
    stop: () => current.stop.abort(),
    async restart() {
      earlier.push(...current.client.given);
      await current.client.close();
      current = await start(process);
    },
    beginRun(run) {
      current.client.run = run;
    },
    given: () => [...earlier, ...current.client.given],
    now: () => process.clock.now() * 1000,
    query: (sql) => test.query(sql, [account]),
    async close() {
      await current.client.close();
      forget();
    },
  };
}

async function start(process: Process): Promise<{
  readonly context: JobContext;
  readonly client: ObservedClient;
  readonly stop: AbortController;
}> {
  const { database, metrics, lease, config, clock } = process;
  const facts = await createFactKeeper(database, config.account);
  const client = observeClient(
    createCustodyClient({
      config,
      clock,
      logger: silentLogger,
      metrics,
      facts: facts.known,
      onFact: (fact) => facts.learn(fact),
    }),
  );
  const stop = new AbortController();
  const { signal } = stop;
  const context = { database, client, clock, config, facts, logger: silentLogger, metrics, lease, signal };
  return { context, client, stop };
}

async function takeLease(database: Database, account: string): Promise<Lease> {
  const attempt = await acquireLease(database, { account, holder: 'model', ttlMs: 3_600_000 });
  if ('heldBy' in attempt) throw new Error(`the lease is held by ${attempt.heldBy}`);
  return attempt.lease;
}

function configFor(url: string, account: string, databaseUrl: string, options: AccountOptions) {
  return parseConfig({
    isTerminal: false,
    env: {
      DATABASE_URL: databaseUrl,
      CUSTODY_BASE_URL: url,
      CUSTODY_ACCOUNT: account,
      CUSTODY_API_KEY: 'model-key',
      CUSTODY_PAGE_SIZE: String(options.pageSize),
      CUSTODY_MAX_CONCURRENCY: String(options.concurrency),
      CUSTODY_RETRIES: '4',
      CUSTODY_RETRY_MIN_MS: '1',
      CUSTODY_RETRY_MAX_MS: '2',
      CUSTODY_RATE_LIMIT: 'off',
    },
  });
}
