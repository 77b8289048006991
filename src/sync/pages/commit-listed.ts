// Commits pages of a list of transactions without the conflicting records, and notes which transactions changed: one that
// changes again and again is conflicting too.
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  type PreparedPages,
  preparePages,
  type TransactionCommit,
} from '../../store/commit/commit-transactions.ts';
import type { JobPosition } from '../../store/run/positions.ts';
import type { OpenRun } from '../run/run-job.ts';
import { commitPrepared } from './commit-pages.ts';
import type { ConflictingRecords } from './conflicting.ts';

/** @param position where the job resumes after these pages; null keeps the position there is */
export async function commitListed(
  run: OpenRun,
  conflicting: ConflictingRecords,
  pages: readonly Page<Transaction>[],
  position: JobPosition | null = null,
): Promise<TransactionCommit> {
  const prepared = await prepareListed(conflicting, pages, false);
  return await commitPreparedListed(run, conflicting, prepared, position);
}

/** The part of `commitListed` that needs no database; it may happen while other pages are committed. */
export async function prepareListed(
  conflicting: ConflictingRecords,
  pages: readonly Page<Transaction>[],
  expectNew: boolean,
  isYoung = false,
): Promise<PreparedPages> {
  const believed = pages.map((page) => conflicting.without(page));
  return await preparePages(believed, expectNew, isYoung);
}

/** Commits what `prepareListed` made. */
export async function commitPreparedListed(
  run: OpenRun,
  conflicting: ConflictingRecords,
  prepared: PreparedPages,
  position: JobPosition | null,
): Promise<TransactionCommit> {
  const written = await commitPrepared(run, prepared, position);
  conflicting.changed(written.changedIds);
  return written;
}
