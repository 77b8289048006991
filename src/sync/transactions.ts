// Sweeps the whole list of transactions (interface.md 4.1) into the mirror: every page, its histories and the position
// to resume from commit together, and the run ends with a verdict on its completeness.
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { commitTransactionPages } from '../store/commit-transactions.ts';
import { countTransactions } from '../store/mirrored.ts';
import { clearPosition, readPosition } from '../store/positions.ts';
import type { JobContext } from './context.ts';
import { type JobOutcome, type OpenRun, runJob } from './job.ts';
import { createPageWriter } from './page-writer.ts';
import type { Verdict } from './verdict.ts';
import { walkPositionFromJson, walkPositionToJson } from './walk-position.ts';
import { type WalkPosition, walkList } from './walker.ts';

const pagesPerCommit = 5;
/** An older position is not resumed: beginning anew costs little beside what has changed since. */
const resumeWithinMs = 24 * 3_600_000;
/** Pages of a first sweep, whose length nobody knows, before it is taken to have no end. */
const maxPagesUnknown = 200_000;

export interface SweepOptions {
  /** `reconcile` sweeps in the background of the limiter. */
  readonly job: 'transactions' | 'reconcile';
}

/** Sweeps every transaction, going on where an interrupted sweep of the same job stopped. */
export function sweepTransactions(context: JobContext, { job }: SweepOptions): Promise<JobOutcome> {
  return runJob(context, { job, mode: 'full' }, async (run) => {
    const verdict = await walk(run, job);
    await clearPosition(run.database, run.lease, job);
    return verdict;
  });
}

interface WalkedPage {
  readonly page: Page<Transaction>;
  readonly position: WalkPosition | null;
}

async function walk(run: OpenRun, job: SweepOptions['job']): Promise<Verdict> {
  const { client, config, database, facts, lease, tally } = run;
  const priority = job === 'reconcile' ? 'background' : 'normal';
  const mirrored = await countTransactions(database, lease.account);
  let inserted = 0;

  const writer = createPageWriter<WalkedPage>({
    maxWaiting: pagesPerCommit,
    commit: async (walked) => {
      const position = walked.at(-1)?.position ?? null;
      const written = await commitTransactionPages(database, lease, run.run, {
        pages: walked.map(({ page }) => page),
        tally,
        position: position === null ? null : { job, position: walkPositionToJson(position) },
      });
      inserted += written.inserted;
      run.count({ ...written, unchanged: written.unchanged + written.stale });
    },
  });

  const verdict = await walkList<Transaction>({
    read: (request, signal) => client.transactions(request, { signal, priority, tally }),
    paging: 'documented',
    limit: config.pageSize,
    ahead: config.maxConcurrency - 1,
    expectedLength: mirrored === 0 ? null : mirrored,
    maxPages: mirrored === 0 ? maxPagesUnknown : 1_000 + mirrored,
    resume: await resumable(run, job),
    onPage: (page, position) => writer.push({ page, position }),
    countNew: async () => {
      await writer.flush();
      return inserted;
    },
    signal: run.signal,
  }).finally(() => writer.flush());

  const { pageSize, pages } = verdict.evidence;
  if (pages > 2 && pageSize < config.pageSize)
    facts.learn({
      fact: 'transactions_page_cap',
      value: String(pageSize),
      evidence: `asked for ${config.pageSize} records a page, received at most ${pageSize} on ${pages} pages`,
    });
  return verdict;
}

async function resumable(run: OpenRun, job: string): Promise<WalkPosition | null> {
  const reached = await readPosition(run.database, run.lease.account, job);
  if (reached === null || run.clock.now() - reached.updatedAt > resumeWithinMs) return null;
  return walkPositionFromJson(reached.position);
}
