// The pages over real HTTP with a real database, as browsers ask for them.
import { digestOfKey, makeApiKey } from '../../src/base/api-key.ts';
import type { HttpServerOptions } from '../../src/server/server.ts';
import { readStatus } from '../../src/store/job-queries/status.ts';
import { createKey, type NewKey } from '../../src/store/keys/api-keys.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { openReading } from './api-source.ts';
import { textOf } from './page-text.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { account, open } from './store.ts';

export interface SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** What a reader sees, on one line. */
  readonly text: string;
  /** The addresses of its links, decoded. */
  readonly links: readonly string[];
}

export interface Site extends RunningServer {
  /** Asks as a browser does: for HTML, and without following redirects. */
  page(path: string, headers?: Readonly<Record<string, string>>): Promise<SeenPage>;
}

/** @param of the account of the process */
export async function startSite(
  url: string,
  { of = account, ...changes }: Partial<HttpServerOptions> & { readonly of?: string } = {},
): Promise<Site> {
  const database = open(url);
  const server = await startServer({
    reading: openReading(url),
    account: of,
    readStatus: () => readStatus(database, of),
    ...changes,
  });
  return { ...server, page: (path, headers = {}) => seen(server, path, headers) };
}

async function seen(
  { get }: RunningServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SeenPage> {
  const answer = await get(path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
  const html = await answer.text();
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));
  return { status: answer.status, headers: answer.headers, html, text: textOf(html), links };
}

/** Makes a key. @param accounts that it reads; null for all */
export async function makeKey(
  database: Database,
  accounts: readonly string[] | null = null,
  changes: Partial<NewKey> = {},
): Promise<string> {
  const { key, prefix } = makeApiKey();
  const digest = digestOfKey(key.reveal());
  await createKey(database, { name: prefix, prefix, digest, accounts, expires: null, ...changes });
  return key.reveal();
}
