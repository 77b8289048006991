// What `run` and `serve` share: the parts of the HTTP server for readers, and its start and stop.
import type { Config } from '../../base/config/config.ts';
import type { FigureSource } from '../../server/account-figures.ts';
import { isThisMachine } from '../../server/protect.ts';
import { createHttpServer, type HttpServerOptions } from '../../server/server.ts';
import { readFigure } from '../../store/job-queries/account-figures.ts';
import { readStatus } from '../../store/job-queries/status.ts';
import { createKeyStore } from '../../store/keys/key-lookup.ts';
import { type Database, pingDatabase } from '../../store/postgres/database.ts';
import { openChangeSignal } from '../../store/read-api/change-signal.ts';
import { openTrail } from './access-trail.ts';
import type { CommandScope } from './command-scope.ts';
import { composeKeyDatabase, composeReadDatabase } from './compose.ts';
import { packageVersion } from './package-info.ts';

/**
 * Metrics and pages read the status on demand; this interval covers times when the database does not answer.
 */
const statusEveryMs = 60_000;

export interface Served {
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
