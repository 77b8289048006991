// Transactions that the list shows with two contents, in two places (two records of one id, or a stale copy of a page).
// Taken as they come they would change to and fro with every sweep. Once the history shows that, an anomaly says so, the
// list is no longer believed about them, and each sweep asks for them by their id (interface.md 4.2) instead.
import { errorCode, isKeyRejected } from '../domain/errors.ts';
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { alternatingKind, findAlternating } from '../store/alternating.ts';
import { readOpenSubjects, reportAnomaly, resolveAnomaly } from '../store/anomalies.ts';
import type { OpenRun } from './job.ts';
import { takeAnswer } from './take-pages.ts';

export interface Contested {
  has(id: string): boolean;
  /** The page without the contested records, and what it showed of them kept in mind. */
  without(page: Page<Transaction>): Page<Transaction>;
  /** Takes the transactions that a commit has changed. */
  changed(ids: readonly string[]): void;
  /** Reports those that have changed to and fro once too often. Called at the end of a run. */
  report(): Promise<void>;
  /**
   * Asks for each contested record by its id. Called at the end of a sweep.
   *
   * @param isWhole the sweep met every record: one that it met with a single content is contested no more
   * @returns whether each of them was read
   */
  settle(isWhole: boolean): Promise<boolean>;
}

/** More are a broken list and not broken records; the others are looked at by a later run. */
const maxAtOnce = 100;
const maxChanged = 5_000;

export async function openContested(run: OpenRun): Promise<Contested> {
  const { client, database, lease, logger, signal, tally } = run;
  const open = await readOpenSubjects(database, lease.account, alternatingKind, 'transactions');
  const contents = new Map(open.map((id) => [id, new Set<string>()]));
  const changed = new Set<string>();
  const subject = (id: string) =>
    ({ kind: alternatingKind, resource: 'transactions', resourceId: id }) as const;

  const askById = async (id: string) => {
    try {
      const page = await client.transaction(id, { signal, priority: 'background', tally });
      return await takeAnswer(run, page, id);
    } catch (error) {
      signal.throwIfAborted();
      if (isKeyRejected(error)) throw error;
      logger.warn({ transaction_id: id, code: errorCode(error) }, 'contested transaction could not be read');
      return false;
    }
  };

  return {
    has: (id) => contents.has(id),
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
      const found = await findAlternating(database, lease.account, [...changed]);
      for (const id of found.filter((one) => !contents.has(one)).slice(0, maxAtOnce)) {
        const meaning =
          'it changed to and fro: the list shows it with two contents, and its id is asked instead';
        await reportAnomaly(database, lease, { ...subject(id), details: { meaning } });
        logger.warn({ transaction_id: id }, 'transaction changes to and fro');
      }
    },
    async settle(isWhole) {
      let read = 0;
      for (const [id, seen] of [...contents].slice(0, maxAtOnce)) {
        if (await askById(id)) read += 1;
        if (isWhole && seen.size <= 1) await resolveAnomaly(database, lease, subject(id));
      }
      return read === contents.size;
    },
  };
}
