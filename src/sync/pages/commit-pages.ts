// Commits pages of transactions for a run, counts what was written, and logs refusals.
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  commitPreparedPages,
  type PreparedPages,
  preparePages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import type { JobPosition } from '../../store/run/positions.ts';
import { logRefusal } from '../run/refusals.ts';
import type { OpenRun } from '../run/run-job.ts';

/** @param position where the job resumes after these pages; null keeps the position there is */
export async function commitPages(
  run: OpenRun,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null,
): Promise<TransactionCommit> {
  return await commitPrepared(run, await preparePages(pages, false), position);
}

/** Commits pages that were made ready before, as `commitPages` does. */
export async function commitPrepared(
  run: OpenRun,
  prepared: PreparedPages,
  position: JobPosition | null,
): Promise<TransactionCommit> {
  const { database, lease, tally } = run;
  const written = await commitPreparedPages(database, lease, run.run, { prepared, tally, position });
  run.count(written);
  logRefusal(run, written.refusal);
  return written;
}
