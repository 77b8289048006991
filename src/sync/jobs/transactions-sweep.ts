// Sweeps the whole list of transactions (docs/custody-service.md 4.1) into the mirror. Each page commits
// together with its history and the position to resume from; the run ends with a verdict on its completeness.
import type { Coverage } from '../../domain/doubts.ts';
import { type SweepingJob, sweepingJobs } from '../../domain/jobs.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { readChangedSince, readOpenTransactionIds } from '../../store/job-queries/mirrored.ts';
import { countTransactions } from '../../store/run/accounts.ts';
import { clearPosition, readPosition } from '../../store/run/learned.ts';
import { resolveUnmetQuarantine, resolveUnreadable } from '../../store/run/quarantine.ts';
import { hasWholeSweep } from '../../store/run/runs.ts';
import {
  createGrowthObserver,
  type GrowthObserver,
  lastReading,
  learnGrowth,
  learnLength,
  learnReading,
  maxObserved,
} from '../learned/growing-end-learned.ts';
import { noteRecords, requireConfirmedEmpty } from '../learned/repeated-evidence.ts';
import { type ConflictingRecords, openConflicting } from '../pages/commit-pages.ts';
import { recheckWindow } from '../pages/list-window.ts';
import { createTransactionReader, pageCapFact, unreadablePrefix } from '../pages/page-reader.ts';
import { createPageWriter } from '../pages/page-writer.ts';
import { rawOf } from '../run/commit-pace.ts';
import type { JobContext } from '../run/context.ts';
import { createKeySet, type KeySet } from '../run/key-set.ts';
import { type JobOutcome, type OpenRun, runJob } from '../run/run-job.ts';
import { keysOf } from '../walk/overlap.ts';
import type { WalkPart, WalkState } from '../walk/state.ts';
import { coversWholeList, type Verdict } from '../walk/verdict.ts';
import { walkPositionFromJson, walkPositionToJson } from '../walk/walk.ts';
import { walkList } from '../walk/walk-list.ts';
import { noteShares, type Shares } from './cross-examination.ts';
import { cutByAbsence, examine, isListCut } from './examine-sweep.ts';
import { concludeMissing, forgetAbsentees } from './transactions-missing.ts';

/** The most text of records in one commit. */
const bytesPerCommit = 2 ** 20;
/** How much of it is read ahead of that. */
const bytesAhead = 8 * 2 ** 20;
/** The longest that a page waits to be committed with others. */
const pageWaitMs = 500;
/** The age limit of a position: after that, too much has changed to resume. */
const resumeWithinMs = 24 * 3_600_000;
/** The page count at which a list of unknown length counts as endless. */
const maxPagesUnknown = 200_000;

/** Sweeps every transaction; resumes an interrupted sweep of the same job. */
export function sweepTransactions(
  context: JobContext,
  { job }: { readonly job: SweepingJob },
): Promise<JobOutcome> {
  return runJob(context, { job, mode: 'full' }, sweepWithin);
}

/** The sweep as part of a started run. */
export async function sweepWithin(run: OpenRun): Promise<Verdict> {
  const met = createKeySet();
  const shares: Shares = new Map();
  const open = await readOpenTransactionIds(run.database, run.lease.account);
  const conflicting = await openConflicting(run);
  await recheckWindow(run);
  const walked = await sweep(run, { met, shares, conflicting, isResumable: true });
  // To a sweep resumed after the examination, records that only a filter shows would seem to have been met.
  for (const sweeping of sweepingJobs) await clearPosition(run.database, run.lease, sweeping);
  const verdict = await examine({
    run,
    verdict: walked,
    met,
    shares,
    commit: (pages) => conflicting.commit({ pages, isReadAgain: true }),
    sweepAgain: () => sweep(run, { met, shares, conflicting, isResumable: false }),
  });
  await conflicting.report();
  const conflictingRead = await conflicting.settle(coversWholeListAlone(verdict));
  // A resumed sweep does not know what it read before it was interrupted.
  if (coversWholeListAlone(verdict))
    await resolveUnmetQuarantine(run.database, run.lease, run.run, 'transactions');
  else if (verdict.verified)
    await resolveUnreadable(run.database, run.lease, 'transactions', unreadablePrefix);
  // Records absent from a list that is known to be cut may still exist.
  const isHiding =
    verdict.verified && verdict.evidence.resumed === 0 && !isListCut(run)
      ? (await concludeMissing(run, met)) > 0
      : await forgetAbsentees(run);
  const readByItself = verdict.verified && verdict.evidence.resumed === 0 && run.refused() === 0;
  run.setOpenTransactionsRead(readByItself && conflictingRead && open.every((id) => met.has(id)));
  return isHiding ? cutByAbsence(run, verdict) : verdict;
}

/** Whether this run by itself, not resumed from another, read every record that stayed in the list. */
function coversWholeListAlone(verdict: Verdict): boolean {
  return coversWholeList(verdict) && verdict.evidence.resumed === 0;
}

interface WalkedPage {
  readonly page: Page<Transaction>;
  readonly position: WalkState | null;
  readonly part: WalkPart;
}

