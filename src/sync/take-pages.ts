// Takes transactions into the mirror for a run. Pages of a list leave out what the list is not believed about; what an id was
// answered with is taken as it is. What was written is counted, and what changed is kept in mind: it may change to and fro.
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { commitTransactionPages, type TransactionCommit } from '../store/commit-transactions.ts';
import type { JobPosition } from '../store/positions.ts';
import type { Contested } from './contested.ts';
import type { OpenRun } from './job.ts';
import { tellRefusal } from './refusals.ts';

/** @param position where the job resumes after these pages; null leaves it as it is */
export async function takePages(
  run: OpenRun,
  contested: Contested,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null = null,
): Promise<TransactionCommit> {
  const believed = pages.map((page) => contested.without(page));
  const written = await commit(run, believed, position);
  contested.changed(written.changedIds);
  return written;
}

/**
 * Takes the answer to the question for one transaction by its id (interface.md 4.2).
 *
 * @returns whether the transaction was read: the answer shows it, and was not refused for its time
 */
export async function takeAnswer(run: OpenRun, page: Page<Transaction>, id: string): Promise<boolean> {
  if (page.items.length === 0) return false;
  const { stale } = await commit(run, [page], null);
  return stale === 0 && page.items.some((item) => item.kind === 'record' && item.key === id);
}

async function commit(
  run: OpenRun,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null,
): Promise<TransactionCommit> {
  const { database, lease, tally } = run;
  const written = await commitTransactionPages(database, lease, run.run, { pages, tally, position });
  run.count(written);
  tellRefusal(run, written.refusal);
  return written;
}
