// The fallbacks of a walk. A list that fits in one page may come whole in one answer, however much it
// changes. A list without a stable order, or with pages too short to overlap, is read from end to end until
// whole passes find nothing new. That proves nothing, so such a sweep is never verified.
import { isSpent } from './budget.ts';
import { countUnmet, type StepOf, type WalkView, withEvidence } from './ledger.ts';
import { endWalk, giveUp } from './moves.ts';
import type { PhaseOf, WalkState } from './state.ts';

const maxPasses = 12;
/**
 * Consecutive passes that must find nothing new: one may do so by chance if each request shuffles the list.
 */
const quietPassesWanted = 2;
const maxWholeReadings = 8;
/** After this many the length must have changed once: a list that does not grow shows no third length. */
const firstWholeReadings = 5;
const wholeLengthsWanted = 3;

/** Before the walk goes on without a claim: reads a list that fits in one page from its beginning. */
export function readWhole(state: WalkState, { rules, met }: WalkView): WalkState {
  const isShort = rules.paging === 'documented' && met.size < rules.limit;
  const requests = state.budget.requests + maxWholeReadings;
  if (!isShort || isSpent({ ...state.budget, requests }, met.size)) return state;
  return { ...state, phase: { name: 'whole', otherwise: state.phase, last: '', lengths: [], readings: 0 } };
}

/**
 * Answers from the beginning of the list that differ in length and end with the same record were not all cut
 * there: one of them shows the whole list, and with it every record that stayed.
 */
export const onWholePage: StepOf<'whole'> = (state, phase, { rules }, { keys }) => {
  const last = keys.at(-1);
  if (last === undefined) return { state: { ...state, phase: phase.otherwise }, part: null };
  const lengths = [...new Set(last === phase.last ? [...phase.lengths, keys.length] : [keys.length])];
  if (lengths.length >= wholeLengthsWanted) {
    const doubts = state.doubts.filter((doubt) => doubt === 'undecodable');
    return { state: endWalk({ ...state, doubts, length: keys.length }, 'confirmed'), part: 'again' };
  }
  const readings = phase.readings + 1;
  const most = lengths.length > 1 ? maxWholeReadings : firstWholeReadings;
  const isOver = readings >= most || keys.length >= rules.limit;
  const next = isOver ? phase.otherwise : { ...phase, last, lengths, readings };
  return { state: { ...state, phase: next }, part: 'again' };
};

export const onUnorderedPage: StepOf<'unordered'> = (state, phase, view, { keys }) => {
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
};

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
