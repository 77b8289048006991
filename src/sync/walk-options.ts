// What a walk is given and what it hands on: the list, how it is paged, and the place from which it can be resumed.
import type { Page, PageRequest } from '../domain/page.ts';
import type { Window } from './joint.ts';
import type { SweepEvidence } from './verdict.ts';

/** Where a walk stands: enough to go on with it after a stop. */
export interface WalkPosition {
  readonly window: Window;
  /** Records of the page that the window is the end of. */
  readonly received: number;
  /** Keys at the head of the list when the walk began. */
  readonly head: readonly string[];
  readonly evidence: SweepEvidence;
  readonly doubts: readonly string[];
}

/** What a page is to the walk: the place where it begins, its continuation, or something read over again. */
export type WalkPart = 'begin' | 'on' | 'again';

export interface WalkOptions<Record_> {
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page<Record_>>;
  /**
   * - `documented`: the list is paged by limit and offset
   * - `unknown`: it may be; the first request carries neither, later ones an offset, and a refusal or the same answer
   *   once more shows that the list was whole
   * - `none`: it was found to be answered whole, in one request
   */
  readonly paging: 'documented' | 'unknown' | 'none';
  /** Records asked for with each request where paging is documented. */
  readonly limit: number;
  /** Pages to read ahead. */
  readonly ahead: number;
  /** How many records the list is likely to hold, from what is mirrored; null when unknown. */
  readonly expectedLength: number | null;
  /** Pages after which a walk gives up: a list that grows as fast as it is read has no end. */
  readonly maxPages: number;
  readonly resume?: WalkPosition | null;
  /** Takes the pages in order. The position is null where a walk cannot be resumed. */
  readonly onPage: (page: Page<Record_>, position: WalkPosition | null, part: WalkPart) => Promise<void>;
  /** How many records `onPage` has met so far that were not known before. */
  readonly countNew: () => Promise<number>;
  readonly signal: AbortSignal;
}

/** The request for the page at an offset. */
export function requestAt(
  { paging, limit }: Pick<WalkOptions<unknown>, 'paging' | 'limit'>,
  offset: number,
): PageRequest {
  if (paging === 'documented') return { limit, offset };
  return offset === 0 ? {} : { offset };
}
