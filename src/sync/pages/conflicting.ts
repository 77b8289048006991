// Conflicting transactions: the list shows them in two places with two contents (two records of one id, or a
// stale copy of a page), so they would change with every sweep. Once the history shows that, an anomaly is
// reported, the list is ignored for them, and each sweep reads them by their id (docs/custody-service.md
// 4.2).
import { errorCode } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { TransactionCommit } from '../../store/commit/commit-transactions.ts';
import { conflictingKind, findConflicting } from '../../store/job-queries/mirrored.ts';
import { readOpenSubjects, reportAnomaly, resolveAnomaly } from '../../store/run/anomalies.ts';
import type { OpenRun } from '../run/run-job.ts';
import { askById, commitById, commitPages, type PagesToCommit } from './commit-pages.ts';

export interface ConflictingRecords {
  /**
   * Commits pages of the list without the conflicting records. It notes their contents for `settle`, and the
   * transactions that changed for `report`.
   */
  commit(
    toCommit: PagesToCommit,
  ): Promise<{ readonly pages: readonly Page<Transaction>[]; readonly written: TransactionCommit }>;
  /** Reports changed transactions that their history shows as conflicting. Called at the end of a run. */
  report(): Promise<void>;
  /**
   * Reads each conflicting record by its id. Called at the end of a sweep.
   *
   * @param isWhole the sweep read every record: one with a single content no longer conflicts
   * @returns whether each of them was read
   */
  settle(isWhole: boolean): Promise<boolean>;
}

/** The most records that one run reports or reads; a later run takes the others. */
const maxAtOnce = 100;
const maxChanged = 5_000;

export async function openConflicting(run: OpenRun): Promise<ConflictingRecords> {
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
    async commit(toCommit) {
      const pages = toCommit.pages.map(withoutConflicting);
      const written = await commitPages(run, { ...toCommit, pages });
      for (const id of written.changedIds) if (changed.size < maxChanged) changed.add(id);
      return { pages, written };
    },
    async report() {
      if (changed.size === 0) return;
      const found = await findConflicting(database, lease.account, [...changed]);
      for (const id of found.filter((one) => !contents.has(one)).slice(0, maxAtOnce)) {
        const meaning = 'the list shows it with two contents; it is read by id instead';
        await reportAnomaly(database, lease, { ...subject(id), details: { meaning } });
        logger.warn({ transaction_id: id }, 'transaction has conflicting contents in the list');
      }
    },
    async settle(isWhole) {
      let answered = 0;
      for (const [id, seen] of [...contents].slice(0, maxAtOnce)) {
        if (await read(id)) answered += 1;
        if (isWhole && seen.size <= 1) await resolveAnomaly(database, lease, subject(id));
      }
      return answered === contents.size;
    },
  };
}
