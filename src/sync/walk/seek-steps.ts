// The steps that find records by which the list grew in its middle. The offset of an anchor now, compared
// with its place in the walk, shows by how many records the list grew in front of it, so that halving finds
// where it grew. Invariant: each range still sought lies between two known places, and grew.
import { accountGrowth, countUnmet, type StepOf, shortage } from './ledger.ts';
import { confirmEnd, endWalk, readHead, withDoubt } from './moves.ts';
import { overlapFor } from './overlap.ts';
import type { Anchor, KnownPlace, PhaseOf, PlaceRange, WalkState } from './state.ts';

/** A search may take at least so many requests, or a fifth of the pages of the walk. */
const leastProbes = 20;

/** Seeks the unaccounted growth between a known place at the head and the end of the list. */
export function seekGrowth(state: WalkState, from: KnownPlace): WalkState {
  const to = { ordinal: state.length - state.drift, offset: state.length };
  return next(state, [{ from, to }].filter(hasGrown), 0);
}

/** The place of the last anchor on a page; the head of the list when the page holds none. */
export function knownPlaceOn(state: WalkState, offset: number, keys: readonly string[]): KnownPlace {
  const places = new Map(keys.map((key, index) => [key, index]));
  const anchor = state.anchors.findLast(({ key }) => places.has(key));
  if (anchor === undefined) return { ordinal: 0, offset: 0 };
  return { ordinal: anchor.ordinal, offset: offset + (places.get(anchor.key) ?? 0) };
}

export const onSeekPage: StepOf<'seek'> = (state, phase, view, { keys }) => {
  const met = accountGrowth(state, view, keys);
  const part = keys.length === 0 ? null : 'again';
  const probes = phase.probes + 1;
  const offset = phase.offset + keys.length - overlapFor(keys.length);
  if (met.unaccountedGrowth <= 0 && shortage(met, view, keys) === 0) {
    // New records that came during the search count as found too. So it reads on until a page holds none.
    const isAlone = countUnmet(view, keys) === 0;
    const onward = { ...phase, offset, anchor: null, probes };
    return { state: isAlone ? confirmEnd(met) : { ...met, phase: onward }, part };
  }
  const [range, ...others] = phase.ranges;
  if (range === undefined) return { state: readTwice(met), part };
  if (phase.anchor !== null)
    return { state: afterProbe(met, { ...phase, probes }, phase.anchor, keys), part };
  const isRead = keys.length === 0 || phase.offset + keys.length >= range.to.offset;
  if (isRead) return { state: next(met, others, probes), part };
  return { state: { ...met, phase: { ...phase, offset, probes } }, part };
};

/** The place of the anchor now halves the range. An anchor that is not found is dropped. */
function afterProbe(
  state: WalkState,
  { offset, ranges, probes }: PhaseOf<'seek'>,
  anchor: Anchor,
  keys: readonly string[],
): WalkState {
  const [range, ...others] = ranges;
  const index = keys.indexOf(anchor.key);
  if (range === undefined || index < 0) {
    const anchors = state.anchors.filter(({ key }) => key !== anchor.key);
    return next({ ...state, anchors }, ranges, probes);
  }
  const found: KnownPlace = { ordinal: anchor.ordinal, offset: offset + index };
  const halves = [
    { from: range.from, to: found },
    { from: found, to: range.to },
  ].filter(hasGrown);
  return next(state, [...halves, ...others], probes);
}

function hasGrown({ from, to }: PlaceRange): boolean {
  return to.offset - from.offset > to.ordinal - from.ordinal;
}

/** Asks for the anchor in the middle of the first range; reads the whole range when it has none. */
function next(state: WalkState, ranges: readonly PlaceRange[], probes: number): WalkState {
  const [range] = ranges;
  const most = Math.max(leastProbes, Math.ceil(state.evidence.pages / 5));
  if (range === undefined || probes >= most) return readTwice(state);
  const { from, to } = range;
  const size = state.evidence.pageSize;
  const within = state.anchors.filter(({ ordinal }) => ordinal > from.ordinal && ordinal < to.ordinal);
  const anchor = to.offset - from.offset > size ? within[within.length >> 1] : undefined;
  const place =
    anchor === undefined ? from.offset : from.offset + anchor.ordinal - from.ordinal - (size >> 1);
  const margin = anchor === undefined ? overlapFor(size) : 0;
  const offset = Math.max(0, place - margin);
  return { ...state, phase: { name: 'seek', offset, anchor: anchor ?? null, ranges, probes } };
}

/** The fallback when missing records are not found: reads the whole list again, but only once. */
export function readTwice(state: WalkState): WalkState {
  if (!state.isReadTwice) return readHead({ ...state, isReadTwice: true }, true);
  return endWalk(state.unaccountedGrowth > 0 ? withDoubt(state, 'growth-not-found') : state, 'confirmed');
}