interface Sweeping {
  readonly met: KeySet;
  readonly shares: Shares;
  readonly conflicting: ConflictingRecords;
  readonly isResumable: boolean;
}

async function sweep(run: OpenRun, { met, shares, conflicting, isResumable }: Sweeping): Promise<Verdict> {
  const { config, database, lease } = run;
  const { job } = run.run;
  const read = createTransactionReader(run);
  const mirrored = await countTransactions(database, lease.account);
  const resume = await resumable(run);
  // The positions of new records reveal the growing end only if all other records are known.
  const growth =
    resume === null && (await hasWholeSweep(database, lease.account)) ? await observeGrowth(run) : null;
  const writer = createSweepWriter(isResumable ? job : null, growth, conflicting);

  let endObservedAt: number | null = null;
  let furthest = 0;

  const walked = await walkList<Transaction>({
    async read({ offset = 0, limit = config.pageSize }, signal) {
      const page = await read({ offset, limit }, signal);
      if (page.items.length === 0) endObservedAt = page.beganAt;
      else {
        furthest = Math.max(furthest, offset + page.items.length);
        await noteRecords(run, 'transactions');
      }
      return page;
    },
    paging: 'documented',
    limit: config.pageSize,
    ahead: { pages: config.maxConcurrency - 1, bytes: bytesAhead, sizeOf },
    expectedLength: mirrored === 0 ? null : mirrored,
    maxPages: mirrored === 0 ? maxPagesUnknown : 1_000 + mirrored,
    resume,
    onPage: (page, position, part) => {
      noteShares(shares, page, met);
      return writer.push({ page, position, part });
    },
    met,
    recheckMs: config.retryMinMs,
    signal: run.signal,
  }).finally(() => writer.flush());
  const doubted = await requireConfirmedEmpty(run, 'transactions', walked);
  const verdict = { ...doubted, coverage: coverageOf(doubted, met.size, furthest) };
  learnPageCap(run, verdict);
  if (coversWholeList(verdict) && endObservedAt !== null) {
    learnReading(run.facts, endObservedAt, 'a sweep');
    if (verdict.length !== null) learnLength(run.facts, verdict.length);
  }
  if (coversWholeListAlone(verdict)) learnGrowth(run, growth?.observation() ?? null);
  return verdict;
}

async function observeGrowth(run: OpenRun): Promise<GrowthObserver> {
  const { database, facts, lease } = run;
  const since = lastReading(facts);
  if (since === null) return createGrowthObserver();
  return createGrowthObserver(await readChangedSince(database, lease.account, since, maxObserved + 1));
}

/** @param furthest the last position that held a record; meaningless when the service ignores the offset */
function coverageOf({ length, doubts, evidence }: Verdict, met: number, furthest: number): Coverage {
  return {
    met,
    listLength: length,
    listShown: length !== null || doubts.includes('offset-ignored') ? null : furthest,
    isResumed: evidence.resumed > 0,
  };
}

/** @param job the job that resumes where the sweep was interrupted; null for none */
function createSweepWriter(
  job: string | null,
  growth: GrowthObserver | null,
  conflicting: ConflictingRecords,
) {
  return createPageWriter<WalkedPage>({
    enough: bytesPerCommit,
    enoughAtFirst: bytesPerCommit / 8,
    sizeOf: ({ page }) => sizeOf(page),
    maxWaitMs: pageWaitMs,
    commit: async (walked) => {
      const positionAfter = (index: number) => {
        const position = walked[index]?.position ?? null;
        return job === null || position === null ? null : { job, position: walkPositionToJson(position) };
      };
      const pages = walked.map(({ page }) => page);
      const { written } = await conflicting.commit({ pages, positionAfter });
      for (const { page, part } of walked) {
        if (part === 'begin') growth?.begin();
        // A page that was read again has no place of its own in the walk, but its new records are new.
        growth?.page(part === 'again' ? [] : keysOf(page), written.insertedIds, written.changedIds);
      }
    },
  });
}

/** The length of the records' text. An empty page counts too, because a walk may read many. */
function sizeOf({ items }: Page<Transaction>): number {
  return items.reduce((sum, item) => sum + rawOf(item).length, 1_024);
}

function learnPageCap({ facts, config }: OpenRun, { evidence: { pageSize, pages } }: Verdict): void {
  const known = Number(facts.known.get(pageCapFact) ?? Number.POSITIVE_INFINITY);
  // A single page that held more proves that the cap is gone.
  if (pageSize >= config.pageSize && known < config.pageSize) facts.forget(pageCapFact);
  if (pages <= 2 || pageSize >= config.pageSize) return;
  facts.learn({
    fact: pageCapFact,
    value: String(pageSize),
    evidence: `asked for ${config.pageSize} records a page, received at most ${pageSize} on ${pages} pages`,
  });
}

async function resumable({ database, lease, clock, run }: OpenRun): Promise<WalkState | null> {
  const reached = await readPosition(database, lease.account, run.job);
  if (reached === null || clock.now() - reached.updatedAt > resumeWithinMs) return null;
  return walkPositionFromJson(reached.position);
}
