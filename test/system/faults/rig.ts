// One cell of a fault matrix: a sandbox over HTTP and an account of its own in a database that all cells of a file share,
// because a database for each would cost more than everything else. Cells run side by side: each closes what it opened.
import { createClock } from '../../../src/base/clock.ts';
import { parseConfig } from '../../../src/base/config.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { type CustodyClientOptions, createCustodyClient } from '../../../src/custody/client.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../../src/store/postgres/database.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { acquireLease } from '../../../src/store/run/leases.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { createFactKeeper } from '../../../src/sync/run/fact-keeper.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { type Row, testDatabase } from '../../support/database.ts';
import { silentLogger } from '../../support/loggers.ts';

export interface Cell {
  readonly account: string;
  readonly sandbox: Sandbox;
  readonly context: JobContext;
  /** Rows of one statement; without parameters of its own, `$1` is the account. */
  query<Found extends Row = Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
  close(): Promise<void>;
}

export interface CellOptions {
  readonly sandbox?: SandboxOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: Partial<CustodyClientOptions>;
}

export interface Rig {
  open(name: string, options: CellOptions): Promise<Cell>;
}

/** Opens what the cells of a file share. */
export async function openRig(): Promise<Rig> {
  const test = await testDatabase();
  const metrics = createMetrics();
  const shared = configFor('none', 'http://127.0.0.1', '', test.url, {});
  const database = openDatabase({
    url: shared.database.url,
    applicationName: 'custody-mirror fault test',
    logger: silentLogger,
    metrics,
    maxConnections: 16,
  });
  onCleanup(() => database.close());

  return {
    async open(account, { sandbox: options = {}, env = {}, client: clientOptions = {} }) {
      const sandbox = createSandbox({ frozen: true, seed: 5, ...options });
      const { url } = await sandbox.listen();
      const { custody: config } = configFor(account, url, sandbox.apiKey, test.url, env);
      await bindAccount(database, { account, baseUrl: url, timeZone: 'UTC' });
      const attempt = await acquireLease(database, { account, holder: 'test', ttlMs: 3_600_000 });
      if ('heldBy' in attempt) throw new Error(`the lease is held by ${attempt.heldBy}`);
      const clock = createClock();
      const facts = await createFactKeeper(database, account);
      const client = createCustodyClient({
        config,
        clock,
        logger: silentLogger,
        metrics,
        facts: facts.known,
        onFact: (fact) => facts.learn(fact),
        keyProbeMs: 1,
        keyProbeMaxMs: 2,
        ...clientOptions,
      });
      const signal = new AbortController().signal;
      const { lease } = attempt;
      return {
        account,
        sandbox,
        context: { database, client, clock, config, facts, logger: silentLogger, metrics, lease, signal },
        query: (sql, params = [account]) => test.query(sql, params),
        async close() {
          await client.close();
          await sandbox.close();
        },
      };
    },
  };
}

function configFor(
  account: string,
  url: string,
  key: string,
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
) {
  return parseConfig({
    isTerminal: false,
    env: {
      DATABASE_URL: databaseUrl,
      CUSTODY_BASE_URL: url,
      CUSTODY_ACCOUNT: account,
      CUSTODY_API_KEY: key || 'none',
      CUSTODY_PAGE_SIZE: '12',
      CUSTODY_TIMEOUT_MS: '20000',
      CUSTODY_RETRIES: '3',
      CUSTODY_RETRY_MIN_MS: '1',
      CUSTODY_RETRY_MAX_MS: '2',
      CUSTODY_RATE_LIMIT: 'off',
      ...env,
    },
  });
}
