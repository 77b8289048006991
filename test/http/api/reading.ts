// A mirror with its server on a free port, for the tests of the API.
import { type ReaderVariables } from '../../../src/http/access/reader.ts';
import { openChangeSignal } from '../../../src/store/reading/change-signal.ts';
import { Secret } from '../../../src/base/secret.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { silentLogger } from '../../support/loggers.ts';
import { type RunningServer, startServer } from '../../support/running-server.ts';
import { account, open } from '../../support/store.ts';

export type { ReaderVariables };

export interface Api extends RunningServer {
  /** The body of an answer that must be 200. */
  json<Body>(path: string): Promise<Body>;
}

export async function startApi(
  url: string,
  { of = account, listen = true }: { readonly of?: string; readonly listen?: boolean } = {},
): Promise<Api> {
  const readDatabase = open(url);
  const changes = openChangeSignal({
    database: readDatabase,
    url: listen ? new Secret(url) : null,
    logger: silentLogger,
  });
  const server = await startServer({ reading: { readDatabase, account: of, changes } });
  onCleanup(() => changes.close());
  return {
    ...server,
    async json(path) {
      const answer = await server.get(path);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
  };
}
