// Takes pages of transactions into the mirror for a run: what the list is not believed about is left out, what was written is
// counted, and what changed is kept in mind, for it may be changing to and fro.
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { commitTransactionPages, type TransactionCommit } from '../store/commit-transactions.ts';
import type { JobPosition } from '../store/positions.ts';
import type { Contested } from './contested.ts';
import type { OpenRun } from './job.ts';

/** @param position where the job resumes after these pages; null leaves it as it is */
export async function takePages(
  run: OpenRun,
  contested: Contested,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null = null,
): Promise<TransactionCommit> {
  const written = await commitTransactionPages(run.database, run.lease, run.run, {
    pages: pages.map((page) => contested.without(page)),
    tally: run.tally,
    position,
  });
  contested.changed(written.changedIds);
  run.count({ ...written, unchanged: written.unchanged + written.stale });
  return written;
}
