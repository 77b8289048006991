// One cycle of transactions: an increment (the growing end of the list and the open transactions) where the
// list is known well enough, else a sweep.
import { renameSpan } from '../../base/tracing.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { TransactionCommit } from '../../store/commit/commit-transactions.ts';
import { anyChangedSince } from '../../store/job-queries/mirrored.ts';
import { countTransactions } from '../../store/run/accounts.ts';
import { readPosition } from '../../store/run/learned.ts';
import { changeMode, hasWholeSweep } from '../../store/run/runs.ts';
import {
  createGrowthObserver,
  growingEnd,
  isGrowingEndUnknown,
  lastLength,
  lastReading,
  learnGrowth,
  learnReading,
} from '../learned/growing-end-learned.ts';
import { noteRecords } from '../learned/repeated-evidence.ts';
import { openConflicting } from '../pages/commit-pages.ts';
import { createTransactionReader, fullPage } from '../pages/page-reader.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, type OpenRun, runJob } from '../run/run-job.ts';
import { type GrowingEnd, type ObservedPage, type SweepReason, walkGrowingEnd } from '../walk/growing-end.ts';
import { keysOf, overlapFor } from '../walk/overlap.ts';
import { isListCut } from './examine-sweep.ts';
import { readOpenTransactions } from './transactions-open.ts';
import { type NewestPart, newestPart, readNewest } from './transactions-parts.ts';
import { sweepTransactions, sweepWithin } from './transactions-sweep.ts';

export interface TransactionsOptions {
  /** Sweeps even if the growing end is known. */
  readonly full: boolean;
}

/**
 * A sweep of up to this many requests hardly costs more than reading both ends of the list, and shows more.
 */
const cheapSweep = 12;

/** Brings the transactions up to date: by an increment where that is possible, else by a sweep. */
export async function syncTransactions(
  context: JobContext,
  { full }: TransactionsOptions,
): Promise<JobOutcome> {
  if (full) return await sweepTransactions(context, { job: 'transactions' });
  let sweepBecause: SweepReason | null = null;
  const outcome = await runJob(context, { job: 'transactions', mode: 'incremental' }, async (run) => {
    const basis = await findIncrementBasis(run);
    if (basis === null) {
      await changeMode(run.database, run.lease, run.run, 'full');
      renameSpan('transactions full');
      return await sweepWithin(run);
    }
    sweepBecause = await readIncrement(run, basis);
    return null;
  });
  if (outcome.status !== 'succeeded' || sweepBecause === null) return outcome;
  context.logger.info({ job: 'transactions', reason: sweepBecause }, 'increment replaced by a sweep');
  return sumOutcomes(outcome, await sweepTransactions(context, { job: 'transactions' }));
}

/** The outcome of two runs as one: an increment and the sweep after it, or a sweep and its repetition. */
export function sumOutcomes(before: JobOutcome, sweep: JobOutcome): JobOutcome {
  return {
    ...sweep,
    records: before.records + sweep.records,
    inserted: before.inserted + sweep.inserted,
    changed: before.changed + sweep.changed,
    quarantined: Math.max(before.quarantined, sweep.quarantined),
    requests: before.requests + sweep.requests,
    rateLimited: before.rateLimited + sweep.rateLimited,
    seconds: before.seconds + sweep.seconds,
  };
}

/** What an increment needs to know about the list. */
interface IncrementBasis {
  /** `both` while the growing end is unknown: then an increment only checks that nothing changed. */
  readonly end: GrowingEnd | 'both';
  /** The newest range of dates of a list that is read in parts; null where its head shows what is new. */
  readonly newest: NewestPart | null;
  /** How many records of the list are mirrored. */
  readonly mirrored: number;
  /** How many records the list probably holds; with `both`, how many it held when last read whole. */
  readonly length: number;
}

/**
 * The basis of an increment, or null when only a sweep will do. It needs a whole sweep before, no interrupted
 * one to finish, and a known growing end. While that end is unknown, a list that is expensive to sweep is
 * checked for changes at both ends.
 */
