// A sweep's claim to completeness: `verified` only if every step of the argument held, else a code per doubt.
import { z } from 'zod';
import { type Coverage, type DoubtCode, doubtSentences, notCovered } from '../../domain/doubts.ts';
import type { JsonObject } from '../../domain/json.ts';

const count = z.number().int().nonnegative().default(0);

/** The evidence of a walk, as stored in sync.positions and sync.runs. */
export const evidenceSchema = z.object({
  /** How many pages were accepted, and how many of them continued the page before without a gap. */
  pages: count,
  overlaps: count,
  /** By how many places the list grew and shrank during the walk, as far as the walk noticed. */
  grew: count,
  shrank: count,
  /** How many records the walk missed at first, and found when it read the head again. */
  found: count,
  /** How often the walk searched the overlap, and how often it started again. */
  searches: count,
  restarts: count,
  /** How often an answer said that the list had ended where it had not. */
  falseEnds: count,
  /** Length of the shortest page after which the list went on; 0 while there is none. */
  shortestCut: count,
  /** How many runs before this one walked a part of the same sweep. */
  resumed: count,
  /** Length of the longest page. */
  pageSize: count,
  records: count,
});

export type Evidence = Readonly<z.infer<typeof evidenceSchema>>;

/**
 * - `confirmed`: several answers agreed where the list ends
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
  /** The list's length when last confirmed, unreadable records included; null if never, or for several. */
  readonly length: number | null;
  /** Set by sweeps that count records. */
  readonly coverage?: Coverage;
}

const partlyRead: readonly DoubtCode[] = ['empty-once', 'growth-not-found', 'list-cut', 'filters-ignored'];

/** Whether the walk read the list from end to end, despite other doubts. */
export function wasReadToEnd({ end, doubts }: Verdict): boolean {
  if (doubts.some((doubt) => partlyRead.includes(doubt))) return false;
  return end !== 'unconfirmed' || doubts.includes('order-settled') || doubts.includes('short-settled');
}

/** Whether the walk has no doubts except undecodable records. */
export function coversWholeList({ end, doubts }: Verdict): boolean {
  return end !== 'unconfirmed' && doubts.every((doubt) => doubt === 'undecodable');
}

export function newEvidence(): Evidence {
  return evidenceSchema.parse({});
}

/** The verdict as stored in sync.runs: evidence, coverage, and each doubt by its code and in words. */
export function verdictToJson(verdict: Verdict): JsonObject {
  const { end, evidence, doubts, coverage } = verdict;
  return {
    end,
    ...evidence,
    ...(coverage && {
      met: coverage.met,
      list_length: coverage.listLength,
      list_shown: coverage.listShown,
      not_covered: notCovered(doubts),
    }),
    doubts: doubts.map((doubt) => doubtSentences[doubt]),
    doubt_codes: doubts,
  };
}

/** One verdict for several lists: verified when each is, with the doubts and the evidence of all. */
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

/** The verdict with further doubts. */
export function withDoubts(verdict: Verdict, doubts: readonly DoubtCode[]): Verdict {
  if (doubts.length === 0) return verdict;
  return { ...verdict, verified: false, doubts: [...new Set([...verdict.doubts, ...doubts])] };
}
