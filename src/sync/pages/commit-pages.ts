// Commits pages of transactions for a run, and counts what was written. Reads one transaction by its id
// (docs/custody-service.md 4.2), and commits the answer.
import { readStoredTransaction } from '../../custody/decode/stored.ts';
import { CustodyError, errorCode, isKeyRejected } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  CommitTooLarge,
  commitTransactionPages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import { conflictingKind, findConflicting } from '../../store/job-queries/mirrored.ts';
import { isDatabaseOffline, isServerTimeout } from '../../store/postgres/database-errors.ts';
import { readOpenSubjects, reportAnomaly, resolveAnomaly } from '../../store/run/anomalies.ts';
import type { JobPosition } from '../../store/run/learned.ts';
import type { PlacedPage } from '../run/commit-pace.ts';
import type { OpenRun } from '../run/run-job.ts';

interface PagesToCommit {
  readonly pages: readonly Page<Transaction>[];
  /** Where the job resumes after the page of this index; if left out, the stored position stays. */
  readonly positionAfter?: (index: number) => JobPosition | null;
  /** The pages were read before: only what they change is counted. */
  readonly isReadAgain?: boolean;
}

/** Commits the pages at the pace of the database, in one commit or in several. */
async function commitPages(
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

// Conflicting transactions: the list shows them in two places with two contents (two records of one id, or a
// stale copy of a page), so they would change with every sweep. Once the history shows that, an anomaly is
// reported, the list is ignored for them, and each sweep reads them by their id (docs/custody-service.md
// 4.2).

export type ConflictingRecords = Awaited<ReturnType<typeof openConflicting>>;

/** The most records that one run reports or reads; a later run takes the others. */
const maxAtOnce = 100;
const maxChanged = 5_000;

export async function openConflicting(run: OpenRun) {
  const { database, lease, logger } = run;
  const open = await readOpenSubjects(database, lease.account, conflictingKind, 'transactions');
  const contents = new Map(open.map((id) => [id, new Set<string>()]));
  const changed = new Set<string>();
  const subject = (id: string) =>
    ({ kind: conflictingKind, resource: 'transactions', resourceId: id }) as const;

  const read = async (id: string) => {
    const answer = await askById(run, id, 'background');
    if (!(answer instanceof Error)) return await commitById(run, answer, id);
    logger.warn({ transaction_id: id, code: errorCode(answer) }, 'conflicting transaction could not be read');
    return false;
  };

  const withoutConflicting = (page: Page<Transaction>) => {
    if (contents.size === 0 || !page.items.some((item) => contents.has(item.key))) return page;
    for (const item of page.items) contents.get(item.key)?.add(item.hash);
    return { ...page, items: page.items.filter((item) => !contents.has(item.key)) };
  };

  return {
    /**
     * Commits pages of the list without the conflicting records. It notes their contents for `settle`, and the
     * transactions that changed for `report`.
     */
    async commit(toCommit: PagesToCommit) {
      const pages = toCommit.pages.map(withoutConflicting);
      const written = await commitPages(run, { ...toCommit, pages });
      for (const id of written.changedIds) if (changed.size < maxChanged) changed.add(id);
      return { pages, written };
    },
    /** Reports changed transactions that their history shows as conflicting. Called at the end of a run. */
    async report() {
      if (changed.size === 0) return;
      const found = await findConflicting(database, lease.account, [...changed]);
      for (const id of found.filter((one) => !contents.has(one)).slice(0, maxAtOnce)) {
        const meaning = 'the list shows it with two contents; it is read by id instead';
        await reportAnomaly(database, lease, { ...subject(id), details: { meaning } });
        logger.warn({ transaction_id: id }, 'transaction has conflicting contents in the list');
      }
    },
    /**
     * Reads each conflicting record by its id. Called at the end of a sweep.
     *
     * @param isWhole the sweep read every record: one with a single content no longer conflicts
     * @returns whether each of them was read
     */
    async settle(isWhole: boolean) {
      let answered = 0;
      for (const [id, seen] of [...contents].slice(0, maxAtOnce)) {
        if (await read(id)) answered += 1;
        if (isWhole && seen.size <= 1) await resolveAnomaly(database, lease, subject(id));
      }
      return answered === contents.size;
    },
  };
}