async function findIncrementBasis(run: OpenRun): Promise<IncrementBasis | null> {
  const { database, lease, facts, config } = run;
  const newest = growingEnd(facts) === 'head' ? null : newestPart(run);
  const end = growingEnd(facts) ?? (isGrowingEndUnknown(facts) ? 'both' : null);
  if ((end === null && newest === null) || lastReading(run.facts) === null) return null;
  if ((await readPosition(database, lease.account, 'transactions')) !== null) return null;
  // A list that was cut has no whole sweep, but a known end at which new records appear.
  if (!isListCut(run) && !(await hasWholeSweep(database, lease.account))) return null;
  const mirrored = await countTransactions(database, lease.account);
  if (end !== 'both' || newest !== null) return { end: end ?? 'both', newest, mirrored, length: mirrored };
  const length = lastLength(facts);
  if (length === null || requestsOfSweep(mirrored, fullPage(facts, config.pageSize)) <= cheapSweep)
    return null;
  return { end, newest, mirrored, length };
}

function requestsOfSweep(mirrored: number, limit: number): number {
  return Math.ceil(mirrored / Math.max(1, limit - overlapFor(limit))) + 5;
}

/** @returns why a sweep is needed; null when everything was read */
async function readIncrement(
  run: OpenRun,
  { end, newest, mirrored, length }: IncrementBasis,
): Promise<SweepReason | null> {
  const { config, database, facts, lease, signal } = run;
  const read = createTransactionReader(run);
  const before = lastReading(run.facts) ?? '-infinity';
  // The actual page length: with a greater limit the pages of the tail would not be found.
  const limit = fullPage(facts, config.pageSize);
  const sweepRequests = requestsOfSweep(mirrored, limit);
  const growth = end === 'both' ? createGrowthObserver() : null;
  const conflicting = await openConflicting(run);
  // Unreadable records alone may all be new. Where both ends are read, the length of the list decides.
  const isKnown = ({ items }: Page<Transaction>, { unchanged }: TransactionCommit) =>
    items.filter(({ kind }) => kind === 'record').length === unchanged && (unchanged > 0 || end === 'both');
  let readAt: number | null = null;
  let news = false;
  const observe = async (request: Required<PageRequest>): Promise<ObservedPage> => {
    const page = await read(request, signal);
    // At the tail, as in a sweep, the answer after the last record shows that nothing is missing.
    readAt = end === 'tail' ? page.beganAt : (readAt ?? page.beganAt);
    const keys = keysOf(page);
    if (keys.length === 0) return { keys, isSettled: true };
    await noteRecords(run, 'transactions');
    // Every page is committed, even when it shows that a sweep is needed.
    const { pages, written } = await conflicting.commit({ pages: [page] });
    growth?.page(keys, written.insertedIds, written.changedIds);
    const known = pages.every((believed) => isKnown(believed, written));
    const isSettled = known && !(await anyChangedSince(database, lease.account, keys, before));
    news ||= !isSettled;
    return { keys, isSettled };
  };
  if (newest === null) {
    const reading = walkGrowingEnd({ end, limit, length, maxPages: sweepRequests });
    let step = reading.next();
    while (!step.done) step = reading.next(await observe(step.value));
    // Only while the growing end is unknown; otherwise sweeps confirm it.
    if (growth !== null) learnGrowth(run, growth.observation(), 'an increment');
    if (step.value !== null) return step.value;
  } else {
    readAt = run.clock.now();
    news = true;
    const commit = (pages: readonly Page<Transaction>[]) => conflicting.commit({ pages });
    if (!(await readNewest({ run, read, commit }, newest))) return 'no-known-page';
  }
  if (news && readAt !== null) learnReading(run.facts, readAt, 'an increment');
  const open = await readOpenTransactions({
    run,
    read: createTransactionReader(run, 'urgent'),
    limit,
    conflicting,
    sweepRequests,
  });
  await conflicting.report();
  return open;
}
