// The moves of a walk from one phase to the next. The steps look at the answers and choose the move.
import type { DoubtCode } from '../../domain/doubts.ts';
import * as spent from './budget.ts';
import { markDeparted, moveAlong, type WalkView, withAnchor, withEvidence } from './ledger.ts';
import { endOf, type Joined, joinPage, leastShared, overlapFor } from './overlap.ts';
import { type HeadPhase, keptKeys, type WalkRules, type WalkState } from './state.ts';
import type { ListEnd } from './verdict.ts';

const maxRestarts = 3;
const maxHeadReadings = 5;

export function withDoubt(state: WalkState, doubt: DoubtCode): WalkState {
  return state.doubts.includes(doubt) ? state : { ...state, doubts: [...state.doubts, doubt] };
}

/** Compares a page with the window. */
export function joinTo(
  state: WalkState,
  { rules }: WalkView,
  offset: number,
  keys: readonly string[],
): Joined | null {
  const pageSize = Math.max(state.received, state.evidence.pageSize);
  return joinPage(state.window, offset, keys, pageSize, memory(rules, Math.max(pageSize, keys.length)));
}

/** How many keys the window keeps: two pages, because a record may change places with one a page away. */
function memory({ keptKeys: kept = keptKeys }: WalkRules, pageSize: number): number {
  return Math.max(kept, 2 * pageSize);
}

/** The walk begins with this page, at the head of the list. */
export function beginWalk(state: WalkState, { rules }: WalkView, keys: readonly string[]): WalkState {
  const window = { offset: 0, keys };
  const anew = { ...state, head: [], unaccountedGrowth: 0, departed: [], anchors: [], drift: 0 };
  return accepted(anew, rules, keys, window);
}

/** The page continues the walk: it becomes the end of the window. */
export function acceptPage(
  state: WalkState,
  { rules }: WalkView,
  keys: readonly string[],
  joined: Joined,
  window = joined.window,
): WalkState {
  const moved = moveAlong(state, joined);
  return accepted(withEvidence(moved, { overlaps: moved.evidence.overlaps + 1 }), rules, keys, window);
}

function accepted(
  state: WalkState,
  { keptKeys: kept = keptKeys }: WalkRules,
  keys: readonly string[],
  window: WalkState['window'],
): WalkState {
  const { evidence, head } = state;
  return {
    ...state,
    window,
    anchors: withAnchor(state, window, keys),
    received: keys.length,
    isReadForEnd: false,
    head: head.length < kept ? [...new Set([...head, ...keys])].slice(0, kept) : head,
    evidence: {
      ...evidence,
      pages: evidence.pages + 1,
      records: evidence.records + keys.length,
      pageSize: Math.max(evidence.pageSize, keys.length),
    },
  };
}

/** Goes on to the next page. Before the second page the order is probed. */
export function nextPage(state: WalkState, { rules }: WalkView): WalkState {
  const { received, evidence, window, isClamped } = state;
  const wanted = rules.paging === 'documented' ? rules.limit : Number.POSITIVE_INFINITY;
  // A page with new records may be full although others were longer: pages may have become shorter.
  const isNew = state.budget.idlePages === 0 && evidence.shortestCut > 0;
  const longest = isNew ? Math.min(evidence.pageSize, evidence.shortestCut) : evidence.pageSize;
  const isFull = received >= longest && (isClamped || received >= wanted);
  if (isFull && window.offset === 0 && !state.isOrderProbed) return probeOrder(state);
  // A page that is not full is probably the last: asks what follows, and overlaps only if something does.
  const overlap = isFull ? overlapFor(received) : 0;
  const stride = isFull && evidence.pages > 2 ? received - overlap : 0;
  return { ...state, phase: { name: 'forward', offset: endOf(window) - overlap, isFull, stride } };
}

function probeOrder(state: WalkState): WalkState {
  return { ...state, isOrderProbed: true, phase: { name: 'probe-order', attempt: 0 } };
}

/** The last page ended at its limit, because records follow it. */
export function noteCut(state: WalkState): WalkState {
  if (state.isReadForEnd) return state;
  const { shortestCut } = state.evidence;
  return withEvidence(state, { shortestCut: Math.min(shortestCut || state.received, state.received) });
}

/**
 * A page did not overlap the window: the list shrank in front of it, or was reordered. Reads again from
 * `offset`, further and further towards the head, until a page overlaps the window.
 */
