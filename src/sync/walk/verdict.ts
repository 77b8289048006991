// What a sweep can claim of itself: `verified` only when every step of the argument held, and a code for each doubt.
import { z } from 'zod';
import { type Coverage, notCovered } from '../../domain/coverage.ts';
import { type DoubtCode, doubtSentences } from '../../domain/doubts.ts';
import type { JsonObject } from '../../domain/json.ts';

const count = z.number().int().nonnegative().default(0);

/** What a walk rests on, as it is kept in sync.positions and sync.runs. */
export const evidenceSchema = z.object({
  /** Pages accepted, and how many of them continued the page before without a gap. */
  pages: count,
  overlaps: count,
  /** Places by which the list was seen to grow and to shrink while it was walked. */
  grew: count,
  shrank: count,
  /** Records that were not met when the walk passed their place, and were found by reading the head again. */
  found: count,
  /** Times that a stretch was read again to find the overlap, and that the walk began anew. */
  searches: count,
  restarts: count,
  /** Times that an answer said the list had ended where it had not. */
  falseEnds: count,
  /** The shortest page behind which the list went on; 0 while there was none. */
  shortestCut: count,
  /** Runs before this one that walked a part of the same sweep. */
  resumed: count,
  /** The largest page received. */
  pageSize: count,
  records: count,
});

export type Evidence = Readonly<z.infer<typeof evidenceSchema>>;

/**
 * - `confirmed`: several answers agreed on where the list ends
 * - `empty`: it holds nothing
 * - `whole`: it came in one answer
 * - `unconfirmed`: the walk gave up
 */
export type ListEnd = 'confirmed' | 'empty' | 'whole' | 'unconfirmed';

export interface Verdict {
  readonly verified: boolean;
  readonly end: ListEnd;
  readonly evidence: Evidence;
  /** Why the sweep is not verified; empty when it is. */
  readonly doubts: readonly DoubtCode[];
  /** Records in the list, unreadable ones included, when its end was last confirmed; null where it never was, and over several lists. */
  readonly length: number | null;
  /** Where the sweep counts what it met. */
  readonly coverage?: Coverage;
}

/** Whether the list was read from one end to the other, as far as can be told, whatever else is in doubt. */
export function isReadWhole({ end, doubts }: Verdict): boolean {
  if (doubts.includes('empty-once') || doubts.includes('growth-not-found')) return false;
  return end !== 'unconfirmed' || doubts.includes('order-settled') || doubts.includes('short-settled');
}

/** Whether the walk leaves no doubt but records that could not be decoded. */
export function isWalkedWhole({ end, doubts }: Verdict): boolean {
  return end !== 'unconfirmed' && doubts.every((doubt) => doubt === 'undecodable');
}

export function newEvidence(): Evidence {
  return evidenceSchema.parse({});
}

/** The verdict as it is kept in sync.runs: what was met of how much, and each doubt by its code and in words. */
export function verdictToJson(verdict: Verdict): JsonObject {
  const { end, evidence, doubts, coverage } = verdict;
  return {
    end,
    ...evidence,
    ...(coverage === undefined ? {} : coverageToJson(coverage, doubts)),
    doubts: doubts.map((doubt) => doubtSentences[doubt]),
    doubt_codes: doubts,
  };
}

function coverageToJson({ met, listLength, listShown }: Coverage, doubts: readonly DoubtCode[]): JsonObject {
  return { met, list_length: listLength, list_shown: listShown, not_covered: notCovered(doubts) };
}

/** One verdict over several lists: verified when each is, with the doubts and the evidence of all. */
export function combineVerdicts(verdicts: readonly Verdict[]): Verdict {
  const names = Object.keys(evidenceSchema.shape) as (keyof Evidence)[];
  const sum = (name: keyof Evidence) => verdicts.reduce((total, { evidence }) => total + evidence[name], 0);
  const evidence = evidenceSchema.parse(Object.fromEntries(names.map((name) => [name, sum(name)])));
  return {
    verified: verdicts.every((verdict) => verdict.verified),
    end: verdicts.find((verdict) => verdict.end === 'unconfirmed')?.end ?? verdicts[0]?.end ?? 'unconfirmed',
    evidence: { ...evidence, pageSize: Math.max(0, ...verdicts.map((verdict) => verdict.evidence.pageSize)) },
    doubts: [...new Set(verdicts.flatMap((verdict) => verdict.doubts))],
    length: null,
  };
}

/** The verdict with further doubts; the same where there are none. */
export function withDoubts(verdict: Verdict, doubts: readonly DoubtCode[]): Verdict {
  if (doubts.length === 0) return verdict;
  return { ...verdict, verified: false, doubts: [...new Set([...verdict.doubts, ...doubts])] };
}
