// The composition root: builds a command's dependencies from its configuration, and closes them at the end.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import pRetry from 'p-retry';
import { createClock } from '../../base/clock.ts';
import { type Config, parseDatabaseConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import { unlessStopped } from '../../base/waiting.ts';
import { createCustodyClient } from '../../custody/client.ts';
import { MirrorError } from '../../domain/errors.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  pingDatabase,
} from '../../store/postgres/database.ts';
import { isDatabaseBusy } from '../../store/postgres/database-errors.ts';
import { bindAccount, refuseRetired } from '../../store/run/accounts.ts';
import { acquireLease, type Lease } from '../../store/run/leases.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { SyncTools } from '../../sync/run/context.ts';
import { createFactKeeper, type FactKeeper } from '../../sync/run/fact-keeper.ts';
import { type CommandContext, type CommandScope, packageVersion, withCommandScope } from './command-scope.ts';

// Waits for a database that is up but accepts no connections for a while (none left, starting up, too busy to
// log anyone in): of many processes that start at once, the late ones would otherwise fail although nothing
// is wrong.

/** How long an interactive command keeps trying. */
const patienceOfCommandMs = 60_000;

interface BusyRetry {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How long to wait for it. */
  readonly forMs: number;
}

/**
 * Does the work, and repeats it as a whole after the database refused a connection.
 *
 * @throws the refusal, when the database still refuses after that time; the signal's reason
 */
export function retryWhileBusy<Value>(
  { logger, signal, forMs }: BusyRetry,
  work: () => Promise<Value>,
): Promise<Value> {
  return pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: forMs,
    minTimeout: 500,
    // Processes that start together do not retry together.
    maxTimeout: 7_500 * (1 + Math.random()),
    randomize: true,
    signal,
    shouldRetry({ error, attemptNumber }) {
      if (!isDatabaseBusy(error)) return false;
      logger[attemptNumber > 4 ? 'error' : 'warn'](
        { err: error, refusals: attemptNumber },
        'database accepts no connections yet',
      );
      return true;
    },
  });
}

// The lease for a command that changes what a daemon would write: none may run meanwhile.

/** How long another attempt waits after this process was killed. */
const leaseMs = 60_000;

/** @throws MirrorError `LEASE-HELD` while another process writes for the account */
export async function takeLease(database: Database, account: string): Promise<Lease> {
  const request = { account, holder: holderName(), ttlMs: leaseMs, clock: createClock() };
  const attempt = await acquireLease(database, request);
  if ('lease' in attempt) return attempt.lease;
  throw new MirrorError(
    'LEASE-HELD',
    `${attempt.heldBy} writes for account "${account}": stop every process of this account, and try again in a minute`,
  );
}

type PoolSettings = Omit<DatabaseOptions, 'url' | 'applicationName' | 'logger' | 'metrics'>;

/** Opens the database; it is closed with the releasers. Nothing is sent before the first statement. */
export function composeDatabase(
  url: Secret,
  { logger, metrics, releasers }: CommandScope,
  pool: PoolSettings = {},
): Database {
  const suffix = pool.poolName === undefined ? '' : ` ${pool.poolName}`;
  const applicationName = `custody-mirror${suffix}`;
  const database = openDatabase({ url, applicationName, logger, metrics, ...pool });
  releasers.add(`database${suffix}`, () => database.close());
  return database;
}

/** The scope of a command that only needs the database. */
export async function withDatabase<Value>(
  context: CommandContext,
  work: (database: Database, account: string, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { account, database, log } = parseDatabaseConfig(context);
  return await withCommandScope({ ...context, log }, async (scope, signal) => {
    const opened = composeDatabase(database.url, scope);
    // The work will find this connection in the pool.
    const patience = { logger: scope.logger, signal, forMs: patienceOfCommandMs };
    await retryWhileBusy(patience, () => pingDatabase(opened));
    return await work(opened, account, signal);
  });
}

/** The scope of a command that needs the tables of this version. */
export async function withMirror<Value>(
  context: CommandContext,
  work: Parameters<typeof withDatabase<Value>>[1],
): Promise<Value> {
  return await withDatabase(context, async (database, ...rest) => {
    await checkSchema(database);
    return await work(database, ...rest);
  });
}

/** The database for readers of the HTTP server, with a separate pool. */
export function composeReadDatabase(
  { database, http }: Pick<Config, 'database' | 'http'>,
  scope: CommandScope,
): Database {
  const { url, ...limits } = http.database;
  return composeDatabase(url ?? database.url, scope, { readOnly: true, poolName: 'api', ...limits });
}

/** The database for readers' keys: short statements, on connections that the jobs do not use. */
export function composeKeyDatabase(url: Secret, scope: CommandScope): Database {
  return composeDatabase(url, scope, {
    poolName: 'keys',
    maxConnections: 2,
    statementTimeoutMs: 5_000,
  });
}

/**
 * Everything a job needs: a migrated database that belongs to this account and base address, and the client.
 * The signal ends the wait.
 *
 * @param forMs how long to wait for a database that accepts no connections
 * @throws MirrorError `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`, `SCHEMA-NEWER`, `ACCOUNT-BOUND-ELSEWHERE`,
 *   `ACCOUNT-RETIRED`
 */
export async function composeTools(
  config: Config,
  scope: CommandScope,
  signal: AbortSignal,
  forMs = patienceOfCommandMs,
): Promise<SyncTools> {
  return await unlessStopped(signal, async () => {
    const { logger, metrics, releasers } = scope;
    const database = composeDatabase(config.database.url, scope, { takesWrites: true });
    const facts = await retryWhileBusy({ logger, signal, forMs }, () =>
      prepareAccount(database, config, scope, signal),
    );
    const clock = createClock();
    const client = createCustodyClient({
      config: config.custody,
      clock,
      logger,
      metrics,
      facts: facts.known,
      onFact: (fact) => facts.learn(fact),
      userAgent: `custody-mirror/${packageVersion()}`,
    });
    releasers.add('custody client', () => client.close());
    return { database, client, clock, config: config.custody, facts, logger, metrics };
  });
}

/** Migrates, and binds the account. @returns the facts learned about its service */
async function prepareAccount(
  database: Database,
  { custody: { account, baseUrl }, schedule: { timezone: timeZone } }: Config,
  { logger }: CommandScope,
  signal: AbortSignal,
): Promise<FactKeeper> {
  const applied = await migrate(database, { signal });
  if (applied.length > 0) logger.info({ migrations: applied }, 'migrations applied');
  await refuseRetired(database, account);
  await bindAccount(database, { account, baseUrl: baseUrl.href, timeZone });
  return await createFactKeeper(database, account);
}

/** The unique name of this process in the lease; it shows where the process runs. */
export function holderName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
}