export function search(
  state: WalkState,
  offset: number,
  {
    atEnd = false,
    displaced = [],
  }: { readonly atEnd?: boolean; readonly displaced?: readonly string[] } = {},
): WalkState {
  if (state.isClamped && !state.isOrderProbed && state.window.offset === 0) return probeOrder(state);
  const back = Math.max(1, state.received - overlapFor(state.received));
  const searching = withEvidence(state, { searches: state.evidence.searches + 1 });
  return { ...searching, phase: { name: 'search', offset: Math.max(0, offset), back, atEnd, displaced } };
}

/** Records changed places across the beginning of a page: reads again from in front of the foremost. */
export function searchDisplaced(
  state: WalkState,
  { displaced, shift }: Pick<Joined, 'displaced' | 'shift'>,
  atEnd = false,
): WalkState {
  const moved = new Set(displaced);
  const foremost = state.window.keys.findIndex((key) => moved.has(key));
  return search(state, state.window.offset + foremost - 1 + shift, { atEnd, displaced });
}

/** One page back from the end of the window: a page from there overlaps the window completely. */
export function pageBack({ window, received, evidence }: WalkState): number {
  return endOf(window) - Math.max(received, evidence.pageSize);
}

/** The walk starts again with the first page, unless it has done so too often. */
export function restart(state: WalkState, view: WalkView, keys: readonly string[]): WalkState {
  const counted = withEvidence(state, { restarts: state.evidence.restarts + 1 });
  if (counted.evidence.restarts > maxRestarts) return sweepUnordered(counted, 'order');
  return nextPage(beginWalk(counted, view, keys), view);
}

/** An empty answer said that the list ends: the page before it and a second answer have to agree. */
export function confirmEnd(state: WalkState): WalkState {
  const { window, evidence } = state;
  // A small overlap: even an answer that is cut very short would then show a record after the last one.
  const least = leastShared(window, evidence.pageSize);
  const overlap = Math.max(least, Math.min(3, Math.floor(evidence.pageSize / 3)));
  const offset = Math.max(0, endOf(window) - overlap);
  return { ...state, phase: { name: 'before-end', offset, back: 2, overlap, agreed: 0 } };
}

/** Accepts a page at the end of the list. Records of the window beyond it may be gone, and are dropped. */
export function acceptAtEnd(
  state: WalkState,
  view: WalkView,
  page: WalkState['window'],
  joined: Joined,
): WalkState {
  if (joined.fresh > 0 || joined.reachesEnd) return acceptPage(state, view, page.keys, joined);
  const { offset, keys } = joined.window;
  const length = keys.indexOf(page.keys.at(-1) ?? '') + 1;
  const window = { offset, keys: keys.slice(0, length) };
  return acceptPage(markDeparted(state, keys.slice(length)), view, page.keys, joined, window);
}

/** The list continued after an empty answer. */
export function endedFalsely(state: WalkState, fresh: number): WalkState {
  return {
    ...withEvidence(state, { falseEnds: state.evidence.falseEnds + 1 }),
    budget: spent.endedFalsely(state.budget, fresh),
  };
}

/** The fallback for a list whose pages do not overlap: reads it until whole passes find nothing new. */
export function sweepUnordered(state: WalkState, because: 'order' | 'short-pages'): WalkState {
  return {
    ...state,
    phase: {
      name: 'unordered',
      because,
      offset: 0,
      pass: 0,
      pages: 0,
      quietPasses: 0,
      fresh: 0,
      isRecheck: false,
    },
  };
}

export function endWalk(state: WalkState, how: ListEnd): WalkState {
  return { ...state, phase: { name: 'ended', end: how } };
}

export function giveUp(state: WalkState, doubt: DoubtCode): WalkState {
  return endWalk(withDoubt(state, doubt), 'unconfirmed');
}

/**
 * Reads the head of the list again, for records that moved there since the walk began.
 *
 * @param toEnd reads on to the end of the list, whatever it meets
 */
export function readHead(state: WalkState, toEnd = false): WalkState {
  if (state.headReadings >= maxHeadReadings && !toEnd)
    return endWalk(withDoubt(state, 'head-unsteady'), 'confirmed');
  const { grew, found } = state.evidence;
  const phase: HeadPhase = {
    name: 'head',
    offset: 0,
    window: null,
    pages: 0,
    run: 0,
    lastPlace: -1,
    toEnd,
    isOldHeadMet: false,
    unaccountedBefore: state.unaccountedGrowth,
    grewBefore: grew,
    foundBefore: found,
  };
  return { ...state, headReadings: state.headReadings + 1, phase };
}
