// The pool of connections to PostgreSQL: lends them, counts them for the metrics, and survives the ones that
// break.
import pg from 'pg';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Secret } from '../../base/secret.ts';
import { cancelOnAbort } from './cancel.ts';
import { describeTarget, withPsqlSslModes } from './connection-url.ts';
import { explainConnectError } from './database-errors.ts';
import { type Patience, type ResponseWatchdog, watchResponses } from './response-watchdog.ts';
import { type Silence, silenceOf } from './silence.ts';

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` means what it means to psql. */
  readonly url: Secret;
  readonly applicationName: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default 3: one for what writes, which takes turns, and two for what is read meanwhile. */
  readonly maxConnections?: number;
  /**
   * Each transaction is read only, whatever the role may do; for readers, who have a pool of their own.
   * Connections are replaced after minutes.
   */
  readonly readOnly?: boolean;
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
   * signal.
   *
   * @throws MirrorError `DATABASE-UNREACHABLE` when no answer comes in time
   */
  lend<T>(work: Work<T>, patience: Patience, signal?: AbortSignal): Promise<T>;
  /** Closes every connection, once; waits for those in use. */
  close(): Promise<void>;
}

type Work<T> = (client: pg.PoolClient, watchdog: ResponseWatchdog) => Promise<T>;

/** What a server process keeps of readers' statements ends with it. */
const maxLifetimeSeconds = 120;

/** @throws MirrorError `CONFIGURATION` for a URL that cannot be read */
export function openPool(options: PoolOptions): ConnectionPool {
  const { logger, metrics, poolName = 'mirror' } = options;
  const connectionString = withPsqlSslModes(options.url.reveal());
  const target = describeTarget(connectionString);
  const pool = new pg.Pool({
    connectionString,
    application_name: options.applicationName,
    max: options.maxConnections ?? 3,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // Statements are sent before those before them are answered.
    pipeline: true,
    ...(options.readOnly === true ? { maxLifetimeSeconds } : {}),
  });
  let closed: Promise<void> | undefined;
  // An error event without a listener ends the process. While a connection is in use its statement fails as
  // well, so that this one needs no louder word; an idle connection is replaced by the pool.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection failed'));
  });
  pool.on('error', (error) => {
    if (closed === undefined)
      logger.warn({ err: error, database: target }, 'idle database connection failed');
  });
  const countConnections = () => {
    const labels = { pool: poolName };
    metrics.databaseConnections.set({ ...labels, state: 'idle' }, pool.idleCount);
    metrics.databaseConnections.set({ ...labels, state: 'in_use' }, pool.totalCount - pool.idleCount);
    metrics.databaseWaiting.set(labels, pool.waitingCount);
  };
  for (const event of ['acquire', 'remove'] as const) pool.on(event, countConnections);
  countConnections();
  const silence = silenceOf(connectionString, target);
  const doubts = createDoubts(silence);
  const connect = async () => {
    const connecting = pool.connect();
    countConnections();
    return await connecting.catch((error: unknown) => Promise.reject(explainConnectError(error, target)));
  };
  const connectUnlessSilent = () => silence.unlessSilent(connect, (late) => late.release());

  return {
    target,
    async lend(work, patience, signal) {
      signal?.throwIfAborted();
      const client = await doubts.trusted(patience.failsWhenSilent ? connectUnlessSilent : connect);
      const watchdog = watchResponses(client, { ...patience, target, silence });
      const outcome = await outcomeOf(client, watchdog, work, signal).finally(() => doubts.used(client));
      client.release('isBroken' in outcome && outcome.isBroken);
      countConnections();
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

/** Where one connection was silent, those that stood idle then are not trusted. */
function createDoubts(silence: Silence) {
  const usedAt = new WeakMap<pg.PoolClient, number>();
  return {
    used(client: pg.PoolClient) {
      usedAt.set(client, performance.now());
    },
    /** The first connection without a doubt; the others end. */
    async trusted(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
      for (;;) {
        const client = await connect();
        if ((usedAt.get(client) ?? Number.POSITIVE_INFINITY) > silence.brokenAt) return client;
        client.connection.stream.destroy();
        client.release(true);
      }
    },
  };
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
  const cancelling = signal === undefined ? null : cancelOnAbort(client, signal);
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
  const answered = watchdog.expect('rollback');
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  } finally {
    answered();
  }
}
