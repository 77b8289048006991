// Commits pages of transactions for a run, and counts what was written. Reads one transaction by its id
// (interface.md 4.2), and commits the answer.
import { CustodyError, isKeyRejected } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  commitTransactionPages,
  type PreparedPages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import type { JobPosition } from '../../store/run/positions.ts';
import type { OpenRun } from '../run/run-job.ts';

/**
 * @param pages pages, or what `preparePages` made of them; those of a list without its conflicting records
 * @param conflicting for pages of a list: a transaction that changes again and again is conflicting too
 * @param position where the job resumes after these pages; null keeps the position there is
 */
export async function commitPages(
  run: OpenRun,
  pages: readonly Page<Transaction>[] | PreparedPages,
  conflicting: { changed(ids: readonly string[]): void } | null = null,
  position: JobPosition | null = null,
): Promise<TransactionCommit> {
  const { database, lease, tally } = run;
  const written = await commitTransactionPages(database, lease, run.run, { pages, tally, position });
  run.count(written);
  conflicting?.changed(written.changedIds);
  return written;
}

/**
 * Asks for one transaction. A fault of the service is returned, because it concerns this transaction only.
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

/** @returns whether the transaction was read: the answer shows it, and the mirror holds no later time */
export async function commitById(run: OpenRun, page: Page<Transaction>, id: string): Promise<boolean> {
  if (page.items.length === 0) return false;
  const { stale } = await commitPages(run, [page]);
  return stale === 0 && page.items.some((item) => item.kind === 'record' && item.key === id);
}
