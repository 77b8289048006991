// A page that the service cannot answer although it answers others: the record that spoils it is found by halving the
// limit, in a number of requests bounded by the page size, so that one bad record costs one record and not the sweep.
import { CustodyError } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';

export interface UnreadableSearch<Record_> {
  /** Reads so many records from an offset; few retries, for these requests are expected to fail. */
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

/** Faults that may be the doing of one record: the request was understood, reached the service, and failed all the same. */
export function mayBeUnreadable(error: unknown): error is CustodyError {
  if (!(error instanceof CustodyError)) return false;
  const { kind, code } = error.fault;
  return kind === 'transient' || (kind === 'permanent' && !refusals.has(code));
}

/** Refusals of the request itself, which no record has to do with. */
const refusals = new Set(['ERR-00', 'TXN-00', 'TXN-01', 'TXN-03', 'BAL-02', 'VAL-00', 'WHT-01', 'REDIRECT']);

/**
 * Finds the first record that cannot be read.
 *
 * @returns null when the service answers nothing else there either, or answers everything now: then no record is to blame
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
      // Fewer than asked for: what lies beyond was not part of this answer.
      if (page.items.length < middle) return null;
    }
  }
  const offset = from + readable;
  if ((await attempt(search, offset, 1)) !== null) return null;
  // One record is to blame only if its neighbours can be read.
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
