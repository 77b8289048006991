// The walk as a value: where it stands, and what the answer to its next request is for. Plain data, so that a walk can
// be stored, loaded, compared, and explored exhaustively. Only the steps (steps.ts) make a new state of an old one.

import type { DoubtCode } from '../../domain/doubts.ts';
import type { Budget } from './budget.ts';
import type { Window } from './overlap.ts';
import type { Evidence, ListEnd } from './verdict.ts';

/** What the next request is for, and what has to be kept in mind until its answer. */
export type Phase =
  /** The first page; an empty one is asked for again. */
  | { readonly name: 'first'; readonly emptyReadings: number }
  /** The first page once more: does the list keep its order? */
  | { readonly name: 'probe-order'; readonly attempt: number }
  /** The next page. `isFull`: the page before was, so that this one overlaps it. `stride`: distance of the pages to read ahead. */
  | { readonly name: 'forward'; readonly offset: number; readonly isFull: boolean; readonly stride: number }
  /** The same page came at another offset: is every offset answered with it? `window`: the walk goes on from here if not. */
  | {
      readonly name: 'probe-offset';
      readonly offset: number;
      readonly window: Window;
      readonly attempt: number;
    }
  /**
   * A stretch is read again, ever further towards the head, until it overlaps the window and covers the old places of the
   * `displaced` records. `atEnd`: the last records of the window may be gone.
   */
  | {
      readonly name: 'search';
      readonly offset: number;
      readonly back: number;
      readonly atEnd: boolean;
      readonly displaced: readonly string[];
    }
  /** Nothing follows: the last records once more. They must be the last. */
  | {
      readonly name: 'before-end';
      readonly offset: number;
      readonly back: number;
      readonly overlap: number;
      /** Records of an answer that showed the last record as the last, but may have been cut there; 0 for none. */
      readonly agreed: number;
    }
  /** The last records were the last: what follows them once more. */
  | { readonly name: 'after-end'; readonly offset: number }
  /** The whole list has become empty: its first page again. */
  | { readonly name: 'all-gone'; readonly emptyReadings: number }
  /** The head once more, for what moved there. */
  | HeadPhase
  /** The head brought nothing further: does anything follow it? */
  | { readonly name: 'after-head'; readonly offset: number; readonly head: HeadPhase }
  /**
   * The list grew where the head does not show it: looks for the place. `anchor`: the record that is asked for; null where a
   * whole stretch is read.
   */
  | {
      readonly name: 'seek';
      readonly offset: number;
      readonly anchor: Anchor | null;
      readonly stretches: readonly Stretch[];
      readonly probes: number;
    }
  /** A list without an order, or of pages too short to overlap, page by page, until nothing new is met. */
  | {
      readonly name: 'unordered';
      readonly because: 'order' | 'short-pages';
      readonly offset: number;
      readonly pass: number;
      readonly pages: number;
      readonly quietPasses: number;
      readonly fresh: number;
      readonly isSecondLook: boolean;
    }
  | { readonly name: 'ended'; readonly end: ListEnd };

export type PhaseOf<Name extends Phase['name']> = Extract<Phase, { readonly name: Name }>;

/** A record of the walk, by its place among the others when it was walked. */
export interface Anchor {
  readonly key: string;
  readonly ordinal: number;
}

/** Where a record of the walk stands now. */
export interface Fix {
  readonly ordinal: number;
  readonly offset: number;
}

export interface Stretch {
  readonly from: Fix;
  readonly to: Fix;
}

export interface HeadPhase {
  readonly name: 'head';
  readonly offset: number;
  /** The page before; null for the first. */
  readonly window: Window | null;
  readonly pages: number;
  /** Records of the old head met in a row, in the old order, and the place of the last of them. */
  readonly run: number;
  readonly lastPlace: number;
  /** The whole list has to be read once more. */
  readonly toEnd: boolean;
  /** Such a run was long enough. */
  readonly isOldHeadMet: boolean;
  /** What was owed, and `evidence.grew` and `evidence.found`, when this reading began. */
  readonly owedBefore: number;
  readonly grewBefore: number;
  readonly foundBefore: number;
}

export interface WalkState {
  readonly phase: Phase;
  readonly window: Window;
  /** Records of the page that the window is the end of. */
  readonly received: number;
  /** Keys at the head of the list when the walk began. */
  readonly head: readonly string[];
  readonly evidence: Evidence;
  readonly doubts: readonly DoubtCode[];
  /** By how many records the list grew in front of the walk that were not found there yet; below 0 for what was found and not yet seen to grow. */
  readonly owed: number;
  /** Records that left their place beside the walk: met again at the head, they explain a part of what is owed. */
  readonly astray: readonly string[];
  /** Keys that stood twice on one page: they name two records. */
  readonly twins: readonly string[];
  /** How often the head was read again. */
  readonly headReadings: number;
  /** The length of the list when its end was last confirmed; 0 before. */
  readonly length: number;
  /** The whole list was read a second time, because something was missing. */
  readonly isReadTwice: boolean;
  /** Records along the walk, one a page or fewer: they tell later where the list grew. A resumed walk has none from before. */
  readonly anchors: readonly Anchor[];
  /** By how many places the list has moved in front of the walk since it began. */
  readonly drift: number;
  /** Pages come shorter than asked for although the list goes on (interface.md 8 shows no maximum limit). */
  readonly isClamped: boolean;
  readonly isOrderProbed: boolean;
  /** The last page was read to confirm the end: its length says nothing about a clamp. */
  readonly isReadForEnd: boolean;
  readonly budget: Budget;
}

/** What a page is to the walk: the place where it begins, its continuation, or something read again. */
export type WalkPart = 'begin' | 'on' | 'again';

/** What is known of a list before it is walked. */
export interface WalkRules {
  /**
   * - `documented`: the list is paged by limit and offset
   * - `unknown`: it may be; the first request carries neither, later ones an offset, and a refusal or the same answer
   *   once more shows that the list was whole
   * - `none`: it was found to be answered whole, in one request
   */
  readonly paging: 'documented' | 'unknown' | 'none';
  /** Records asked for with each request where paging is documented. */
  readonly limit: number;
  /** How many records the list is likely to hold, from what is mirrored; null when unknown. */
  readonly expectedLength: number | null;
  /** Pages after which a walk gives up: a list that grows as fast as it is read has no end. */
  readonly maxPages: number;
  /** Whether one key may stand for several records of the list, so that its length tells nothing of what was met. */
  readonly mayRepeatKeys?: boolean;
  /** Keys that a walk keeps in mind where its pages are short; `keptKeys` unless a test wants fewer. */
  readonly keptKeys?: number;
}

/** What was met by the walk, kept beside the state because it grows with the list. */
export interface Met {
  has(key: string): boolean;
  readonly size: number;
}

/** An answer of the service, as the walk looks at it. */
export interface Answer {
  readonly keys: readonly string[];
  /** Some of its records could not be decoded. */
  readonly hasUndecodable: boolean;
  /** The request was refused for its offset: the list is not paged. */
  readonly isRefused: boolean;
}

export interface Step {
  readonly state: WalkState;
  /** What the answered page is handed on as; null for one that holds nothing. */
  readonly part: WalkPart | null;
}

/** How many keys are kept of what was walked, where the pages are shorter. */
export const keptKeys = 40;
