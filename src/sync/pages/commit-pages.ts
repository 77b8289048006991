// Commits pages of transactions for a run, and counts what was written. Reads one transaction by its id
// (docs/custody-service.md 4.2), and commits the answer.
import { readStoredTransaction } from '../../custody/decode/stored.ts';
import { CustodyError, isKeyRejected } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  CommitTooLarge,
  commitTransactionPages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import { isDatabaseOffline, isServerTimeout } from '../../store/postgres/database-errors.ts';
import type { JobPosition } from '../../store/run/learned.ts';
import type { PlacedPage } from '../run/commit-pace.ts';
import type { OpenRun } from '../run/run-job.ts';

export interface PagesToCommit {
  readonly pages: readonly Page<Transaction>[];
  /** Where the job resumes after the page of this index; if left out, the stored position stays. */
  readonly positionAfter?: (index: number) => JobPosition | null;
  /** The pages were read before: only what they change is counted. */
  readonly isReadAgain?: boolean;
}

/** Commits the pages at the pace of the database, in one commit or in several. */
export async function commitPages(
  run: OpenRun,
  { pages, positionAfter = () => null, isReadAgain = false }: PagesToCommit,
): Promise<TransactionCommit> {
  let rest: readonly PlacedPage[] = pages.map((page, index) => ({ page, position: positionAfter(index) }));
  let sum: TransactionCommit | null = null;
  for (let wasOffline = false; ; run.signal.throwIfAborted()) {
    const { now, rest: later } = run.pace.next(rest);
    try {
      const written = await commitPart(run, now, isReadAgain);
      sum = sum === null ? written : addCommits(sum, written);
      if (later.length === 0) return sum;
      rest = later;
      wasOffline = false;
    } catch (error) {
      if (!(error instanceof CommitTooLarge) || wasOffline) throw error;
      wasOffline = isDatabaseOffline(error) && !isServerTimeout(error);
      const mayTryLess = run.pace.tookTooLong(now);
      if (!wasOffline && !mayTryLess) throw error;
      run.logger.warn({ err: error, job: run.run.job }, 'commit was too much at once, retrying with less');
    }
  }
}

async function commitPart(
  run: OpenRun,
  placed: readonly PlacedPage[],
  isReadAgain: boolean,
): Promise<TransactionCommit> {
  const { database, lease, pace, tally } = run;
  const pages = placed.map(({ page }) => page);
  const position = placed.at(-1)?.position ?? null;
  const began = performance.now();
  const written = await commitTransactionPages(database, lease, run.run, {
    pages,
    tally,
    position,
    counted: run.quarantined,
    readStored: readStoredTransaction,
  });
  pace.committed(placed, performance.now() - began);
  run.count(isReadAgain ? { ...written, unchanged: 0 } : written);
  return written;
}

function addCommits(a: TransactionCommit, b: TransactionCommit): TransactionCommit {
  return {
    inserted: a.inserted + b.inserted,
    changed: a.changed + b.changed,
    statusChanges: a.statusChanges + b.statusChanges,
    unchanged: a.unchanged + b.unchanged,
    stale: a.stale + b.stale,
    quarantined: a.quarantined + b.quarantined,
    insertedIds: [...a.insertedIds, ...b.insertedIds],
    changedIds: [...a.changedIds, ...b.changedIds],
  };
}

/**
 * Requests one transaction. A fault of the service is returned, because it concerns this transaction only.
 *
 * @throws CustodyError when the key was refused; the signal's reason when the run was stopped
 */
export async function askById(
  { client, signal, tally }: OpenRun,
  id: string,
  priority: 'urgent' | 'background',
): Promise<Page<Transaction> | CustodyError> {
  try {
    return await client.transaction(id, { signal, priority, tally });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CustodyError) || isKeyRejected(error)) throw error;
    return error;
  }
}

/**
 * @returns whether the transaction was read: the answer shows it, and the mirror holds no later observation
 */
export async function commitById(run: OpenRun, page: Page<Transaction>, id: string): Promise<boolean> {
  if (page.items.length === 0) return false;
  const { stale } = await commitPages(run, { pages: [page] });
  return stale === 0 && page.items.some((item) => item.kind === 'record' && item.key === id);
}
