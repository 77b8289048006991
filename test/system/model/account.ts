// One account of one interleaving: its service, its rows in a database that many share, and the engine
// between the two. What is dear to set up (server, database, connections) is shared by a whole test file; the
// name of the account isolates.
import { createMetrics } from '../../../src/base/metrics.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { type Row, type TestDatabase, testDatabase } from '../../support/database.ts';
import { bindAndLease, type EngineOptions, openEngine, testConfig } from '../../support/engine.ts';
import { open as openDatabase } from '../../support/store.ts';
import { type Given, type ObservedClient, observeClient } from './observed-client.ts';
import { type ModelServer, type ModelService, openModelServer } from './service.ts';

export interface Bench {
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
  /**
   * For the next run. After a stop, a process would begin with what the database holds: so does `restart`.
   */
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
export async function openBench(): Promise<Bench> {
  const server = await openModelServer();
  const test = await testDatabase();
  const metrics = createMetrics();
  const database = openDatabase(test.url, { metrics });
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
      const lease = await bindAndLease(database, config);
      const process = { database, metrics, lease, config };
      return await openAccount(process, service, test, () => server.forget(name));
    },
  };
}

type Process = Required<Pick<EngineOptions, 'database' | 'metrics' | 'lease' | 'config'>>;

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
    now: () => process.lease.clock.now() * 1000,
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
  let observed: ObservedClient | undefined;
  const { context, stop } = await openEngine({
    ...process,
    observe(client) {
      observed = observeClient(client);
      return observed;
    },
  });
  if (observed === undefined) throw new Error('there is no client');
  return { context, client: observed, stop };
}

function configFor(serviceUrl: string, account: string, databaseUrl: string, options: AccountOptions) {
  return testConfig(
    { databaseUrl, serviceUrl, key: 'model-key' },
    {
      CUSTODY_ACCOUNT: account,
      CUSTODY_PAGE_SIZE: String(options.pageSize),
      CUSTODY_MAX_CONCURRENCY: String(options.concurrency),
      CUSTODY_RETRIES: '4',
      CUSTODY_RETRY_MAX_MS: '2',
    },
  );
}
