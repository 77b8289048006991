// Reads the growing end of the list, up to a page with only known and unchanged records. This proves no
// completeness, and ends with a reason to sweep as soon as the list does not look as expected. Pure, like the
// walk: it yields requests and receives what each page showed.
import type { PageRequest } from '../../domain/page.ts';
import { endOf, joinPage, overlapFor, type Window } from './overlap.ts';

/** The end of a list at which new records appear. */
export type GrowingEnd = 'head' | 'tail';

export interface GrowingEndRules {
  /** `both` while the growing end is unknown. */
  readonly end: GrowingEnd | 'both';
  readonly limit: number;
  /** How many records the list probably holds; with `both`, how many it held when last read whole. */
  readonly length: number;
  /** After so many pages a sweep is better. */
  readonly maxPages: number;
}

/** What a page showed. */
export interface ObservedPage {
  readonly keys: readonly string[];
  /** Every record of the page was known at the last whole reading and has not changed since. */
  readonly isSettled: boolean;
}

/**
 * Why the list must be swept instead:
 * - `end-unknown`: something changed, and the growing end is not known yet
 * - `no-known-page`: the list ended before a page of known records
 * - `no-overlap`: a page did not continue the one before it
 * - `too-many-new`: too many records were new or changed
 * - `too-many-open`: too many open transactions would have to be read one by one
 */
export type SweepReason = 'end-unknown' | 'no-known-page' | 'no-overlap' | 'too-many-new' | 'too-many-open';

/** Null when the end was read up to known records. */
export type GrowingEndResult = SweepReason | null;

export type GrowingEndWalk = Generator<Required<PageRequest>, GrowingEndResult, ObservedPage>;

export function walkGrowingEnd(rules: GrowingEndRules): GrowingEndWalk {
  if (rules.end === 'both') return walkBothEnds(rules);
  return rules.end === 'head' ? walkFromHead(rules) : walkTail(rules);
}

/** Checks that nothing changed: both ends are as they were, and the list is as long as it was. */
function* walkBothEnds({ limit, length }: GrowingEndRules): GrowingEndWalk {
  const head = yield { offset: 0, limit };
  const offset = Math.max(0, length - Math.max(1, overlapFor(limit)));
  const tail = yield { offset, limit };
  const isTailKnown = tail.isSettled && tail.keys.length === length - offset;
  if (head.keys.length === 0 || !head.isSettled || !isTailKnown) return 'end-unknown';
  const beyond = yield { offset: length, limit };
  return beyond.keys.length === 0 ? null : 'end-unknown';
}

function* walkFromHead({ limit, maxPages }: GrowingEndRules): GrowingEndWalk {
  let window: Window | null = null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const offset: number =
      window === null ? 0 : window.offset + window.keys.length - overlapFor(window.keys.length);
    const { keys, isSettled } = yield { offset, limit };
    if (keys.length === 0) return 'no-known-page';
    if (window !== null && !overlaps(window, offset, keys)) return 'no-overlap';
    if (isSettled) return null;
    window = { offset, keys };
  }
  return 'too-many-new';
}

/**
 * Begins almost a page before the expected end of the list, and reads on to the empty answer. A page that is
 * not full needs no overlap with another, so an unchanged list takes two requests. A page with new records is
 * read once: the known page before it overlaps it.
 */
function* walkTail({ limit, length, maxPages }: GrowingEndRules): GrowingEndWalk {
  let window: Window | null = null;
  /** Pages with new or changed records, the last one of the list first. */
  let withNews: Window[] = [];
  let offset = Math.max(0, length - Math.max(1, limit - 1));
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { keys, isSettled }: ObservedPage = yield { offset, limit };
    if (keys.length === 0) {
      if (window !== null) return null;
      if (offset === 0) return 'no-known-page';
      withNews = [];
      offset = Math.max(0, offset - limit);
      continue;
    }
    const isFurther: boolean = window !== null && offset >= endOf(window);
    if (window !== null && !isFurther && !overlaps(window, offset, keys)) return 'no-overlap';
    if (window === null && !isSettled && offset > 0) {
      // Something is new or changed, more than a page was added, or the list shrank: steps back to a page
      // that is known.
      withNews.push({ offset, keys });
      offset = Math.max(0, offset - limit + overlapFor(limit));
      continue;
    }
    window = { offset, keys };
    for (let next = withNews.pop(); next !== undefined; next = withNews.pop()) {
      if (!overlaps(window, next.offset, next.keys)) withNews = [];
      else window = next;
    }
    offset = endOf(window) - (window.keys.length >= limit ? overlapFor(window.keys.length) : 0);
  }
  return 'too-many-new';
}

function overlaps(window: Window, offset: number, keys: readonly string[]): boolean {
  return joinPage(window, offset, keys, window.keys.length, keys.length) !== null;
}
