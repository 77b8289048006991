// A migrated database with the store open on it, a lease and a run; and makers of pages as the decoder would
// give them.

import { createHash } from 'node:crypto';
import { createClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { Secret } from '../../src/base/secret.ts';
import { readStoredTransaction } from '../../src/custody/decode/stored.ts';
import type { RequestTally } from '../../src/domain/endpoint.ts';
import type { ListItem, Page, UndecodableItem } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../src/store/commit/commit-transactions.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { acquireLease, type Lease } from '../../src/store/run/leases.ts';
import { type Run, startRun } from '../../src/store/run/runs.ts';
import { onCleanup } from './cleanup.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { silentLogger } from './loggers.ts';

export const account = 'acme';
export const noRequests: RequestTally = { requests: 0, retries: 0, rateLimited: 0 };
/** 2026-01-01T00:00:00Z, from which tests count milliseconds. */
export const epoch = Date.UTC(2026, 0, 1);

export interface Store extends TestDatabase {
  readonly database: Database;
  readonly lease: Lease;
  readonly run: Run;
}

/**
 * A test that gives a database its own present names the schema of its `now()` in the address. Sessions of
 * the product do not follow such a setting, so it is handed to them.
 */
function searchPathIn(url: string): { readonly searchPath?: string } {
  const [, options = ''] = /[?&]options=([^&]*)/.exec(url) ?? [];
  const words = decodeURIComponent(options.replaceAll('+', ' '));
  const [, searchPath] = /-c search_path=(\S+)/.exec(words) ?? [];
  return searchPath === undefined ? {} : { searchPath };
}

export function open(url: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database {
  const database = openDatabase({
    url: new Secret(url),
    applicationName: 'custody-mirror test',
    logger: silentLogger,
    metrics: createMetrics(),
    ...searchPathIn(url),
    ...options,
  });
  onCleanup(() => database.close());
  return database;
}

export async function lease(
  database: Database,
  holder = 'test',
  ttlMs = 600_000,
  of = account,
  clock = createClock(),
): Promise<Lease> {
  const attempt = await acquireLease(database, { account: of, holder, ttlMs, clock });
  if (!('lease' in attempt)) throw new Error(`the lease is held by ${attempt.heldBy}`);
  return attempt.lease;
}

/** @param given a migrated database; by default a new one */
export async function openStore(given?: TestDatabase): Promise<Store> {
  const test = given ?? (await testDatabase());
  const database = open(test.url);
  await bindAccount(database, { account, baseUrl: 'https://custody.example', timeZone: 'UTC' });
  const own = await lease(database);
  const run = await startRun(database, own, { job: 'transactions', mode: 'full' });
  return { ...test, database, lease: own, run };
}

export interface WireTransaction {
  readonly id: string;
  readonly status?: string;
  readonly amount?: string;
  readonly note?: string;
  readonly type?: string;
  /** A field no column knows. */
  readonly extra?: unknown;
  readonly timestamp?: string;
}

/** The decoder's reading of a record with only these fields. */
export function transaction(wire: WireTransaction): Transaction {
  const { id, status = 'pending', amount = '1.50', note = '', type = 'deposit', extra, timestamp } = wire;
  const content = {
    transaction_id: id,
    status,
    transaction: { transaction_type: type, amount, note },
    ...(extra === undefined ? {} : { extra }),
  };
  const raw = JSON.stringify(timestamp === undefined ? content : { ...content, timestamp });
  const reading = readStoredTransaction(raw);
  if (reading === null) throw new Error(`no record: ${raw}`);
  return reading;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function item(record: Transaction): ListItem<Transaction> {
  return { kind: 'record', key: record.transactionId, hash: record.contentHash, record };
}

export function undecodable(key: string, reason = 'has no status', raw = '{"broken":true}'): UndecodableItem {
  return { kind: 'undecodable', key, hash: digest(raw), reason, raw };
}

/** A page asked for at `began` and answered at `arrived`, in milliseconds since `epoch`. */
export function page<Record_>(
  items: readonly ListItem<Record_>[],
  began: number,
  arrived = began + 1,
): Page<Record_> {
  return { items, beganAt: epoch + began, arrivedAt: epoch + arrived, sourceTimestamp: null };
}

export function pageOf(wires: readonly WireTransaction[], began: number, arrived = began + 1) {
  return page(
    wires.map((wire) => item(transaction(wire))),
    began,
    arrived,
  );
}

/** Commits pages of transactions as a job would that made no requests for them. */
export function commitPages(
  { database, lease, run }: Pick<Store, 'database' | 'lease' | 'run'>,
  ...pages: readonly Page<Transaction>[]
) {
  return commitTransactionPages(database, lease, run, { pages, tally: noRequests, position: null });
}
