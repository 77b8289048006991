// The steps from the first page to the last: begin, probe the order, continue, search the overlap. Invariant:
// every record that stayed was read, or is behind the window, or moved to the head (docs/correctness.md).
import * as spent from './budget.ts';
import { moveAlong, type StepOf, type WalkView } from './ledger.ts';
import {
  acceptAtEnd,
  acceptPage,
  beginWalk,
  confirmEnd,
  endedFalsely,
  endWalk,
  giveUp,
  joinTo,
  nextPage,
  noteCut,
  pageBack,
  restart,
  search,
  searchDisplaced,
  sweepUnordered,
} from './moves.ts';
import { endOf, isSteady, type Joined, overlapFor, without } from './overlap.ts';
import type { PhaseOf, WalkState } from './state.ts';

const emptyReadings = 3;
const emptyReadingsAgainstExpectation = 6;

/** The first page. An empty one is read again, more often when records are mirrored. */
export const onFirstPage: StepOf<'first'> = (state, phase, view, { keys }) => {
  if (keys.length > 0) {
    const begun = beginWalk(state, view, keys);
    const known = phase.emptyReadings > 0 ? endedFalsely(begun, keys.length) : begun;
    const isWhole = view.rules.paging === 'none';
    return { state: isWhole ? endWalk(known, 'whole') : nextPage(known, view), part: 'begin' };
  }
  return { state: emptyAgain(state, phase, view), part: null };
};

/** The whole list was empty when the walk checked its end: its first page has to stay empty. */
export const onAllGonePage: StepOf<'all-gone'> = (state, phase, view, { keys }) => {
  if (keys.length > 0) return { state: nextPage(endedFalsely(state, 0), view), part: 'again' };
  return { state: emptyAgain(state, phase, view), part: null };
};

function emptyAgain(state: WalkState, phase: PhaseOf<'first' | 'all-gone'>, { rules }: WalkView): WalkState {
  const readings = phase.emptyReadings + 1;
  const enough = rules.expectedLength ? emptyReadingsAgainstExpectation : emptyReadings;
  return readings >= enough
    ? endWalk(state, 'empty')
    : { ...state, phase: { ...phase, emptyReadings: readings } };
}

/** The first page, read once more before the second, to compare the order of the records. */
export const onProbeOrderPage: StepOf<'probe-order'> = (state, phase, view, { keys }) => {
  const isLast = phase.attempt === 2;
  const again: WalkState = { ...state, phase: { name: 'probe-order', attempt: phase.attempt + 1 } };
  // An empty answer is asked for again.
  if (keys.length === 0) return { state: isLast ? sweepUnordered(state, 'order') : again, part: null };
  const steady = isSteady(state.window.keys, keys);
  const begun = beginWalk(state, view, keys);
  if (steady) return { state: nextPage(begun, view), part: 'begin' };
  return { state: isLast ? sweepUnordered(begun, 'order') : { ...begun, phase: again.phase }, part: 'begin' };
};

/** One page further. */
export const onForwardPage: StepOf<'forward'> = (state, phase, view, { keys, isRefused }) => {
  // The service refuses paging, so that the first answer was the whole list.
  if (isRefused) return { state: endWalk(state, 'whole'), part: null };
  if (keys.length === 0) return { state: confirmEnd(state), part: null };
  const joined = joinTo(state, view, phase.offset, keys);
  if (joined === null) return { state: afterGap(state, phase, keys.length), part: 'again' };
  if (joined.displaced.length > 0) return { state: searchDisplaced(state, joined), part: 'again' };
  if (joined.repeated) {
    // The page may be a stale copy. Where the list is known to be paged, the same offset is read again first.
    const isPaged = view.rules.paging === 'documented';
    const offset = phase.offset + (isPaged ? 0 : keys.length);
    const attempt = isPaged ? 0 : 1;
    return {
      state: { ...state, phase: { name: 'probe-offset', offset, window: joined.window, attempt } },
      part: 'again',
    };
  }
  return { state: continueWith(state, view, keys, joined), part: 'on' };
};

function continueWith(state: WalkState, view: WalkView, keys: readonly string[], joined: Joined): WalkState {
  const cut = joined.fresh > 0 ? noteCut(state) : state;
  const counted = { ...cut, budget: spent.countJoined(cut.budget, joined.fresh, isShort(cut, keys)) };
  return nextPage(acceptPage(counted, view, keys, joined), view);
}

function isShort({ evidence }: WalkState, keys: readonly string[]): boolean {
  return keys.length < evidence.pageSize;
}

