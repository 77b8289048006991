// What `run` and `serve` share: the parts of the HTTP server for readers, and its start and stop.

import { constants, openSync } from 'node:fs';
import type { Config } from '../../base/config/config.ts';
import { createOutput } from '../../base/output.ts';
import { errorCode, MirrorError } from '../../domain/errors.ts';
import type { AccessTrail } from '../../http/access/observe.ts';
import { isThisMachine } from '../../server/app.ts';
import type { FigureSource } from '../../server/metrics-source.ts';
import { createHttpServer, type HttpServerOptions } from '../../server/server.ts';
import { readFigure } from '../../store/job-queries/account-figures.ts';
import { readStatus } from '../../store/job-queries/status.ts';
import { createKeyStore } from '../../store/keys/api-keys.ts';
import { type Database, pingDatabase } from '../../store/postgres/database.ts';
import { openChangeSignal } from '../../store/read-api/change-signal.ts';
import { type CommandScope, packageVersion } from './command-scope.ts';
import { composeKeyDatabase, composeReadDatabase } from './compose.ts';

// Where the access trail goes: to the log, or to a file. Invariant: a line is written at once or waits in a
// bounded buffer, so neither a full disk nor a pipe without a reader holds up an answer.

/** Bytes that wait while the file takes nothing. */
const maxWaiting = 1_048_576;
const settleMs = 500;
/** With O_RDWR the start does not wait for the reader of a pipe. */
const flags =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * @param target HTTP_ACCESS_LOG: `off`, `log` or the path of a file
 * @throws MirrorError `CONFIGURATION` when the file cannot be opened
 */
export function openTrail(target: string, { logger, metrics, releasers }: CommandScope): AccessTrail | null {
  if (target === 'off') return null;
  if (target === 'log') return ({ time: _, ...fields }) => logger.info(fields, 'reader answered');
  const output = createOutput({ fd: open(target) }, maxWaiting);
  let isDropping = false;
  output.watch({
    onDrop: () => {
      metrics.accessLinesDropped.inc();
      if (!isDropping) logger.warn({ file: target }, 'the access trail cannot be written');
      isDropping = true;
    },
    onTaken: (lines) => {
      isDropping = false;
      logger.warn({ lines }, 'lines of the access trail were dropped');
    },
  });
  releasers.add('access trail', async () => void (await output.settle(settleMs)));
  return (record) => output.write(`${JSON.stringify(record)}\n`);
}

function open(path: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const message = `HTTP_ACCESS_LOG: ${path} cannot be opened (${errorCode(error)}): name a file that this user can write`;
    throw new MirrorError('CONFIGURATION', message, { cause: error });
  }
}

/**
 * Metrics and pages read the status on demand; this interval covers times when the database does not answer.
 */
const statusEveryMs = 60_000;

interface Served {
  readonly database: Database;
  /** The account of an address that names none. */
  readonly account: string;
  /** The accounts whose activity metrics show. */
  readonly accounts: FigureSource['accounts'];
}

export function serverOptions(
  http: Config['http'],
  scope: CommandScope,
  { database, account, accounts }: Served,
): Omit<HttpServerOptions, 'health'> {
  const trail = openTrail(http.accessLog, scope);
  return {
    ...http,
    ...(trail === null ? {} : { trail }),
    // Account activity is confidential: open metrics do not show it.
    ...(http.token === null && isThisMachine(http.host)
      ? {}
      : { figures: { accounts, readFigure: (question) => readFigure(database, question) } }),
    account,
    metrics: scope.metrics,
    logger: scope.logger,
    version: packageVersion(),
    readStatus: () => readStatus(database, account),
    checkDatabase: () => pingDatabase(database),
    refreshMs: statusEveryMs,
  };
}

/** The database and the readers' keys for pages and read API. */
export function readersOptions(config: Pick<Config, 'database' | 'http'>, scope: CommandScope) {
  const readDatabase = composeReadDatabase(config, scope);
  const { logger, releasers } = scope;
  const changes = openChangeSignal({ database: readDatabase, logger });
  releasers.add('change signal', () => changes.close());
  return {
    keys: createKeyStore(composeKeyDatabase(config.database.url, scope)),
    reading: { readDatabase, connections: config.http.database.maxConnections, changes },
  };
}

/** @returns the address of the pages for a browser on this machine */
export async function listenHttp(options: HttpServerOptions, { releasers }: CommandScope): Promise<string> {
  const server = createHttpServer(options);
  const { url } = await server.listen();
  releasers.add('http', () => server.close());
  return url;
}
