// The walk over a list that changes while it is read: from a state and an answer to the next state, the next
// request, and what the page is for the walk. Pure. walk-list.ts drives it against a service.
//
//   first ──► probe-order ──► forward ◄──────────┐          a page overlaps the window: go on
//     │            │          │  │  └► search ───┤          it does not: back, or begin again
//     │            │          │  └► probe-offset ┤          the same page twice: is the offset ignored?
//     │            │          ▼                  │
//     │            │      before-end ──► after-end          empty: are the last records still the last?
//     │            │          │              │              if not, the end was false: forward
//     │            ▼          ▼              ▼
//     │       unordered    all-gone   head ◄──► after-head  confirmed: who moved to the head meanwhile?
//     │            │          │         │  └► seek          the list grew elsewhere: where?
//     ▼            ▼          ▼         ▼
//   ended ◄─────────────────────────────┘                   after a changed head: confirm the end again
//
// `unordered` is the fallback for a list that keeps no order: it ends without a claim. Before a walk ends
// in doubt, `whole` reads a list that fits in one page from its beginning, several times.
import { asked, exhausted, newBudget } from './budget.ts';
import { onAfterEndPage, onBeforeEndPage } from './end-steps.ts';
import { onUnorderedPage, onWholePage, readWhole } from './fallbacks.ts';
import {
  onAllGonePage,
  onFirstPage,
  onForwardPage,
  onProbeOffsetPage,
  onProbeOrderPage,
  onSearchPage,
} from './forward-steps.ts';
import { onAfterHeadPage, onHeadPage } from './head-steps.ts';
import { noteRepeatedKeys, shortage, type WalkView } from './ledger.ts';
import { giveUp, nextPage, sweepUnordered, withDoubt } from './moves.ts';
import { onSeekPage } from './seek-steps.ts';
import type { Phase, Step, WalkAnswer, WalkState } from './state.ts';
import { newEvidence, type Verdict } from './verdict.ts';

/** The next request of a walk. */
export interface WalkRequest {
  readonly offset: number;
  /** Distance to the offset that will probably be next; 0 when that is not known. */
  readonly stride: number;
  /** The last answer may have been a passing fault: wait before asking again. */
  readonly isRecheck: boolean;
}

export function newWalk(): WalkState {
  return {
    phase: { name: 'first', emptyReadings: 0 },
    window: { offset: 0, keys: [] },
    received: 0,
    head: [],
    evidence: newEvidence(),
    doubts: [],
    unaccountedGrowth: 0,
    length: 0,
    headReadings: 0,
    repeatedKeys: [],
    isReadTwice: false,
    anchors: [],
    drift: 0,
    departed: [],
    isClamped: false,
    isOrderProbed: false,
    isReadForEnd: false,
    budget: newBudget,
  };
}

/** Continues a stored walk, with a new budget. */
export function resumeWalk(stored: WalkState, view: WalkView): WalkState {
  const evidence = { ...stored.evidence, resumed: stored.evidence.resumed + 1 };
  const resumed = { ...stored, evidence, isOrderProbed: true, budget: newBudget };
  return stored.window.keys.length === 0 ? { ...newWalk(), evidence } : nextPage(resumed, view);
}

/** @returns null when the walk has ended */
export function requestOf({ phase }: WalkState): WalkRequest | null {
  if (phase.name === 'ended') return null;
  const offset = 'offset' in phase ? phase.offset : 0;
  const isRecheck = (phase.name === 'first' || phase.name === 'all-gone') && phase.emptyReadings > 0;
  return { offset, stride: phase.name === 'forward' ? phase.stride : 0, isRecheck };
}

/** The step that follows from the answer to the request of this state. */
export function answerWalk(state: WalkState, view: WalkView, answer: WalkAnswer): Step {
  const counted = noteRepeatedKeys({ ...state, budget: asked(state.budget) }, answer.keys);
  const known = answer.hasUndecodable ? withDoubt(counted, 'undecodable') : counted;
  const step = onPageOf(known, state.phase, view, answer);
  return state.phase.name === 'whole' ? step : { ...step, state: concluded(step.state, view, answer) };
}

/** The state after a step: the walk may have ended in doubt, or used up its budget. */
function concluded(state: WalkState, view: WalkView, answer: WalkAnswer): WalkState {
  if (state.phase.name === 'ended') {
    const counted = withCount(state, view, answer);
    return counted.doubts.some((doubt) => doubt !== 'undecodable') ? readWhole(counted, view) : counted;
  }
  const why = mayGiveUp.has(state.phase.name)
    ? exhausted(state.budget, view.rules.maxPages, view.met.size)
    : null;
  if (why === null) return state;
  // Pages too short to overlap can still be read one after the other, without a claim.
  const isReadable = why === 'overlap-too-short';
  return readWhole(isReadable ? sweepUnordered(state, 'short-pages') : giveUp(state, why), view);
}

function onPageOf(state: WalkState, phase: Phase, view: WalkView, answer: WalkAnswer): Step {
  switch (phase.name) {
    case 'first':
      return onFirstPage(state, phase, view, answer);
    case 'probe-order':
      return onProbeOrderPage(state, phase, view, answer);
    case 'forward':
      return onForwardPage(state, phase, view, answer);
    case 'probe-offset':
      return onProbeOffsetPage(state, phase, view, answer);
    case 'search':
      return onSearchPage(state, phase, view, answer);
    case 'before-end':
      return onBeforeEndPage(state, phase, view, answer);
    case 'after-end':
      return onAfterEndPage(state, phase, view, answer);
    case 'all-gone':
      return onAllGonePage(state, phase, view, answer);
    case 'head':
      return onHeadPage(state, phase, view, answer);
    case 'after-head':
      return onAfterHeadPage(state, phase, view, answer);
    case 'seek':
      return onSeekPage(state, phase, view, answer);
    case 'unordered':
      return onUnorderedPage(state, phase, view, answer);
    case 'whole':
      return onWholePage(state, phase, view, answer);
    case 'ended':
      throw new Error('a walk that has ended asks nothing');
  }
}

/** The phases that the budget bounds. The others have bounds of their own. */
const mayGiveUp: ReadonlySet<Phase['name']> = new Set([
  'forward',
  'probe-offset',
  'search',
  'before-end',
  'after-end',
]);

function withCount(state: WalkState, view: WalkView, { keys }: WalkAnswer): WalkState {
  const { phase } = state;
  if (phase.name !== 'ended' || phase.end !== 'confirmed') return state;
  return shortage(state, view, keys) > 0 ? withDoubt(state, 'count-short') : state;
}

/** What a walk that has ended can claim. */
export function verdictOf({ phase, doubts, evidence, length }: WalkState): Verdict {
  // When every answer at the end may have been cut, the end is not confirmed.
  const isEndKnown = phase.name === 'ended' && !doubts.includes('end-cut');
  const end = isEndKnown ? phase.end : 'unconfirmed';
  const verified = doubts.length === 0 && end !== 'unconfirmed';
  return { verified, end, evidence, doubts, length: length > 0 || end === 'empty' ? length : null };
}
