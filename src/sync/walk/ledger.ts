// Tracks how the list moved during a walk: by how many records it grew in front of the walk, how many of them
// were found, which records left their places, and the places of the walk's records. Pure.
import { endOf, type Joined } from './overlap.ts';
import type { Phase, PhaseOf, SeenKeys, Step, WalkAnswer, WalkRules, WalkState } from './state.ts';
import type { Evidence } from './verdict.ts';

/** The further input of a step, besides the state and the answer. */
export interface WalkView {
  readonly rules: WalkRules;
  /** The keys of records read before this answer. */
  readonly met: SeenKeys;
}

/** The step that follows from the answer to a phase's request. */
export type StepOf<Name extends Phase['name']> = (
  state: WalkState,
  phase: PhaseOf<Name>,
  view: WalkView,
  answer: WalkAnswer,
) => Step;

const mostDeparted = 100;
const mostAnchors = 500;
const mostRepeatedKeys = 1_000;

export function withEvidence(state: WalkState, change: Partial<Evidence>): WalkState {
  return { ...state, evidence: { ...state.evidence, ...change } };
}

/** How many of these keys are new. */
export function countUnmet({ met }: WalkView, keys: readonly string[]): number {
  return new Set(keys.filter((key) => !met.has(key))).size;
}

/**
 * By how many records the list is longer than what was read: at least this many were missed. 0 if unknown: a
 * resumed walk does not know what its earlier part read, and a small list may show one key twice.
 *
 * @param keys the page that has just arrived; its records are not in `met` yet
 */
export function shortage(state: WalkState, view: WalkView, keys: readonly string[]): number {
  const isCounted = view.rules.paging === 'documented' && view.rules.mayRepeatKeys !== true;
  if (!isCounted || state.evidence.resumed > 0 || state.doubts.includes('undecodable')) return 0;
  return Math.max(0, state.length - state.repeatedKeys.length - view.met.size - countUnmet(view, keys));
}

/** Notes which keys stand twice on a page. */
export function noteRepeatedKeys(state: WalkState, keys: readonly string[]): WalkState {
  if (new Set(keys).size === keys.length) return state;
  const met = new Set<string>();
  const repeatedKeys = keys.filter((key) => met.size === met.add(key).size);
  return {
    ...state,
    repeatedKeys: [...new Set([...state.repeatedKeys, ...repeatedKeys])].slice(-mostRepeatedKeys),
  };
}

/** Notes by how much the list moved in front of a page that was read again. That is not progress. */
export function moveAlong(
  state: WalkState,
  { shift, window, absent }: Pick<Joined, 'shift' | 'window' | 'absent'>,
): WalkState {
  return noteShift({ ...state, window, drift: state.drift + shift }, shift, absent);
}

/** The list grew or shrank in front. Growth is unaccounted for until as many records are found. */
export function noteShift(state: WalkState, shift: number, absent: readonly string[]): WalkState {
  const { grew, shrank } = state.evidence;
  const noted = markDeparted(state, absent);
  if (shift <= 0) return withEvidence(noted, { shrank: shrank - shift });
  return withEvidence(
    { ...noted, unaccountedGrowth: state.unaccountedGrowth + shift },
    { grew: grew + shift },
  );
}

/** Notes records that left their places during the walk. */
export function markDeparted(state: WalkState, absent: readonly string[]): WalkState {
  if (absent.length === 0) return state;
  return { ...state, departed: [...new Set([...state.departed, ...absent])].slice(-mostDeparted) };
}

/**
 * Subtracts from the unaccounted growth those of these records that were not met before, or had left their
 * places. The result may be negative: later growth is noticed only when the end is confirmed again.
 */
export function accountGrowth(state: WalkState, view: WalkView, keys: readonly string[]): WalkState {
  const unmet = countUnmet(view, keys);
  const departed = state.departed.filter((key) => !keys.includes(key));
  const returned = Math.min(
    Math.max(0, state.unaccountedGrowth - unmet),
    state.departed.length - departed.length,
  );
  const unaccountedGrowth = state.unaccountedGrowth - unmet - returned;
  return withEvidence({ ...state, unaccountedGrowth, departed }, { found: state.evidence.found + unmet });
}

/** Adds the page's last record to the anchors, without those read again; of many, every second stays. */
export function withAnchor(
  { anchors, drift }: WalkState,
  window: WalkState['window'],
  keys: readonly string[],
): WalkState['anchors'] {
  const key = keys.at(-1);
  if (key === undefined || key !== window.keys.at(-1)) return anchors;
  const ordinal = endOf(window) - 1 - drift;
  const before = anchors.filter((anchor) => anchor.ordinal <= ordinal - keys.length);
  const kept = before.length < mostAnchors ? before : before.filter((_, index) => index % 2 === 1);
  return [...kept, { key, ordinal }];
}
