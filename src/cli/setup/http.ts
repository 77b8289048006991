// What `run` and `serve` share: the parts of the HTTP server for readers, and its begin and end.
import type { Config } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { FigureSource } from '../../server/account-figures.ts';
import { isThisMachine } from '../../server/protect.ts';
import { createHttpServer, type HttpServerOptions } from '../../server/server.ts';
import { readFigure } from '../../store/job-queries/account-figures.ts';
import { readStatus } from '../../store/job-queries/status.ts';
import { createKeyStore } from '../../store/keys/key-lookup.ts';
import { type Database, pingDatabase } from '../../store/postgres/database.ts';
import { openChangeSignal } from '../../store/read-api/change-signal.ts';
import type { CommandScope } from './command-scope.ts';
import { composeKeyDatabase, composeReadDatabase } from './compose.ts';
import { packageVersion } from './package-info.ts';

/** Metrics and pages read the status when asked; this is for what they tell while the database is silent. */
const statusEveryMs = 60_000;

export interface Served {
  readonly database: Database;
  /** Of an address that names none. */
  readonly account: string;
  /** Those of which metrics tell what they do. */
  readonly accounts: FigureSource['accounts'];
}

export function serverOptions(
  http: Config['http'],
  scope: CommandScope,
  { database, account, accounts }: Served,
): Omit<HttpServerOptions, 'health'> {
  return {
    ...http,
    // What accounts do is not for everybody: metrics tell it only where they ask for the token.
    ...(http.token === null
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

/** What pages and read API need: their database and the keys of their readers. */
export function readersOptions(config: Pick<Config, 'database' | 'http'>, scope: CommandScope) {
  const readDatabase = composeReadDatabase(config, scope);
  const { logger, releasers } = scope;
  // Listens where the mirror writes: a replica is told of nothing.
  const changes = openChangeSignal({ database: readDatabase, url: config.database.url, logger });
  releasers.add('change signal', () => changes.close());
  return {
    keys: createKeyStore(composeKeyDatabase(config.database.url, scope)),
    reading: { readDatabase, connections: config.http.database.maxConnections, changes },
  };
}

/** @returns where a person on this machine opens the pages */
export async function listenHttp(options: HttpServerOptions, { releasers }: CommandScope): Promise<string> {
  const server = createHttpServer(options);
  const { url } = await server.listen();
  releasers.add('http', () => server.close());
  return url;
}

/** Metrics ask for nothing where there is no token. */
export function warnOfOpenMetrics({ host, token, serve }: Config['http'], logger: Logger): void {
  if (isThisMachine(host) || token !== null) return;
  logger.warn(
    { http_host: host },
    serve === 'all'
      ? 'metrics are open to everybody who reaches this address, pages and API to those with a key; HTTP_TOKEN closes metrics too, and lets them tell what the account does'
      : 'metrics are open to everybody who reaches this address; HTTP_TOKEN closes them, and lets them tell what the account does',
  );
}