/** No overlap. Where the page should overlap, the walk searches back; else it reads it with an overlap. */
function afterGap(state: WalkState, { isFull }: PhaseOf<'forward'>, length: number): WalkState {
  if (isFull) return search(state, pageBack(state));
  const clamped = noteCut({ ...state, isClamped: true });
  // From the length of this page, because pages may have become shorter.
  const overlap = Math.max(1, overlapFor(length));
  return search(clamped, endOf(clamped.window) - overlap);
}

/** The same page came at two offsets. If it comes at others too, the service ignores the offset. */
export const onProbeOffsetPage: StepOf<'probe-offset'> = (state, phase, view, { keys }) => {
  const part = keys.length === 0 ? null : 'again';
  const isSame = joinTo(state, view, phase.offset, keys)?.repeated === true;
  // The page was a stale copy, or the list has moved since: the walk continues from where it was.
  if (phase.attempt === 0 && !isSame) return { state: nextPage(state, view), part };
  if (isSame) {
    if (view.rules.paging === 'unknown') return { state: endWalk(state, 'whole'), part };
    // A list that grows by a whole page between two answers looks the same.
    const again = { ...phase, offset: phase.offset + keys.length + 1, attempt: phase.attempt + 1 };
    const isIgnored = phase.attempt === 3;
    return { state: isIgnored ? giveUp(state, 'offset-ignored') : { ...state, phase: again }, part };
  }
  const shift = phase.window.offset - state.window.offset;
  const moved = moveAlong(
    { ...state, budget: spent.countJoined(state.budget, 0) },
    { shift, window: phase.window, absent: [] },
  );
  return { state: nextPage(moved, view), part };
};

/** A page of a search. Where it overlaps the window, it replaces what was read before. */
export const onSearchPage: StepOf<'search'> = (state, phase, view, { keys }) => {
  const part = keys.length === 0 ? null : 'again';
  const joined = joinTo(state, view, phase.offset, keys);
  if (joined !== null) {
    // Pages of one record cannot overlap.
    if (keys.length === 1 && state.evidence.pageSize === 1 && joined.fresh === 0)
      return { state: sweepUnordered(state, 'short-pages'), part };
    const displaced = [...new Set([...phase.displaced, ...joined.displaced])];
    if (phase.offset > 0 && !covers(state, joined, displaced))
      return { state: searchDisplaced(state, { displaced, shift: joined.shift }, phase.atEnd), part };
    const counted = { ...state, budget: spent.found(state.budget, joined.fresh, isShort(state, keys)) };
    const onPage = new Set(keys);
    const moved = displaced.filter((key) => !onPage.has(key));
    const page = { offset: phase.offset, keys };
    const accepted = phase.atEnd
      ? acceptAtEnd(counted, view, page, joined)
      : acceptPage(counted, view, keys, joined);
    const window = without(accepted.window, moved);
    return { state: nextPage({ ...accepted, window }, view), part: 'on' };
  }
  if (phase.offset === 0) {
    if (keys.length === 0) return { state: confirmEnd(state), part };
    const restarted = restart(state, view, keys);
    return { state: restarted, part: restarted.phase.name === 'unordered' ? 'again' : 'begin' };
  }
  const anchored = joinByAnchor(state, view, phase, keys);
  if (anchored !== null) {
    const counted = { ...state, budget: spent.found(state.budget, 0) };
    return { state: nextPage(acceptPage(counted, view, keys, anchored), view), part: 'on' };
  }
  const offset = Math.max(0, phase.offset - phase.back);
  return { state: { ...state, phase: { ...phase, offset, back: phase.back * 2 } }, part };
};

/** Whether the page shows which records stand at the old places of the displaced ones now. */
function covers({ window }: WalkState, { beginsAt }: Joined, displaced: readonly string[]): boolean {
  const behind = new Set(window.keys.slice(Math.max(0, beginsAt)));
  return displaced.every((key) => behind.has(key));
}

/**
 * Overlap beyond what the window keeps: a page with an anchor, and only met records in front of it, is a
 * place where the walk has been. Met records alone are not enough, because a search meets others too.
 */
function joinByAnchor(
  { anchors, drift, window }: WalkState,
  { met }: WalkView,
  { offset }: PhaseOf<'search'>,
  keys: readonly string[],
): Joined | null {
  if (offset + keys.length > window.offset) return null;
  const places = new Map(keys.map((key, index) => [key, index]));
  const anchor = anchors.findLast(({ key }) => places.has(key));
  if (anchor === undefined) return null;
  const index = places.get(anchor.key) ?? 0;
  if (!keys.slice(0, index).every((key) => met.has(key))) return null;
  return {
    fresh: keys.length - index - 1,
    window: { offset, keys },
    reachesEnd: false,
    shift: offset + index - (anchor.ordinal + drift),
    repeated: false,
    beginsAt: 0,
    displaced: [],
    absent: [],
  };
}
