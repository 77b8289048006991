// Finds the record that makes the service fail to answer a page, by halving the limit: the number of requests
// is bounded by the page size. One bad record then costs one record and not the sweep.
import { CustodyError } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';

export interface UnreadableSearch<Record_> {
  /** Reads so many records from an offset, with few retries: these requests are expected to fail. */
  readonly read: (offset: number, limit: number) => Promise<Page<Record_>>;
  /** Where the page that failed begins. */
  readonly from: number;
  readonly limit: number;
}

export interface UnreadableRecord<Record_> {
  /** The records before it, from `from` on; null when it is the first. */
  readonly before: Page<Record_> | null;
  /** Its position in the list. */
  readonly offset: number;
}

/** Whether one record may be the cause: the service received and understood the request, and failed. */
export function mayBeUnreadable(error: unknown): error is CustodyError {
  if (!(error instanceof CustodyError)) return false;
  const { kind, code } = error.fault;
  return kind === 'transient' || (kind === 'permanent' && !refusals.has(code));
}

/** Refusals of the request itself, which no record can cause. */
const refusals = new Set(['ERR-00', 'TXN-00', 'TXN-01', 'TXN-03', 'BAL-02', 'VAL-00', 'WHT-01', 'REDIRECT']);

/**
 * Finds the first record that cannot be read.
 *
 * @returns null when no single record is the cause: the service now answers everything there, or nothing
 */
export async function findUnreadable<Record_>(
  search: UnreadableSearch<Record_>,
): Promise<UnreadableRecord<Record_> | null> {
  const { from, limit } = search;
  let before: Page<Record_> | null = null;
  let readable = 0;
  let unreadable = limit;
  while (unreadable - readable > 1) {
    const middle = readable + Math.floor((unreadable - readable) / 2);
    const page: Page<Record_> | null = await attempt(search, from, middle);
    if (page === null) unreadable = middle;
    else {
      before = page;
      readable = middle;
      // An answer with fewer records than asked for says nothing about those after it.
      if (page.items.length < middle) return null;
    }
  }
  const offset = from + readable;
  if ((await attempt(search, offset, 1)) !== null) return null;
  // One record is the cause only if its neighbours can be read.
  if (before === null && (await attempt(search, offset + 1, 1)) === null) {
    if (offset === 0 || (await attempt(search, offset - 1, 1)) === null) return null;
  }
  return { before, offset };
}

async function attempt<Record_>(
  { read }: UnreadableSearch<Record_>,
  offset: number,
  limit: number,
): Promise<Page<Record_> | null> {
  try {
    return await read(offset, limit);
  } catch (error) {
    if (mayBeUnreadable(error)) return null;
    throw error;
  }
}
