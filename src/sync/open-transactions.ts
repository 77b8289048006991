// Keeps up with transactions that are not settled: reads the short lists of the open statuses (interface.md 4.1, filter
// `status`), and whichever transaction the mirror holds as open that is on none of them, by its id or where settled
// ones stand. Nothing here proves completeness; what it misses, a sweep finds.

import { isKeyRejected } from '../domain/errors.ts';
import type { Page } from '../domain/page.ts';
import { openStatuses, type Transaction, terminalStatuses } from '../domain/transaction.ts';
import { readOpenTransactionIds } from '../store/transactions.ts';
import type { Contested } from './contested.ts';
import { growingEnd } from './growth.ts';
import type { OpenRun } from './job.ts';
import { fullPage, type ReadTransactions } from './transaction-pages.ts';
import type { SweepReason } from './walk/growing-end.ts';

export interface OpenReading {
  readonly run: OpenRun;
  readonly read: ReadTransactions;
  readonly limit: number;
  /** Commits a page and counts it. */
  readonly commit: (page: Page<Transaction>) => Promise<unknown>;
  /** Those about which no list is believed: they are read by their ids. */
  readonly contested: Pick<Contested, 'has' | 'without'>;
  /** Requests that a sweep of the whole list would take. */
  readonly sweepRequests: number;
}

/** Whether the answer holds the transaction in a form that was understood. */
export function showsTransaction({ items }: Page<Transaction>, id: string): boolean {
  return items.some((item) => item.kind === 'record' && item.key === id);
}

const filterFact = 'status_filter';
/** Up to so many are simply read by their ids. */
const fewEnough = 8;

export async function readOpenTransactions(reading: OpenReading): Promise<SweepReason | null> {
  const { run, sweepRequests } = reading;
  const open = await readOpenTransactionIds(run.database, run.lease.account);
  const held = new Set(open);
  const misread = new Set<string>();
  const filterWorks = run.facts.known.get(filterFact) !== 'ignored';
  for (const status of filterWorks ? openStatuses : []) {
    if (!(await readStatusList(reading, status, { held, misread }, sweepRequests))) break;
  }
  if (held.size > fewEnough && growingEnd(run.facts) === 'head')
    await readSettledHeads(reading, { held, misread });
  if (held.size > sweepRequests) return 'too-many-open';
  const unread = await readById(reading, [...held]);
  run.tellOpenRead(unread === 0 && !open.some((id) => misread.has(id)));
  return null;
}

/** The transactions to be read: what a list shows is taken out of `held`, and noted in `misread` if it was not understood. */
interface Wanted {
  readonly held: Set<string>;
  readonly misread: Set<string>;
}

function takeOut({ held, misread }: Wanted, page: Page<Transaction>): void {
  for (const item of page.items) {
    held.delete(item.key);
    if (item.kind === 'undecodable') misread.add(item.key);
  }
}

/**
 * Reads the list of one status and takes what it shows out of those held.
 *
 * @returns false when the service turns out to ignore the filter
 */
async function readStatusList(
  { run, read, limit, commit, contested }: OpenReading,
  status: string,
  wanted: Wanted,
  maxPages: number,
): Promise<boolean> {
  const { signal, facts } = run;
  const cap = fullPage(facts, limit);
  for (let offset = 0, pages = 0; pages < Math.max(1, maxPages); pages += 1) {
    const page = await read({ offset, limit }, signal, { status });
    const believed = contested.without(page);
    if (believed.items.length > 0) await commit(believed);
    if (page.items.some((item) => item.kind === 'record' && item.record.status !== status)) {
      facts.learn({
        fact: filterFact,
        value: 'ignored',
        evidence: `records of other statuses were answered to status=${status}`,
      });
      return false;
    }
    takeOut(wanted, believed);
    if (page.items.length < cap) return true;
    offset += page.items.length;
  }
  return true;
}

/** What has just been settled is likely among the newest of its new status: one page of each before asking by id. */
async function readSettledHeads(
  { run, read, limit, commit, contested }: OpenReading,
  wanted: Wanted,
): Promise<void> {
  const { signal } = run;
  for (const status of terminalStatuses) {
    if (wanted.held.size <= fewEnough) return;
    const page = await read({ offset: 0, limit }, signal, { status });
    const believed = contested.without(page);
    if (believed.items.length > 0) await commit(believed);
    takeOut(wanted, believed);
  }
}

/**
 * One that cannot be read does not stop the others; it stays open and is tried again by the next cycle.
 *
 * @returns how many were not read, be it that the service does not know them
 */
async function readById({ run, commit }: OpenReading, ids: readonly string[]): Promise<number> {
  const { client, signal, tally, logger } = run;
  const unreadable: string[] = [];
  let read = 0;
  for (let from = 0; from < ids.length; from += 20) {
    const some = ids.slice(from, from + 20);
    const answers = await Promise.allSettled(
      some.map((id) => client.transaction(id, { signal, priority: 'urgent', tally })),
    );
    signal.throwIfAborted();
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') {
        if (answer.value.items.length > 0) await commit(answer.value);
        if (showsTransaction(answer.value, some[index] ?? '')) read += 1;
      } else if (isKeyRejected(answer.reason)) throw answer.reason;
      else unreadable.push(some[index] ?? '');
    }
  }
  if (unreadable.length > 0 && unreadable.length === ids.length && ids.length > fewEnough)
    throw new Error(`none of ${ids.length} open transactions could be read by id`);
  if (unreadable.length > 0)
    logger.warn(
      { job: run.run.job, transactions: unreadable.length },
      'open transactions could not be read by id',
    );
  return ids.length - read;
}
