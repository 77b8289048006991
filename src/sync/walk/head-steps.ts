// The steps after the end is confirmed: they read the head again, for records that moved there.
//
// Invariant: every record that stayed was read, or is in front of a record of the old head that did not move.
// A record that moved to the head made the list grow in front of the walk. So the head is read until as many
// records were found there as the list grew by, and a run of the old head was met in its old order.
import { isSpent } from './budget.ts';
import { accountGrowth, noteShift, type StepOf, shortage, type WalkView } from './ledger.ts';
import { confirmEnd, endWalk, readHead, withDoubt } from './moves.ts';
import { endOf, joinPage, overlapFor } from './overlap.ts';
import { knownPlaceOn, readTwice, seekGrowth } from './seek-steps.ts';
import type { HeadPhase, WalkState } from './state.ts';

const maxPages = 1_000;
/** A run holds so many records and half of the head, or all of a shorter head: fewer may move one by one. */
const leastRun = 10;
/** In a list of more than `leastPagesBeyond` pages, growth unexplained after so many is sought elsewhere. */
const pagesBeyond = 2;
/** For records not met, at least so many pages are read beyond the old head, or a tenth of the walk. */
const leastPagesBeyond = 10;

/** The end was confirmed: the walk is done, unless the head was not read yet or the list grew since. */
export function afterEnd(state: WalkState, view: WalkView): WalkState {
  const settled = { ...state, unaccountedGrowth: Math.max(0, state.unaccountedGrowth) };
  const isDone = state.headReadings > 0 && settled.unaccountedGrowth === 0 && shortage(state, view, []) === 0;
  return isDone ? endWalk(settled, 'confirmed') : readHead(settled);
}

/** One page of the head. */
export const onHeadPage: StepOf<'head'> = (state, phase, view, { keys }) => {
  const { window, offset } = phase;
  if (keys.length === 0) {
    if (window !== null && offset === endOf(window))
      return { state: { ...state, phase: { name: 'after-head', offset, head: phase } }, part: null };
    // The list was not empty a moment ago, so a single empty answer is not trusted.
    const gone: WalkState = { ...state, phase: { name: 'all-gone', emptyReadings: 1 } };
    return { state: window === null ? gone : readHead(state), part: null };
  }
  const joined = window && joinPage(window, offset, keys, window.keys.length, 2 * window.keys.length);
  if (window !== null && (joined === null || joined.displaced.length > 0))
    return { state: readHead(state), part: 'again' };
  const grown = joined ? noteShift(state, Math.max(0, joined.shift), joined.absent) : state;
  const counted = accountGrowth(grown, view, keys);
  const fresh = joined ? keys.slice(keys.length - joined.fresh) : keys;
  const read = meetOldHead({ ...phase, window: { offset, keys }, pages: phase.pages + 1 }, state.head, fresh);
  if (isSpent(state.budget, view.met.size))
    return { state: endWalk(withDoubt(counted, 'too-many-requests'), 'confirmed'), part: 'again' };
  if (read.isOldHeadMet && !isUnmetBelow(view, state, keys))
    return {
      state: beyondOldHead(counted, read, fresh.length, shortage(counted, view, keys)),
      part: 'again',
    };
  return { state: nextOfHead(counted, read, fresh.length), part: 'again' };
};

/** Whether a record that was not met stands below the old head: others may follow it. */
function isUnmetBelow({ met }: WalkView, { head, evidence }: WalkState, keys: readonly string[]): boolean {
  // A resumed walk does not know which records its earlier part met.
  if (evidence.resumed > 0) return false;
  const last = keys.findLastIndex((key) => head.includes(key));
  return keys.some((key, index) => index > last && !met.has(key));
}

/** The next page of the head. One without new records may be cut: asks whether anything follows it. */
function nextOfHead(state: WalkState, head: HeadPhase, fresh: number): WalkState {
  if (head.window === null || (head.pages >= maxPages && !head.toEnd)) return readHead(state);
  const past = endOf(head.window);
  if (fresh === 0) return { ...state, phase: { name: 'after-head', offset: past, head } };
  return { ...state, phase: { ...head, offset: past - overlapFor(head.window.keys.length) } };
}

export const onAfterHeadPage: StepOf<'after-head'> = (state, { head, offset }, view, { keys }) => {
  if (keys.length === 0)
    return { state: afterWholeList({ ...state, length: offset }, head, view), part: null };
  return { state: nextOfHead(state, head, keys.length), part: 'again' };
};

/** The old head was met: done, unless the list grew by more than was found, or holds more than was met. */
function beyondOldHead(state: WalkState, head: HeadPhase, fresh: number, missing: number): WalkState {
  const { unaccountedGrowth, evidence } = state;
  if (head.toEnd) return nextOfHead(state, head, fresh);
  if (unaccountedGrowth <= 0 && missing === 0) return afterHead(state, head);
  if (evidence.grew > head.grewBefore) return readHead(state);
  const isLong = evidence.pages > leastPagesBeyond;
  if (unaccountedGrowth > 0 && isLong && head.pages >= pagesBeyond && head.window !== null)
    return seekGrowth(state, knownPlaceOn(state, head.window.offset, head.window.keys));
  if (head.pages >= Math.max(leastPagesBeyond, Math.ceil(evidence.pages / 10))) return readTwice(state);
  return nextOfHead(state, head, fresh);
}

/** The whole list was read again without a gap: only growth meanwhile may be unaccounted for. */
function afterWholeList(state: WalkState, head: HeadPhase, view: WalkView): WalkState {
  const { grew, found } = state.evidence;
  // Records that were found account first for the growth before this reading.
  const foundBeyond = Math.max(0, found - head.foundBefore - Math.max(0, head.unaccountedBefore));
  const unaccountedGrowth = Math.max(0, grew - head.grewBefore - foundBeyond);
  const settled = { ...state, unaccountedGrowth };
  const isExplained = unaccountedGrowth === 0 && shortage(settled, view, []) === 0;
  return isExplained ? endWalk(settled, 'confirmed') : readHead(settled);
}

/** An unchanged head ends the walk; else the end is confirmed again: the list may have grown meanwhile. */
function afterHead(state: WalkState, { pages, foundBefore }: HeadPhase): WalkState {
  const isAsItWas = pages === 1 && state.evidence.found === foundBefore;
  return isAsItWas ? endWalk(state, 'confirmed') : confirmEnd(state);
}

/** Continues the count of old head records that follow each other in the old order, none between them. */
function meetOldHead(phase: HeadPhase, head: readonly string[], keys: readonly string[]): HeadPhase {
  const places = new Map(head.map((key, place) => [key, place]));
  const enough = Math.max(1, Math.min(head.length, leastRun), Math.ceil(head.length / 2));
  let { run, lastPlace, isOldHeadMet } = phase;
  for (const key of keys) {
    const place = places.get(key);
    if (place === undefined) run = 0;
    else run = place > lastPlace ? run + 1 : 1;
    lastPlace = place ?? -1;
    isOldHeadMet ||= run >= enough;
  }
  return { ...phase, run, lastPlace, isOldHeadMet };
}
