// A sandbox served over HTTP, a database, and everything a job needs between the two.
import { createClock } from '../../src/base/clock.ts';
import { type Config, parseConfig } from '../../src/base/config.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { type CustodyClientOptions, createCustodyClient } from '../../src/custody/client.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { acquireLease } from '../../src/store/run/leases.ts';
import type { JobContext } from '../../src/sync/run/context.ts';
import { createFactKeeper } from '../../src/sync/run/fact-keeper.ts';
import { onCleanup } from './cleanup.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { silentLogger } from './loggers.ts';

export interface Mirror extends TestDatabase {
  readonly sandbox: Sandbox;
  readonly config: Config;
  readonly context: JobContext;
  /** Aborts what the context's jobs are doing. */
  readonly stop: AbortController;
}

export async function openMirror(
  options: SandboxOptions = {},
  env: Readonly<Record<string, string>> = {},
  clientOptions: Partial<CustodyClientOptions> = {},
  /** A database that another mirror has too; without it, one of its own. */
  given?: TestDatabase,
): Promise<Mirror> {
  const sandbox = createSandbox({ frozen: true, transactions: 300, ...options });
  onCleanup(() => sandbox.close());
  const { url } = await sandbox.listen();
  const test = given ?? (await testDatabase());
  const config = parseConfig({
    isTerminal: false,
    env: {
      DATABASE_URL: test.url,
      CUSTODY_BASE_URL: url,
      CUSTODY_API_KEY: sandbox.apiKey,
      CUSTODY_PAGE_SIZE: '50',
      CUSTODY_RETRIES: '3',
      CUSTODY_RETRY_MIN_MS: '1',
      CUSTODY_RETRY_MAX_MS: '5',
      CUSTODY_RATE_LIMIT: 'off',
      ...env,
    },
  });
  const metrics = createMetrics();
  const database = openDatabase({
    url: config.database.url,
    applicationName: 'custody-mirror test',
    logger: silentLogger,
    metrics,
  });
  onCleanup(() => database.close());
  const { account } = config.custody;
  await bindAccount(database, { account, baseUrl: url, timeZone: 'UTC' });
  const attempt = await acquireLease(database, { account, holder: 'test', ttlMs: 600_000 });
  if ('heldBy' in attempt) throw new Error(`the lease is held by ${attempt.heldBy}`);
  const clock = clientOptions.clock ?? createClock();
  const facts = await createFactKeeper(database, account);
  const client = createCustodyClient({
    config: config.custody,
    clock,
    logger: silentLogger,
    metrics,
    facts: facts.known,
    onFact: (fact) => facts.learn(fact),
    ...clientOptions,
  });
  onCleanup(() => client.close());
  const stop = new AbortController();
  const context: JobContext = {
    database,
    client,
    clock,
    config: config.custody,
    facts,
    logger: silentLogger,
    metrics,
    lease: attempt.lease,
    signal: stop.signal,
  };
  return { ...test, sandbox, config, context, stop };
}

/** What the service holds, as the mirror is to hold it. */
export function truth({ world }: Sandbox): Map<string, { status: string; amount: string }> {
  return new Map(
    [...world.transactions()].map(({ transactionId, status, amount }) => [transactionId, { status, amount }]),
  );
}

/** What the mirror holds, in the form of `truth`. */
export async function mirrored(mirror: Mirror): Promise<Map<string, { status: string; amount: string }>> {
  const rows = await mirror.query<{ transaction_id: string; status: string; amount: string }>(
    'select transaction_id, status, amount::text from custody.transactions',
  );
  return new Map(rows.map(({ transaction_id, status, amount }) => [transaction_id, { status, amount }]));
}
