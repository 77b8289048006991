// What `run` and `serve` share: the parts of the HTTP server for readers, and its begin and end.
import type { Config } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { FigureSource } from '../../http/account-figures.ts';
import { isThisMachine } from '../../http/protect.ts';
import { createHttpServer, type HttpServerOptions } from '../../http/server.ts';
import { createKeyStore } from '../../store/keys/key-lookup.ts';
import type { Database } from '../../store/postgres/database.ts';
import { readFigure } from '../../store/query/account-figures.ts';
import { openChangeSignal } from '../../store/reading/change-signal.ts';
import type { CommandScope } from './command-scope.ts';
import { composeKeyDatabase, composeReadDatabase } from './compose.ts';

/** Metrics and pages read the status when asked; this is for what they tell while the database is silent. */
export const statusEveryMs = 60_000;

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

/** What accounts do is not for everybody: metrics tell it only where they ask for the token. */
export function figuresOption(
  http: Config['http'],
  database: Database,
  accounts: FigureSource['accounts'],
): { readonly figures?: FigureSource } {
  if (http.token === null) return {};
  return { figures: { accounts, readFigure: (question) => readFigure(database, question) } };
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
