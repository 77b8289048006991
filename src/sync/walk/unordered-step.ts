// The last resort for a list without a steady order, or with pages too short to overlap: reads it from end to
// end until whole passes meet nothing new. Such a sweep is never verified: that proves nothing.
import { isSpent } from './budget.ts';
import { countUnmet, type WalkView, withEvidence } from './ledger.ts';
import { giveUp } from './moves.ts';
import type { PhaseOf, Step, WalkAnswer, WalkState } from './state.ts';

const maxPasses = 12;
/** So many passes in a row must meet nothing new: one may by chance, when each request shuffles the list. */
const quietPassesWanted = 2;

export function onUnorderedPage(
  state: WalkState,
  phase: PhaseOf<'unordered'>,
  view: WalkView,
  { keys }: WalkAnswer,
): Step {
  if (keys.length === 0) {
    if (!phase.isRecheck) return { state: { ...state, phase: { ...phase, isRecheck: true } }, part: null };
    return { state: nextPass(state, phase), part: null };
  }
  const unmet = countUnmet(view, keys);
  const counted = withEvidence(state, {
    pages: state.evidence.pages + 1,
    records: state.evidence.records + keys.length,
  });
  // Records at offsets far beyond the length of the list: the service repeats the same pages.
  const isBeyond = phase.offset > 2 * (view.met.size + unmet + state.evidence.pageSize);
  const isEndless = isBeyond || phase.pages >= view.rules.maxPages;
  if (isEndless || isSpent(state.budget, view.met.size + unmet))
    return { state: unsettled(counted, phase), part: 'again' };
  const further: WalkState = {
    ...counted,
    phase: {
      ...phase,
      offset: phase.offset + keys.length,
      pages: phase.pages + 1,
      fresh: phase.fresh + unmet,
      isRecheck: false,
    },
  };
  return { state: further, part: 'again' };
}

function nextPass(state: WalkState, phase: PhaseOf<'unordered'>): WalkState {
  const quietPasses = phase.fresh === 0 ? phase.quietPasses + 1 : 0;
  if (quietPasses >= quietPassesWanted)
    return giveUp(state, phase.because === 'order' ? 'order-settled' : 'short-settled');
  if (phase.pass + 1 >= maxPasses) return unsettled(state, phase);
  return {
    ...state,
    phase: {
      ...phase,
      offset: 0,
      pass: phase.pass + 1,
      pages: 0,
      quietPasses,
      fresh: 0,
      isRecheck: false,
    },
  };
}

function unsettled(state: WalkState, { because }: PhaseOf<'unordered'>): WalkState {
  return giveUp(state, because === 'order' ? 'order-unsettled' : 'overlap-too-short');
}
