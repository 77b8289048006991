// One cycle of transactions, by the cheapest way that misses nothing it can know of: the growing end and the open
// transactions where the list is known well enough, else a sweep of everything.
import { renameSpan } from '../../base/tracing.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { TransactionCommit } from '../../store/commit/commit-transactions.ts';
import { anyChangedSince } from '../../store/query/recent-changes.ts';
import { countTransactions } from '../../store/run/kept-counts.ts';
import { hasWholeSweep } from '../../store/run/past-runs.ts';
import { readPosition } from '../../store/run/positions.ts';
import { changeMode } from '../../store/run/runs.ts';
import {
  createGrowthObserver,
  growingEnd,
  isGrowthOpen,
  learnGrowth,
} from '../learned/growing-end-learned.ts';
import { lastLength, lastReading, learnReading } from '../learned/last-reading.ts';
import { commitListed } from '../pages/commit-listed.ts';
import { openConflicting } from '../pages/conflicting.ts';
import { createTransactionReader } from '../pages/page-reader.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, type OpenRun, runJob } from '../run/run-job.ts';
import { type GrowingEnd, type SeenPage, type SweepReason, walkGrowingEnd } from '../walk/growing-end.ts';
import { keysOf, overlapFor } from '../walk/overlap.ts';
import { readOpenTransactions } from './transactions-open.ts';
import { sweepTransactions, sweepWithin } from './transactions-sweep.ts';

export interface TransactionsOptions {
  /** Sweeps even where the growing end is known. */
  readonly full: boolean;
}

/** Requests up to which a sweep is hardly dearer than a look at both ends, and tells more. */
const cheapSweep = 12;

/** Brings the transactions up to date; incrementally where that is possible, else by a sweep. */
export async function syncTransactions(
  context: JobContext,
  { full }: TransactionsOptions,
): Promise<JobOutcome> {
  if (full) return await sweepTransactions(context, { job: 'transactions' });
  let sweepBecause: SweepReason | null = null;
  const outcome = await runJob(context, { job: 'transactions', mode: 'incremental' }, async (run) => {
    const footing = await findFooting(run);
    if (footing === null) {
      await changeMode(run.database, run.lease, run.run, 'full');
      renameSpan('transactions full');
      return await sweepWithin(run, 'transactions');
    }
    sweepBecause = await readIncrement(run, footing);
    return null;
  });
  if (outcome.status !== 'succeeded' || sweepBecause === null) return outcome;
  context.logger.info({ reason: sweepBecause }, 'increment gave way to a sweep');
  return together(outcome, await sweepTransactions(context, { job: 'transactions' }));
}

/** What two runs came to: an increment and the sweep it gave way to, or a sweep and the next attempt at one. */
export function together(before: JobOutcome, sweep: JobOutcome): JobOutcome {
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

/** What an increment rests on. */
interface Footing {
  /** `both` while nothing is known of the growing end: then the list is only looked at for whether anything happened. */
  readonly end: GrowingEnd | 'both';
  /** Records of the list that are mirrored. */
  readonly mirrored: number;
  /** Records that the list is likely to hold. While nothing is known of its end it has to be as long as it was. */
  readonly length: number;
}

/**
 * What an increment may rest on: a verified sweep, with no interrupted one to finish, and the growing end; or, while nothing
 * is known of it, a list that is dear to sweep: an account in which nothing happens is not swept again and again.
 */
async function findFooting(run: OpenRun): Promise<Footing | null> {
  const { database, lease, facts, config } = run;
  const end = growingEnd(facts) ?? (isGrowthOpen(facts) ? 'both' : null);
  if (end === null || lastReading(run) === null) return null;
  if ((await readPosition(database, lease.account, 'transactions')) !== null) return null;
  if (!(await hasWholeSweep(database, lease.account))) return null;
  const mirrored = await countTransactions(database, lease.account);
  if (end !== 'both') return { end, mirrored, length: mirrored };
  const length = lastLength(facts);
  if (length === null || requestsOfSweep(mirrored, config.pageSize) <= cheapSweep) return null;
  return { end, mirrored, length };
}

function requestsOfSweep(mirrored: number, limit: number): number {
  return Math.ceil(mirrored / Math.max(1, limit - overlapFor(limit))) + 5;
}

/** @returns why a sweep is needed instead; null when everything was read */
async function readIncrement(run: OpenRun, { end, mirrored, length }: Footing): Promise<SweepReason | null> {
  const { config, database, facts, lease, signal } = run;
  const read = createTransactionReader(run, 'normal');
  const before = lastReading(run) ?? '-infinity';
  const limit = config.pageSize;
  const sweepRequests = requestsOfSweep(mirrored, limit);
  const growth = end === 'both' ? createGrowthObserver() : null;
  const conflicting = await openConflicting(run);
  const write = (page: Page<Transaction>) => commitListed(run, conflicting, [page]);
  const isKnown = (page: Page<Transaction>, { unchanged, quarantined }: TransactionCommit) =>
    unchanged + quarantined === page.items.length;
  let beganAt: number | null = null;
  let news = false;
  const look = async (request: Required<PageRequest>): Promise<SeenPage> => {
    const page = await read(request, signal);
    beganAt ??= page.beganAt;
    const keys = keysOf(page);
    if (keys.length === 0) return { keys, isSettled: true };
    // Whatever was seen is kept, also where it shows that more has to be read.
    const believed = conflicting.without(page);
    const written = await write(believed);
    growth?.page(keys, written.insertedIds, written.changedIds);
    const known = isKnown(believed, written);
    const isSettled = known && !(await anyChangedSince(database, lease.account, keys, before));
    news ||= !isSettled;
    return { keys, isSettled };
  };
  const reading = walkGrowingEnd({ end, limit, length, maxPages: sweepRequests });
  let step = reading.next();
  while (!step.done) step = reading.next(await look(step.value));
  // Beside a known end the sweep that follows tells more than a part of the list.
  if (growth !== null) learnGrowth(facts, growth.sighting(), 'an increment');
  if (step.value !== null) return step.value;
  if (news && beganAt !== null) learnReading(run, beganAt, 'an increment');
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
