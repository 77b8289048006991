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
import { z } from 'zod';
import { doubtCode } from '../../domain/doubts.ts';
import type { JsonObject } from '../../domain/json.ts';
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
import { noteRepeatedKeys, type StepOf, shortage, type WalkView } from './ledger.ts';
import { giveUp, nextPage, sweepUnordered, withDoubt } from './moves.ts';
import { onSeekPage } from './seek-steps.ts';
import type { Phase, Step, WalkAnswer, WalkState } from './state.ts';
import { evidenceSchema, newEvidence, type Verdict } from './verdict.ts';

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
  // A reading of the head may have been interrupted before the records that moved there.
  const resumed = { ...stored, evidence, isOrderProbed: true, budget: newBudget, headReadings: 0 };
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
  const step = stepOf(state.phase.name, known, state.phase, view, answer);
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

const steps: { readonly [Name in Phase['name']]: StepOf<Name> } = {
  first: onFirstPage,
  'probe-order': onProbeOrderPage,
  forward: onForwardPage,
  'probe-offset': onProbeOffsetPage,
  search: onSearchPage,
  'before-end': onBeforeEndPage,
  'after-end': onAfterEndPage,
  'all-gone': onAllGonePage,
  head: onHeadPage,
  'after-head': onAfterHeadPage,
  seek: onSeekPage,
  unordered: onUnorderedPage,
  whole: onWholePage,
  ended() {
    throw new Error('a walk that has ended asks nothing');
  },
};

function stepOf<Name extends Phase['name']>(name: Name, ...asked: Parameters<StepOf<Name>>): Step {
  return steps[name](...asked);
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

// The position of a walk in sync.positions: writes it as JSON, and checks what it reads back.

const count = z.number().int().nonnegative();
const keys = z.array(z.string());

const positionSchema = z.object({
  // The offset may be negative: the list may have shrunk in front of the window.
  window: z.object({ offset: z.number().int(), keys }),
  received: count,
  head: keys,
  evidence: evidenceSchema,
  doubts: z.array(
    z.string().transform((stored, context) => {
      const code = doubtCode(stored);
      if (code !== null) return code;
      context.addIssue({ code: 'custom', message: 'a doubt that this version does not know' });
      return z.NEVER;
    }),
  ),
  // Without defaults: a position that lacks them would resume with a claim it cannot make. The sweep begins
  // anew.
  unaccountedGrowth: z.number().int(),
  departed: keys,
  isClamped: z.boolean().default(false),
});

export function walkPositionToJson(walk: WalkState): JsonObject {
  const { window, received, head, evidence, doubts, unaccountedGrowth, departed, isClamped } = walk;
  const place = { window: { ...window }, received, head, unaccountedGrowth, departed, isClamped };
  return { ...place, evidence: { ...evidence }, doubts };
}

/** @returns null for a position that this version cannot read */
export function walkPositionFromJson(json: unknown): WalkState | null {
  const result = positionSchema.safeParse(json);
  return result.success ? { ...newWalk(), ...result.data } : null;
}
