// The pool of connections to PostgreSQL: lends them, counts them for the metrics, and survives broken ones.
import { once } from 'node:events';
import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../../base/logger.ts';
import { sleep } from '../../base/loop.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Secret } from '../../base/secret.ts';
import { Late, unlessStopped, withLinkedSignal } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { explainConnectError, isDatabaseOffline, sqlState } from './database-errors.ts';
import {
  cancelOnAbort,
  cancelTransaction,
  type ResponseWatchdog,
  watchResponses,
} from './response-watchdog.ts';
import { Client, chooseServers, type Server, type ServerChoice } from './server-choice.ts';

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` has its psql meaning. */
  readonly url: Secret;
  readonly applicationName: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default 3: one for writes, which take turns, and two for reads meanwhile. */
  readonly maxConnections?: number;
  /** Every transaction is read only, whatever the role may do; for readers, who have a separate pool. */
  readonly readOnly?: boolean;
  /** Accepts only a server that takes writes; leaves one that becomes read-only. */
  readonly takesWrites?: boolean;
  /** Names the pool in the metrics; default `mirror`. */
  readonly poolName?: PoolName;
}

/** `mirror` is for the jobs, `api` for readers, `keys` for their keys. */
type PoolName = 'mirror' | 'api' | 'keys';

interface ConnectionPool {
  /** Host, port and name of the database, for messages. */
  readonly target: string;
  /**
   * Lends a connection to the work. After a failure it rolls back, and discards the connection if that fails
   * too. When the signal is aborted, the running statement is cancelled; nothing starts under an aborted
   * signal. Work that could not begin over an idle connection is retried over another.
   *
   * @param longestMs how long to wait for an answer; also for a connection, where a database that admitted
   *   this pool before has none left
   * @throws MirrorError `DATABASE-UNREACHABLE` if no answer arrives in time
   */
  lend<T>(work: Work<T>, longestMs: number, signal?: AbortSignal): Promise<T>;
  /** Closes every connection, once; waits for those in use. Work without one fails. */
  close(): Promise<void>;
}

type Work<T> = (client: pg.PoolClient, watchdog: ResponseWatchdog) => Promise<T>;

/** How long to wait for a connection if all are in use. */
const queueMs = 10_000;
/** Bounds the prepared statements of a connection, and makes readers follow an address that moved. */
const maxLifetimeSeconds = 120;

/** @throws MirrorError `CONFIGURATION` for an invalid URL */
export function openPool(options: PoolOptions): ConnectionPool {
  const { logger, metrics, poolName = 'mirror', takesWrites = false } = options;
  const connections = createConnections();
  const servers = chooseServers(options.url, takesWrites);
  const pool = new pg.Pool({
    Client: connections.classFor(servers),
    application_name: options.applicationName,
    max: options.maxConnections ?? 3,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds,
    // Sends statements before the previous ones are answered.
    pipeline: true,
    onConnect: (client) => connections.accept(client, servers),
  });
  // Many may wait for the next connection that is returned.
  pool.setMaxListeners(0);
  let closed: Promise<void> | undefined;
  const closing = new AbortController();
  const count = () => countConnections(pool, metrics, poolName);
  // An error event without a listener ends the process. While a connection is in use its statement fails as
  // well, so debug level is enough; the pool replaces an idle connection.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection failed'));
    connections.endSilent();
  });
  pool.on('error', (error) => {
    if (closed === undefined)
      logger.warn({ err: error, database: servers.target }, 'idle database connection failed');
  });
  for (const event of ['acquire', 'remove'] as const) pool.on(event, count);
  count();
  const admitted = createAdmission(pool, logger, () => connect(pool, servers, connections, count));

  return {
    target: servers.target,
    async lend(work, longestMs, signal) {
      for (;;) {
        signal?.throwIfAborted();
        closing.signal.throwIfAborted();
        const admitting = admitted(longestMs, signal);
        const client = await unlessStopped(closing.signal, () => admitting).catch((error: unknown) => {
          // A pool that ends no longer serves its queue. A connection may still arrive.
          admitting.then(connections.end, () => undefined);
          throw error;
        });
        const { isUsed } = connections.of(client);
        const { watchdog, release } = connections.watch(client, longestMs);
        const outcome = await outcomeOf(client, watchdog, work, signal);
        const isBroken = 'error' in outcome && outcome.isBroken;
        if (takesWrites && 'error' in outcome && sqlState(outcome.error) === '25006') connections.doubt();
        release(isBroken);
        count();
        if ('value' in outcome) return outcome.value;
        // A reusable connection would be lent again, and refuse again.
        const mayRetry = isUsed && isBroken && watchdog.couldNotBegin && isDatabaseOffline(outcome.error);
        if (!mayRetry) throw outcome.error;
      }
    },
    close() {
      closing.abort(new MirrorError('DATABASE-UNREACHABLE', 'this process stops: it asks no more'));
      closed ??= pool.end();
      return closed;
    },
  };
}

/**
 * Connects. Once the database has admitted the pool, having no connection left is not a failure: the pool or
 * another process returns one.
 */
function createAdmission(pool: pg.Pool, logger: Logger, open: () => Promise<pg.PoolClient>) {
  let wasAdmitted = false;
  return async (forMs: number, signal?: AbortSignal): Promise<pg.PoolClient> => {
    for (const deadline = performance.now() + forMs; ; ) {
      try {
        const client = await open();
        wasAdmitted = true;
        return client;
      } catch (error) {
        const isFull = sqlState(error) === '53300';
        if (!wasAdmitted || !isFull || performance.now() >= deadline) throw error;
        logger.debug({ err: error }, 'waiting for a connection');
        await untilReturned(pool, signal);
      }
    }
  };
}

/** Waits until a connection of the pool is free, or for a second or so: the database may have one then. */
async function untilReturned(pool: pg.Pool, signal: AbortSignal | undefined): Promise<void> {
  const over = new AbortController();
  const either = signal === undefined ? [over.signal] : [over.signal, signal];
  await withLinkedSignal(either, async (ended) => {
    const returned = once(pool, 'release', { signal: ended });
    await Promise.race([returned, sleep(500 + Math.random() * 1_500, ended)]).catch(() => undefined);
    over.abort();
  });
  signal?.throwIfAborted();
}

function countConnections(pool: pg.Pool, metrics: Metrics, poolName: PoolName): void {
  const labels = { pool: poolName };
  metrics.databaseConnections.set({ ...labels, state: 'idle' }, pool.idleCount);
  metrics.databaseConnections.set({ ...labels, state: 'in_use' }, pool.totalCount - pool.idleCount);
  metrics.databaseWaiting.set(labels, pool.waitingCount);
}

/** A trusted connection: an idle one, or one to the first server accepted. */
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
      const client = await connecting;
      if (!connections.isDoubted(client)) return client;
      connections.end(client);
    } catch (error) {
      if (servers.renew(server, error)) continue;
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
  // A fix common to several servers is given once, after the last of them.
  const said = messages.map((message, at) => {
    const begin = message.lastIndexOf(': ');
    const fix = begin < 0 ? '' : message.slice(begin);
    return messages[at + 1]?.endsWith(fix) ? message.slice(0, message.length - fix.length) : message;
  });
  const message = said.join('; ');
  return new MirrorError(isAway ? 'DATABASE-UNREACHABLE' : 'DATABASE-REFUSED', message, { cause: first });
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly isBroken: boolean };

/**
 * Runs the work on the connection, and leaves it without a transaction and without a cancellation in flight.
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
    // A cancellation still in flight would end the next statement.
    await cancelling?.settled();
    return { error, isBroken: !(await rollBack(client, watchdog)) };
  } finally {
    cancelling?.release();
    await cancelling?.settled();
  }
}

/** @returns whether the connection is reusable */
async function rollBack(client: pg.PoolClient, watchdog: ResponseWatchdog): Promise<boolean> {
  return await watchdog
    .answer('rollback', () => client.query('rollback'))
    .then(
      () => true,
      () => false,
    );
}

// The connections of a pool. It creates their sockets, so that it can see incoming data and end each one.
// When a connection turns out dead, or the server must be left, connections of the same age are not reused.

/** How long a new connection may take to log in and to identify its server. */
const loginMs = 5_000;

interface Connection {
  readonly socket: Socket;
  readonly server: Server;
  /** Ends the connection unless its server is accepted in time. */
  readonly login: NodeJS.Timeout;
  readonly madeAt: number;
  /** Whether it was lent before. */
  isUsed: boolean;
}

type Connections = ReturnType<typeof createConnections>;

function createConnections() {
  const known = new WeakMap<pg.ClientBase, Connection>();
  const watched = new Set<ResponseWatchdog>();
  let doubtedUntil = Number.NEGATIVE_INFINITY;
  /** When data last arrived over the connection that was found dead. */
  let deadSince = Number.NEGATIVE_INFINITY;
  const of = (client: pg.ClientBase): Connection => {
    const connection = known.get(client);
    if (connection === undefined) throw new TypeError('a connection of another pool');
    return connection;
  };
  const isDoubted = (client: pg.ClientBase) => of(client).madeAt < doubtedUntil;
  const doubt = (madeBefore = performance.now()) => {
    doubtedUntil = Math.max(doubtedUntil, madeBefore);
  };
  return {
    of,
    isDoubted,
    doubt,
    end: (client: pg.PoolClient) => end(client, of(client)),
    async accept(client: pg.ClientBase, servers: ServerChoice) {
      const { server, login, madeAt } = of(client);
      if (await servers.accept(client, server)) doubt(madeAt);
      clearTimeout(login);
    },
    /** New connections work: any that have been silent since one was found dead are dead, too. */
    endSilent() {
      for (const watchdog of watched) watchdog.giveUpIfSilentSince(deadSince);
    },
    classFor: (servers: ServerChoice) => classFor(servers, known),
    watch(client: pg.PoolClient, longestMs: number) {
      const connection = of(client);
      const { socket, server } = connection;
      connection.isUsed = true;
      const watchdog = watchResponses(socket, {
        target: server.target,
        longestMs,
        cancelTransaction: (transaction) => cancelTransaction(server.connectionString, transaction),
        onGiveUp: (silentSince) => {
          doubt();
          deadSince = Math.max(deadSince, silentSince);
        },
      });
      watched.add(watchdog);
      const release = (isBroken: boolean) => {
        watched.delete(watchdog);
        if (isBroken || isDoubted(client)) end(client, connection);
        else client.release();
      };
      return { watchdog, release };
    },
  };
}

/**
 * Each connection goes to the server chosen when it is opened. A connection that is open, but not logged
 * in within `loginMs`, fails with `Late`: the server is there, but too busy.
 */
function classFor(servers: ServerChoice, known: WeakMap<pg.ClientBase, Connection>) {
  return class extends Client {
    constructor(config: pg.ClientConfig = {}) {
      const server = servers.current;
      const socket = new Socket();
      const { connectionString } = server;
      super({ ...config, connectionString, connectionTimeoutMillis: 0, stream: () => socket });
      const login = setTimeout(() => {
        const isUnreachable = socket.connecting || socket.pending;
        const words = `no ${isUnreachable ? 'connection' : 'login'} within ${loginMs} ms`;
        socket.destroy(isUnreachable ? new Error(words) : new Late(words));
      }, loginMs);
      socket.once('close', () => clearTimeout(login));
      known.set(this, { socket, server, login, madeAt: performance.now(), isUsed: false });
    }
  };
}

function end(client: pg.PoolClient, { socket }: Connection): void {
  socket.destroy();
  client.release(true);
}
