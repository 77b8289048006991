// The pool of connections to PostgreSQL: lends them, counts them for the metrics, and survives the ones that
// break.
import pg from 'pg';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Secret } from '../../base/secret.ts';
import { within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { cancelOnAbort } from './cancel.ts';
import { type Connections, createConnections, greetingMs } from './connections.ts';
import { explainConnectError, isDatabaseAway, sqlState } from './database-errors.ts';
import type { ResponseWatchdog } from './response-watchdog.ts';
import { chooseServers, type ServerChoice } from './server-choice.ts';

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` means what it means to psql. */
  readonly url: Secret;
  readonly applicationName: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default 3: one for what writes, which takes turns, and two for what is read meanwhile. */
  readonly maxConnections?: number;
  /** Each transaction is read only, whatever the role may do; for readers, who have a pool of their own. */
  readonly readOnly?: boolean;
  /** Only a server that takes writes will do; one that turns read-only is left. */
  readonly takesWrites?: boolean;
  /** Names the pool in the metrics; default `mirror`. */
  readonly poolName?: PoolName;
}

/** `mirror` is for the jobs, `api` for readers, `keys` for their keys. */
export type PoolName = 'mirror' | 'api' | 'keys';

export interface ConnectionPool {
  /** Host, port and name of the database, for messages. */
  readonly target: string;
  /**
   * Lends a connection to the work. After a failure it rolls back, and discards the connection if that fails
   * too. When the signal is aborted, the statement under way is cancelled; nothing begins under an aborted
   * signal. Work that could not begin over a connection that had stood idle is done over another.
   *
   * @param longestMs how long an answer is waited for
   * @throws MirrorError `DATABASE-UNREACHABLE` when no answer comes in time
   */
  lend<T>(work: Work<T>, longestMs: number, signal?: AbortSignal): Promise<T>;
  /** Closes every connection, once; waits for those in use. */
  close(): Promise<void>;
}

type Work<T> = (client: pg.PoolClient, watchdog: ResponseWatchdog) => Promise<T>;

/** How long one is waited for where all are in use. */
const queueMs = 10_000;
/**
 * What a server process keeps of readers' statements ends with it, and readers follow an address that moved.
 */
const maxLifetimeSeconds = 120;

/** @throws MirrorError `CONFIGURATION` for a URL that cannot be read */
export function openPool(options: PoolOptions): ConnectionPool {
  const { logger, metrics, poolName = 'mirror', takesWrites = false } = options;
  const connections = createConnections();
  const servers = chooseServers(options.url.reveal(), takesWrites);
  const { target } = servers;
  const pool = new pg.Pool({
    Client: connections.classFor(servers),
    application_name: options.applicationName,
    max: options.maxConnections ?? 3,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds,
    // Statements are sent before those before them are answered.
    pipeline: true,
    onConnect: (client) => connections.accept(client, servers),
  });
  let closed: Promise<void> | undefined;
  const count = () => countConnections(pool, metrics, poolName);
  // An error event without a listener ends the process. While a connection is in use its statement fails as
  // well, so that this one needs no louder word; an idle connection is replaced by the pool.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection failed'));
    connections.endSilent();
  });
  pool.on('error', (error) => {
    if (closed === undefined)
      logger.warn({ err: error, database: target }, 'idle database connection failed');
  });
  for (const event of ['acquire', 'remove'] as const) pool.on(event, count);
  count();

  return {
    target,
    async lend(work, longestMs, signal) {
      for (;;) {
        signal?.throwIfAborted();
        const client = await connect(pool, servers, connections, count);
        const { isUsed } = connections.of(client);
        const { watchdog, release } = connections.watch(client, longestMs);
        const outcome = await outcomeOf(client, watchdog, work, signal);
        const isBroken = 'error' in outcome && outcome.isBroken;
        if (takesWrites && 'error' in outcome && sqlState(outcome.error) === '25006') connections.doubt();
        release(isBroken);
        count();
        if ('value' in outcome) return outcome.value;
        // A connection that can be used again would be lent again, and refuse again.
        const mayTryAnother = isUsed && isBroken && watchdog.couldNotBegin && isDatabaseAway(outcome.error);
        if (!mayTryAnother) throw outcome.error;
      }
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

function countConnections(pool: pg.Pool, metrics: Metrics, poolName: PoolName): void {
  const labels = { pool: poolName };
  metrics.databaseConnections.set({ ...labels, state: 'idle' }, pool.idleCount);
  metrics.databaseConnections.set({ ...labels, state: 'in_use' }, pool.totalCount - pool.idleCount);
  metrics.databaseWaiting.set(labels, pool.waitingCount);
}

/** A connection without a doubt: an idle one, or one to the first server that is taken. */
async function connect(
  pool: pg.Pool,
  servers: ServerChoice,
  connections: Connections,
  count: () => void,
): Promise<pg.PoolClient> {
  const failures: Error[] = [];
  for (;;) {
    const server = servers.current;
    const isQueueing = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    const connecting = pool.connect();
    count();
    try {
      // The driver's own limits, which may run one after the other, and a second.
      const client = await within(queueMs + 2 * greetingMs + 1_000, connecting);
      if (!connections.isDoubted(client)) return client;
      connections.end(client);
    } catch (error) {
      connecting.then(
        (late) => late.release(),
        () => undefined,
      );
      failures.push(explainConnectError(error, server.target));
      if (!isQueueing) servers.passOver(server);
      if (isQueueing || failures.length >= servers.count) throw together(failures);
    }
  }
}

function together(failures: readonly Error[]): Error {
  const [first = new Error('no server'), ...others] = failures;
  if (others.length === 0) return first;
  const isAway = failures.some(
    (error) => error instanceof MirrorError && error.code === 'DATABASE-UNREACHABLE',
  );
  const messages = failures.map((error) => error.message);
  // What several servers need is said once, behind the last of them.
  const said = messages.map((message, at) => {
    const fix = /: (?!.*: ).*$/s.exec(message)?.[0] ?? '';
    return messages[at + 1]?.endsWith(fix) ? message.slice(0, message.length - fix.length) : message;
  });
  const message = said.join('; ');
  return new MirrorError(isAway ? 'DATABASE-UNREACHABLE' : 'DATABASE-REFUSED', message, { cause: first });
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly isBroken: boolean };

/**
 * Does the work with the connection, and leaves it without a transaction and without a cancellation on its
 * way.
 */
async function outcomeOf<T>(
  client: pg.PoolClient,
  watchdog: ResponseWatchdog,
  work: Work<T>,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  const cancelling = signal === undefined ? null : cancelOnAbort(watchdog.cancel, signal);
  try {
    signal?.throwIfAborted();
    return { value: await work(client, watchdog) };
  } catch (error) {
    // A cancellation that is still on its way would end the next statement.
    await cancelling?.settled();
    return { error, isBroken: !(await rollBack(client, watchdog)) };
  } finally {
    cancelling?.release();
    await cancelling?.settled();
  }
}

/** @returns whether the connection can be used again */
async function rollBack(client: pg.PoolClient, watchdog: ResponseWatchdog): Promise<boolean> {
  return await watchdog
    .answer('rollback', () => client.query('rollback'))
    .then(
      () => true,
      () => false,
    );
}
