// Reads the open transactions: the lists of the open statuses (docs/custody-service.md 4.1, filter `status`),
// then each transaction that is open in the mirror and on none of these lists, by its id or at the head of
// the settled statuses. This does not prove completeness; a sweep finds any others.
import { allSettled } from '../../base/waiting.ts';
import { openStatuses, settledStatuses } from '../../domain/fields.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { readOpenTransactionIds } from '../../store/job-queries/mirrored.ts';
import { growingEnd } from '../learned/growing-end-learned.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import { askById, type ConflictingRecords, commitById } from '../pages/commit-pages.ts';
import type { ReadTransactions } from '../pages/list-window.ts';
import { fullPage } from '../pages/page-reader.ts';
import type { OpenRun } from '../run/run-job.ts';
import type { SweepReason } from '../walk/growing-end.ts';
import { isIgnored } from './cross-examination.ts';

export interface OpenReading {
  readonly run: OpenRun;
  readonly read: ReadTransactions;
  readonly limit: number;
  /** They are read by their ids; records of them in a list are left out. */
  readonly conflicting: ConflictingRecords;
  /** Requests that a sweep of the whole list would take. */
  readonly sweepRequests: number;
}

const filterFact = 'status_filter';
/** The most transactions that are read by id at a time. */
const fewEnough = 8;
/** The limit of a request that checks whether the filter is still ignored. */
const probeLimit = 20;

export async function readOpenTransactions(reading: OpenReading): Promise<SweepReason | null> {
  const { run, sweepRequests } = reading;
  const open = await readOpenTransactionIds(run.database, run.lease.account);
  const wanted: Wanted = { held: new Set(open), misread: new Set() };
  const { held, misread } = wanted;
  await readOpenLists(reading, wanted);
  if (held.size > fewEnough && growingEnd(run.facts) === 'head') await readSettledHeads(reading, wanted);
  if (held.size > sweepRequests) return 'too-many-open';
  const unread = await readById(reading, [...held]);
  run.setOpenTransactionsRead(unread === 0 && !open.some((id) => misread.has(id)));
  return null;
}

interface Wanted {
  /** Transactions still to be read: those that a list has shown are removed. */
  readonly held: Set<string>;
  /** Transactions that a list has shown as records that could not be decoded. */
  readonly misread: Set<string>;
}

/** Commits what a list shows. A page with refused records counts as not read. */
async function commitList({ conflicting }: OpenReading, wanted: Wanted, page: Page<Transaction>) {
  if (page.items.length === 0) return;
  const { pages, written } = await conflicting.commit({ pages: [page] });
  if (written.stale > 0) return;
  for (const item of pages.flatMap(({ items }) => items)) {
    wanted.held.delete(item.key);
    if (item.kind === 'undecodable') wanted.misread.add(item.key);
  }
}

/** What the answers to one status show about the filter; null when they hold no record. */
type FilterObservation = 'honoured' | 'ignored' | null;

/** Reads each open status, until an answer shows that the filter is ignored; ids do the rest. */
async function readOpenLists(reading: OpenReading, wanted: Wanted): Promise<void> {
  let overall: FilterObservation = null;
  let asked = '';
  for (const status of openStatuses) {
    asked = status;
    overall = (await readStatusList(reading, status, wanted)) ?? overall;
    if (overall === 'ignored') break;
  }
  if (overall === null) return;
  const saw = overall === 'ignored' ? 'mostly records of other statuses' : 'records of that status';
  const evidence = `the answer to status=${asked} held ${saw}`;
  noteEvidence(reading.run, { fact: filterFact, value: overall, evidence });
}

/**
 * Reads the list of one status, up to a page that shows mostly other statuses. Where the filter was ignored,
 * one short page shows whether it still is.
 */
async function readStatusList(
  reading: OpenReading,
  status: string,
  wanted: Wanted,
): Promise<FilterObservation> {
  const { run, read, sweepRequests } = reading;
  const isProbe = run.facts.known.get(filterFact) === 'ignored';
  const limit = isProbe ? Math.min(reading.limit, probeLimit) : reading.limit;
  const mostPages = isProbe ? 1 : Math.max(1, sweepRequests);
  let overall: FilterObservation = null;
  for (let offset = 0, pages = 0; pages < mostPages; pages += 1) {
    const page = await read({ offset, limit }, run.signal, { status });
    await commitList(reading, wanted, page);
    if (isIgnored(page, (record) => record.status === status)) return 'ignored';
    if (page.items.some(({ kind }) => kind === 'record')) overall = 'honoured';
    if (page.items.length < fullPage(run.facts, limit)) break;
    offset += page.items.length;
  }
  return overall;
}

/** Reads one page of each settled status: a transaction that was just settled is likely at the head of it. */
async function readSettledHeads(reading: OpenReading, wanted: Wanted): Promise<void> {
  const { run, read, limit } = reading;
  for (const status of settledStatuses) {
    if (wanted.held.size <= fewEnough) return;
    await commitList(reading, wanted, await read({ offset: 0, limit }, run.signal, { status }));
  }
}

/**
 * Reads transactions by their ids. One that cannot be read stays open without stopping the others.
 *
 * @returns how many were not read, including those that the service does not know
 */
async function readById({ run }: OpenReading, ids: readonly string[]): Promise<number> {
  const { logger } = run;
  const unreadable: string[] = [];
  let read = 0;
  for (let from = 0; from < ids.length; from += 20) {
    const some = ids.slice(from, from + 20);
    const asked = some.map((id) => askById(run, id, 'urgent'));
    const answers = await Promise.allSettled(asked);
    run.signal.throwIfAborted();
    for (const [index, id] of some.entries()) {
      const answer = answers[index];
      if (answer?.status !== 'fulfilled') continue;
      if (answer.value instanceof Error) unreadable.push(id);
      else if (await commitById(run, answer.value, id)) read += 1;
    }
    // Answers that came before the key was refused are still committed.
    await allSettled(asked);
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
