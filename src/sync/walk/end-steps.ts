// The steps at the end of a list. An empty answer is trusted only if the page before it shows the same last
// records, and a second answer is empty too. Invariant: there is no record after a confirmed end.
import * as spent from './budget.ts';
import { afterEnd } from './head-steps.ts';
import { moveAlong, type StepOf, type WalkView } from './ledger.ts';
import {
  acceptAtEnd,
  endedFalsely,
  joinTo,
  nextPage,
  pageBack,
  readHead,
  search,
  searchDisplaced,
  withDoubt,
} from './moves.ts';
import type { Joined } from './overlap.ts';
import type { PhaseOf, WalkState } from './state.ts';

/** The page with the last records, read once more. */
export const onBeforeEndPage: StepOf<'before-end'> = (state, phase, view, answer) => {
  const { keys } = answer;
  if (keys.length === 0) return { state: furtherBack(state, phase), part: null };
  const tried = { ...state, budget: spent.endTried(state.budget) };
  const joined = joinTo(state, view, phase.offset, keys);
  if (joined === null) return { state: search(tried, pageBack(state), { atEnd: true }), part: 'again' };
  if (joined.displaced.length > 0) return { state: searchDisplaced(tried, joined, true), part: 'again' };
  const isLast = joined.fresh === 0 && joined.reachesEnd;
  const isBelieved = keys.length <= longestLast(tried, phase) + Math.max(0, joined.shift);
  if (isLast && isBelieved && mayBeCut(tried, phase, keys) && phase.agreed === 0 && phase.offset > 0)
    return { state: agreeAgain(moveAlong(tried, joined), phase, keys), part: 'again' };
  if (isLast && isBelieved && !mayBeCut(tried, phase, keys)) {
    const offset = phase.offset + keys.length;
    const moved = moveAlong(tried, joined);
    return { state: { ...moved, phase: { name: 'after-end', offset } }, part: 'again' };
  }
  return { state: wentOn(tried, phase, view, keys, joined), part: 'on' };
};

/** Even the last records are not there: the list shrank in front of its end, or is empty now. */
function furtherBack(state: WalkState, phase: PhaseOf<'before-end'>): WalkState {
  if (phase.offset === 0) return { ...state, phase: { name: 'all-gone', emptyReadings: 0 } };
  const offset = Math.max(0, phase.offset - phase.back);
  return { ...state, phase: { ...phase, offset, back: phase.back * 2 } };
}

/**
 * The longest page that shows the end of the list, and not merely of its limit: the overlap; or, when the end
 * keeps changing, any page that is shorter than the longest.
 */
function longestLast({ budget, evidence }: WalkState, { overlap }: PhaseOf<'before-end'>): number {
  return spent.isEndRestless(budget) ? Math.max(overlap, evidence.pageSize - 1) : overlap;
}

/** Whether the page may have been cut there. Two of different lengths with the same last record were not. */
function mayBeCut(
  { evidence }: WalkState,
  { agreed }: PhaseOf<'before-end'>,
  keys: readonly string[],
): boolean {
  if (agreed > 0 && agreed !== keys.length) return false;
  return evidence.shortestCut > 0 && keys.length >= evidence.shortestCut;
}

/** The answer may have been cut behind the last record: asks for another length, which has to agree. */
function agreeAgain(state: WalkState, phase: PhaseOf<'before-end'>, keys: readonly string[]): WalkState {
  const overlap = phase.overlap + 1;
  return { ...state, phase: { ...phase, offset: phase.offset - 1, overlap, agreed: keys.length } };
}

function wentOn(
  state: WalkState,
  phase: PhaseOf<'before-end'>,
  view: WalkView,
  keys: readonly string[],
  joined: Joined,
): WalkState {
  const known = endedFalsely(state, joined.fresh);
  if (mayBeCut(known, phase, keys) && spent.isEndRestless(known.budget))
    return readHead(withDoubt(moveAlong(known, joined), 'end-cut'));
  const accepted = acceptAtEnd(known, view, { offset: phase.offset, keys }, joined);
  return nextPage({ ...accepted, isReadForEnd: true }, view);
}

/** The page after the last records, once more: if it is empty, the end is confirmed. */
export const onAfterEndPage: StepOf<'after-end'> = (state, phase, view, { keys }) => {
  if (keys.length === 0) return { state: afterEnd({ ...state, length: phase.offset }, view), part: null };
  return { state: nextPage({ ...endedFalsely(state, 0), isReadForEnd: true }, view), part: 'again' };
};
