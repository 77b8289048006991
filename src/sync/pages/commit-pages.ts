// Commits pages of transactions for a run, counts what was written, and logs refusals.
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  commitTransactionPages,
  type PreparedPages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import type { JobPosition } from '../../store/run/positions.ts';
import { logRefusal } from '../run/refusals.ts';
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
  logRefusal(run, written.refusal);
  conflicting?.changed(written.changedIds);
  return written;
}
