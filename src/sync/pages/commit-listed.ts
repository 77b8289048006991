// Commits pages of a list of transactions without the conflicting records, and notes which transactions changed: one that
// changes again and again is conflicting too.
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { TransactionCommit } from '../../store/commit/commit-transactions.ts';
import type { JobPosition } from '../../store/run/positions.ts';
import type { OpenRun } from '../run/run-job.ts';
import { commitPages } from './commit-pages.ts';
import type { ConflictingRecords } from './conflicting.ts';

/** @param position where the job resumes after these pages; null keeps the position there is */
export async function commitListed(
  run: OpenRun,
  conflicting: ConflictingRecords,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null = null,
): Promise<TransactionCommit> {
  const believed = pages.map((page) => conflicting.without(page));
  const written = await commitPages(run, believed, position);
  conflicting.changed(written.changedIds);
  return written;
}
