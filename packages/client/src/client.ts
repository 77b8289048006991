// The client of the read API, exported as `custody-mirror/client`. It is self-contained: all it needs is
// fetch and streams, as in Node.js, Deno and browsers.

import type { ApiError } from './calls/api-error.ts';
import { Calls } from './calls/calls.ts';
import { askJson, type Connection, type Fetch } from './calls/request.ts';
import type { RetryPolicy } from './calls/retry.ts';
import { type AskChanges, ChangeFeed, type ChangesOptions } from './changes.ts';
import { operationsOf } from './generated/operations.ts';

export { ApiError } from './calls/api-error.ts';
export type { CallOptions, ListAt } from './calls/calls.ts';
export type { List, Page, PageOf } from './calls/list.ts';
export type { Fetch } from './calls/request.ts';
export type { RetryPolicy } from './calls/retry.ts';
export type { ChangeFeed, ChangesOptions, Place } from './changes.ts';
export type * from './generated/types/api-types.ts';

export interface ClientOptions {
  /**
   * The address of the mirror, such as `http://127.0.0.1:8787`; with the path below which a proxy serves it,
   * if any.
   */
  readonly baseUrl: string | URL;
  /**
   * A key of the mirror (`custody-mirror key create`), or its HTTP_TOKEN. Without it, reading must be open.
   */
  readonly key?: string | undefined;
  /** The account of every call that names none. */
  readonly account?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How long a response may take, in milliseconds; for CSV, its start and each part. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How transient failures are retried. The feed of changes retries until its signal is aborted.
   */
  readonly retry?: Partial<RetryPolicy> | undefined;
}

type Operations = ReturnType<typeof operationsOf>;

/**
 * A method for each operation of the API, by the name that the reference gives it, and the feed of changes.
 */
export interface Client extends Operations {
  /** Every change, once and in the order of commits; it waits for new ones. */
  changes(options?: ChangesOptions): ChangeFeed;
}

/** @throws TypeError for an address or a key that cannot be one */
export function createClient(options: ClientOptions): Client {
  const { account, fetch = globalThis.fetch, timeoutMs = 30_000 } = options;
  const connection: Connection = {
    // As a method it would get another `this`, which browsers refuse.
    fetch: (url, init) => fetch(url, init),
    baseUrl: baseUrlOf(options.baseUrl),
    key: keyOf(options.key),
    timeoutMs,
  };
  const retry: RetryPolicy = {
    attempts: 4,
    firstDelayMs: 250,
    greatestDelayMs: 30_000,
    random: Math.random,
    onRetry: (_error: ApiError, _delayMs: number) => undefined,
    ...options.retry,
  };
  const askChanges: AskChanges = (query, heldMs, signal) => {
    const values = { ...query, account: query.account ?? account };
    return askJson(connection, { path: '/v1/changes', values, heldMs, signal });
  };
  return {
    ...operationsOf(new Calls({ connection, retry, account })),
    changes: (of = {}) => new ChangeFeed(askChanges, retry, of),
  };
}

/** The errors below do not show the values, which may hold a password or a key. */
function baseUrlOf(given: string | URL): string {
  const text = String(given);
  if (!URL.canParse(text)) throw new TypeError('baseUrl must be an address such as http://127.0.0.1:8787');
  const { protocol, username, password, search, hash, href } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError('baseUrl must begin with http:// or https://');
  if (username !== '' || password !== '')
    throw new TypeError('baseUrl must not contain a user or password: pass the key as `key`');
  if (search !== '' || hash !== '') throw new TypeError('baseUrl must not contain ? or #');
  return href.replace(/\/+$/, '');
}

function keyOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  // A key that was read from a file ends with a line break.
  const key = given.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key must be one word of printable ASCII characters');
  return key;
}
