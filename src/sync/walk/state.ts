// The walk as a value: its progress, and the purpose of its next request. Plain data, so a walk can be
// stored, loaded, compared, and explored exhaustively. Only *-steps.ts create a new state.
import type { DoubtCode } from '../../domain/doubts.ts';
import type { Budget } from './budget.ts';
import type { Window } from './overlap.ts';
import type { Evidence, ListEnd } from './verdict.ts';

/** The purpose of the next request, and the context of its answer. */
export type Phase =
  /** The first page. An empty one is read again. */
  | { readonly name: 'first'; readonly emptyReadings: number }
  /** The first page once more: does the list keep its order? */
  | { readonly name: 'probe-order'; readonly attempt: number }
  /** The next page; `isFull` says that it overlaps the one before, `stride` how far apart to read ahead. */
  | { readonly name: 'forward'; readonly offset: number; readonly isFull: boolean; readonly stride: number }
  /** The same page came at another offset: at every one? `window`: where the walk continues if not. */
  | {
      readonly name: 'probe-offset';
      readonly offset: number;
      readonly window: Window;
      readonly attempt: number;
    }
  /**
   * A page further back, again and again, until it overlaps the window and covers the old places of the
   * `displaced` records. `atEnd`: the last records of the window may be gone.
   */
  | {
      readonly name: 'search';
      readonly offset: number;
      readonly back: number;
      readonly atEnd: boolean;
      readonly displaced: readonly string[];
    }
  /** An answer was empty: the last records once more. They must be the last. */
  | {
      readonly name: 'before-end';
      readonly offset: number;
      readonly back: number;
      readonly overlap: number;
      /** Length of an answer that ended with the last record but may have been cut there; 0 for none. */
      readonly agreed: number;
    }
  /** The last records were the last: the page after them, once more. */
  | { readonly name: 'after-end'; readonly offset: number }
  /** The whole list has become empty: its first page, once more. */
  | { readonly name: 'all-gone'; readonly emptyReadings: number }
  /** The head once more, for records that moved there. */
  | HeadPhase
  /** A page of the head had no new record: does another page follow? */
  | { readonly name: 'after-head'; readonly offset: number; readonly head: HeadPhase }
  /** The list grew, not at its head: seeks the place. `anchor`: the record asked for; null for a range. */
  | {
      readonly name: 'seek';
      readonly offset: number;
      readonly anchor: Anchor | null;
      readonly ranges: readonly PlaceRange[];
      readonly probes: number;
    }
  /** Without an order, or with pages too short to overlap: page by page, until passes meet nothing new. */
  | {
      readonly name: 'unordered';
      readonly because: 'order' | 'short-pages';
      readonly offset: number;
      readonly pass: number;
      readonly pages: number;
      readonly quietPasses: number;
      readonly fresh: number;
      readonly isRecheck: boolean;
    }
  /**
   * The beginning of a list that fits in one page. `lengths`: those of the answers so far that ended with
   * `last`. `otherwise`: how the walk goes on when they do not show the whole list.
   */
  | {
      readonly name: 'whole';
      readonly otherwise: Phase;
      readonly last: string;
      readonly lengths: readonly number[];
      readonly readings: number;
    }
  | { readonly name: 'ended'; readonly end: ListEnd };

export type PhaseOf<Name extends Phase['name']> = Extract<Phase, { readonly name: Name }>;

/** A record of the walk, with its place among the records of the walk. */
export interface Anchor {
  readonly key: string;
  readonly ordinal: number;
}

/** A known place: the offset now of a place of the walk. */
export interface KnownPlace {
  readonly ordinal: number;
  readonly offset: number;
}

export interface PlaceRange {
  readonly from: KnownPlace;
  readonly to: KnownPlace;
}

export interface HeadPhase {
  readonly name: 'head';
  readonly offset: number;
  /** The page before; null for the first. */
  readonly window: Window | null;
  readonly pages: number;
  /** How many records of the old head were met in a row, in the old order, and the place of the last. */
  readonly run: number;
  readonly lastPlace: number;
  /** Reads on to the end of the list. */
  readonly toEnd: boolean;
  /** A run was long enough. */
  readonly isOldHeadMet: boolean;
  /** `unaccountedGrowth`, `evidence.grew` and `evidence.found` when this reading began. */
  readonly unaccountedBefore: number;
  readonly grewBefore: number;
  readonly foundBefore: number;
}

export interface WalkState {
  readonly phase: Phase;
  readonly window: Window;
  /** How many records the last accepted page held. */
  readonly received: number;
  /** Keys at the head of the list when the walk began. */
  readonly head: readonly string[];
  readonly evidence: Evidence;
  readonly doubts: readonly DoubtCode[];
  /** By how many records not found yet the list grew in front. Negative: found before growth was noticed. */
  readonly unaccountedGrowth: number;
  /** Records that left their places. Found again at the head, they account for part of the growth. */
  readonly departed: readonly string[];
  /** Keys that stood twice on one page: each names two records. */
  readonly repeatedKeys: readonly string[];
  /** How often the head was read again. */
  readonly headReadings: number;
  /** The length of the list when its end was last confirmed; 0 before. */
  readonly length: number;
  /** The whole list was read a second time, because records were missing. */
  readonly isReadTwice: boolean;
  /** Records along the walk, one a page: they show where the list grew. A resumed walk begins with none. */
  readonly anchors: readonly Anchor[];
  /** By how many places the list has moved in front of the walk since the walk began. */
  readonly drift: number;
  /**
   * Pages are shorter than asked for although the list goes on (docs/custody-service.md 8 shows no maximum
   * limit).
   */
  readonly isClamped: boolean;
  readonly isOrderProbed: boolean;
  /** The last page was read to confirm the end: its length says nothing about a clamp. */
  readonly isReadForEnd: boolean;
  readonly budget: Budget;
}

/** The role of a page in the walk: its beginning, its continuation, or a page read again. */
export type WalkPart = 'begin' | 'on' | 'again';

/** The prior knowledge about a list. */
export interface WalkRules {
  /**
   * - `documented`: the list is paged by limit and offset
   * - `unknown`: it may be paged; the first request has neither, later ones have an offset, and a refusal or
   *   the same answer again shows that the first answer was the whole list
   * - `none`: it is known to come in one answer
   */
  readonly paging: 'documented' | 'unknown' | 'none';
  /** The limit of each request, where paging is documented. */
  readonly limit: number;
  /** How many records the list probably holds, from what is mirrored; null when unknown. */
  readonly expectedLength: number | null;
  /** After so many pages a walk gives up: the list grows as fast as it is read. */
  readonly maxPages: number;
  /** One key may stand for several records: the list's length cannot be compared with the seen keys. */
  readonly mayRepeatKeys?: boolean;
  /** How many keys the window keeps at least; default `keptKeys`. Tests set fewer. */
  readonly keptKeys?: number;
}

/** The keys that the walk has seen. Kept outside the state, because they grow with the list. */
export interface SeenKeys {
  has(key: string): boolean;
  readonly size: number;
}

/** The part of an answer that the walk needs. */
export interface WalkAnswer {
  readonly keys: readonly string[];
  /** Some of its records could not be decoded. */
  readonly hasUndecodable: boolean;
  /** The request was refused for its offset: the list is not paged. */
  readonly isRefused: boolean;
}

export interface Step {
  readonly state: WalkState;
  /** The role of the page in the walk; null for an empty page. */
  readonly part: WalkPart | null;
}

/** How many keys the window keeps at least. */
export const keptKeys = 40;
