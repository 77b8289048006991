// Reads the end of the list at which new records appear, until a page shows only records that are known and unchanged.
// It is no proof of completeness (a sweep is), and gives up in favour of a sweep as soon as the list does not look as
// expected.
import type { Page, PageRequest } from '../../domain/page.ts';
import type { GrowingEnd } from '../growth.ts';
import { joinPage, keysOf, overlapFor, type Window } from './overlap.ts';

export interface GrowingEndOptions<Record_> {
  /** `both` while nobody knows at which end records appear. */
  readonly end: GrowingEnd | 'both';
  readonly read: (request: Required<PageRequest>) => Promise<Page<Record_>>;
  readonly limit: number;
  /** Records that the list is likely to hold; where `end` is `both`, those that it held when it was last read whole. */
  readonly length: number;
  /** Commits a page; resolves to whether every record of it was known at the last whole reading and has not changed since. */
  readonly commit: (page: Page<Record_>) => Promise<boolean>;
  /** Pages after which a sweep is the better way. */
  readonly maxPages: number;
}

/** What the reading came to: done, or the reason for which the list must be swept. */
export type GrowingEndResult = 'done' | { readonly sweepBecause: string };

export function readGrowingEnd<Record_>(options: GrowingEndOptions<Record_>): Promise<GrowingEndResult> {
  if (options.end === 'both') return readBothEnds(options);
  return options.end === 'head' ? readFromHead(options) : readTail(options);
}

/** Looks whether anything happened at all: both ends as they were, and a list as long as it was. */
async function readBothEnds<Record_>(options: GrowingEndOptions<Record_>): Promise<GrowingEndResult> {
  const { read, commit, limit, length } = options;
  const something = { sweepBecause: 'something changed, and nobody knows yet at which end records appear' };
  const head = await read({ offset: 0, limit });
  const headIsKnown = head.items.length > 0 && (await commit(head));
  const offset = Math.max(0, length - Math.max(1, overlapFor(limit)));
  const tail = await read({ offset, limit });
  // Whatever was seen is kept, also where it shows that more has to be read.
  const tailIsKnown = (await commit(tail)) && tail.items.length === length - offset;
  if (!headIsKnown || !tailIsKnown) return something;
  const beyond = await read({ offset: length, limit });
  if (beyond.items.length === 0) return 'done';
  await commit(beyond);
  return something;
}

async function readFromHead<Record_>(options: GrowingEndOptions<Record_>): Promise<GrowingEndResult> {
  let window: Window | null = null;
  for (let pages = 0; pages < options.maxPages; pages += 1) {
    const offset: number =
      window === null ? 0 : window.offset + window.keys.length - overlapFor(window.keys.length);
    const page = await options.read({ offset, limit: options.limit });
    if (page.items.length === 0) return { sweepBecause: 'the list ended before a known page' };
    const keys = keysOf(page);
    const joins =
      window === null || joinPage(window, offset, keys, window.keys.length, keys.length).kind === 'joined';
    const known = await options.commit(page);
    if (!joins) return { sweepBecause: 'a page did not join the one before it' };
    if (known) return 'done';
    window = { offset, keys };
  }
  return { sweepBecause: 'too many records were new or changed' };
}

/** Begins one page before the place where the list should end, and reads on to the empty answer. */
async function readTail<Record_>(options: GrowingEndOptions<Record_>): Promise<GrowingEndResult> {
  const { limit, length } = options;
  let window: Window | null = null;
  let offset = Math.max(0, length - limit);
  for (let pages = 0; pages < options.maxPages; pages += 1) {
    const page = await options.read({ offset, limit });
    const keys = keysOf(page);
    if (keys.length === 0) {
      if (window !== null) return 'done';
      if (offset === 0) return { sweepBecause: 'the list ended before a known page' };
      offset = Math.max(0, offset - limit);
      continue;
    }
    const overlaps = window !== null && offset < window.offset + window.keys.length;
    const joins =
      window === null ||
      !overlaps ||
      joinPage(window, offset, keys, window.keys.length, keys.length).kind === 'joined';
    const known = await options.commit(page);
    if (!joins) return { sweepBecause: 'a page did not join the one before it' };
    if (window === null && !known && offset > 0) {
      // More was added than a page holds, or the list shrank: begin where a whole page is known.
      offset = Math.max(0, offset - limit);
      continue;
    }
    window = { offset, keys };
    const full = keys.length >= limit;
    offset += keys.length - (full ? overlapFor(keys.length) : 0);
  }
  return { sweepBecause: 'too many records were new or changed' };
}
