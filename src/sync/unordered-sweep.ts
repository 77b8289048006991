// The last resort for a list without a steady order: read it from end to end until a whole pass meets nothing new.
// Such a list cannot be shown to be complete, and the sweep never claims it.
import type { Page } from '../domain/page.ts';
import type { SweepEvidence } from './verdict.ts';

const maxPasses = 12;
/** Passes in a row that must meet nothing new: one may do so by luck when every request shuffles the list. */
const quietPasses = 2;

export interface UnorderedSweepOptions<Record_> {
  readonly read: (offset: number) => Promise<Page<Record_>>;
  readonly onPage: (page: Page<Record_>) => Promise<void>;
  readonly countNew: () => Promise<number>;
  /** Pages after which one pass gives up. */
  readonly maxPages: number;
  readonly evidence: SweepEvidence;
  readonly signal: AbortSignal;
}

/** @returns true when the last pass met no new record */
export async function sweepUnordered<Record_>(options: UnorderedSweepOptions<Record_>): Promise<boolean> {
  const { read, onPage, countNew, maxPages, evidence, signal } = options;
  let quiet = 0;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const before = await countNew();
    for (let offset = 0, pages = 0; ; pages += 1) {
      signal.throwIfAborted();
      if (pages >= maxPages) return false;
      let page = await read(offset);
      if (page.items.length === 0) page = await read(offset);
      if (page.items.length === 0) break;
      evidence.pages += 1;
      evidence.records += page.items.length;
      await onPage(page);
      offset += page.items.length;
    }
    quiet = (await countNew()) === before ? quiet + 1 : 0;
    if (quiet === quietPasses) return true;
  }
  return false;
}
