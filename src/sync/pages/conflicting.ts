// Conflicting transactions: the list shows them in two places with two contents (two records of one id, or a
// stale copy of a page), so they would change with every sweep. Once the history shows that, an anomaly is
// reported, the list is ignored for them, and each sweep reads them by their id (docs/custody-service.md
// 4.2).
import { errorCode } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { conflictingKind, findConflicting } from '../../store/job-queries/transactions.ts';
import { readOpenSubjects, reportAnomaly, resolveAnomaly } from '../../store/run/anomalies.ts';
import type { OpenRun } from '../run/run-job.ts';
import { askById, commitById } from './commit-pages.ts';

export interface ConflictingRecords {
  /** The page without the conflicting records. Their contents are noted for `settle`. */
  without(page: Page<Transaction>): Page<Transaction>;
  /** Notes the transactions that a commit has changed, for `report`. */
  changed(ids: readonly string[]): void;
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

  return {
    without(page) {
      if (contents.size === 0 || !page.items.some((item) => contents.has(item.key))) return page;
      for (const item of page.items) contents.get(item.key)?.add(item.hash);
      return { ...page, items: page.items.filter((item) => !contents.has(item.key)) };
    },
    changed(ids) {
      for (const id of ids) if (changed.size < maxChanged) changed.add(id);
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
