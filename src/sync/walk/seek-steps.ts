// The steps that find what the list grew by in its middle. Where a record of the walk stands now, against where it stood
// among the others when it was walked, tells by how many places the list grew in front of it. So halving finds where it grew.
// Invariant: each stretch that is still sought lies between two places known now, and the list grew between them.
import { countUnmet, findOwed, shortage, type WalkView } from './ledger.ts';
import { confirmEnd, end, readHead, withDoubt } from './moves.ts';
import { overlapFor } from './overlap.ts';
import type { Anchor, Answer, Fix, PhaseOf, Step, Stretch, WalkState } from './state.ts';

/** Requests that a search may take: a fifth of the walk, and so many at least. */
const leastProbes = 20;

/** Seeks what is owed between a record of the head, where it stands now, and the end. */
export function seekGrowth(state: WalkState, from: Fix): WalkState {
  const to = { ordinal: state.length - state.drift, offset: state.length };
  return next(state, [{ from, to }].filter(hasGrown), 0);
}

/** The last record of a page that the walk keeps in mind; the head of the list where it keeps none. */
export function fixOn(state: WalkState, offset: number, keys: readonly string[]): Fix {
  const places = new Map(keys.map((key, index) => [key, index]));
  const anchor = state.anchors.findLast(({ key }) => places.has(key));
  if (anchor === undefined) return { ordinal: 0, offset: 0 };
  return { ordinal: anchor.ordinal, offset: offset + (places.get(anchor.key) ?? 0) };
}

export function answerSeek(state: WalkState, phase: PhaseOf<'seek'>, view: WalkView, { keys }: Answer): Step {
  const met = findOwed(state, view, keys);
  const part = keys.length === 0 ? null : 'again';
  const probes = phase.probes + 1;
  const offset = phase.offset + keys.length - overlapFor(keys.length);
  if (met.owed <= 0 && shortage(met, view, keys) === 0) {
    // What came while this was sought counts as found as well: what was owed may stand right behind it.
    const isAlone = countUnmet(view, keys) === 0;
    const onward = { ...phase, offset, anchor: null, probes };
    return { state: isAlone ? confirmEnd(met) : { ...met, phase: onward }, part };
  }
  const [stretch, ...others] = phase.stretches;
  if (stretch === undefined) return { state: readTwice(met), part };
  if (phase.anchor !== null)
    return { state: afterProbe(met, { ...phase, probes }, phase.anchor, keys), part };
  const isRead = keys.length === 0 || phase.offset + keys.length >= stretch.to.offset;
  if (isRead) return { state: next(met, others, probes), part };
  return { state: { ...met, phase: { ...phase, offset, probes } }, part };
}

/** Where the anchor stands now halves the stretch; one that is not found is not asked for again. */
function afterProbe(
  state: WalkState,
  { offset, stretches, probes }: PhaseOf<'seek'>,
  anchor: Anchor,
  keys: readonly string[],
): WalkState {
  const [stretch, ...others] = stretches;
  const index = keys.indexOf(anchor.key);
  if (stretch === undefined || index < 0) {
    const anchors = state.anchors.filter(({ key }) => key !== anchor.key);
    return next({ ...state, anchors }, stretches, probes);
  }
  const found: Fix = { ordinal: anchor.ordinal, offset: offset + index };
  const halves = [
    { from: stretch.from, to: found },
    { from: found, to: stretch.to },
  ].filter(hasGrown);
  return next(state, [...halves, ...others], probes);
}

function hasGrown({ from, to }: Stretch): boolean {
  return to.offset - from.offset > to.ordinal - from.ordinal;
}

/** Asks for the anchor in the middle of the first stretch, or reads the stretch where there is none. */
function next(state: WalkState, stretches: readonly Stretch[], probes: number): WalkState {
  const [stretch] = stretches;
  const most = Math.max(leastProbes, Math.ceil(state.evidence.pages / 5));
  if (stretch === undefined || probes >= most) return readTwice(state);
  const { from, to } = stretch;
  const size = state.evidence.pageSize;
  const within = state.anchors.filter(({ ordinal }) => ordinal > from.ordinal && ordinal < to.ordinal);
  const anchor = to.offset - from.offset > size ? within[within.length >> 1] : undefined;
  const place =
    anchor === undefined ? from.offset : from.offset + anchor.ordinal - from.ordinal - (size >> 1);
  const margin = anchor === undefined ? overlapFor(size) : 0;
  const offset = Math.max(0, place - margin);
  return { ...state, phase: { name: 'seek', offset, anchor: anchor ?? null, stretches, probes } };
}

/**
 * The last resort where something is missing and not found: the whole list is read once more. A second time would not tell
 * more of a list that changes so much.
 */
export function readTwice(state: WalkState): WalkState {
  if (!state.isReadTwice) return readHead({ ...state, isReadTwice: true }, true);
  return end(state.owed > 0 ? withDoubt(state, 'growth-not-found') : state, 'confirmed');
}
