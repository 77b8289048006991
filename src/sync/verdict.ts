// What a sweep can claim of itself: `verified` only when every step of the argument held, and each doubt in words.
import type { JsonObject } from '../domain/json.ts';

export interface SweepEvidence {
  /** Pages accepted, and how many of them continued the page before without a gap. */
  pages: number;
  joints: number;
  /** Places by which the list was seen to grow and to shrink while it was walked. */
  grew: number;
  shrank: number;
  /** Times that an overlap was lost and searched for, and that the walk began anew. */
  searches: number;
  restarts: number;
  /** Times that an answer said the list had ended where it had not. */
  falseEnds: number;
  /** The shortest page behind which the list went on; 0 while there was none. */
  shortestCut: number;
  /** Runs before this one that walked a part of the same sweep. */
  resumed: number;
  /** The largest page received. */
  pageSize: number;
  records: number;
}

export type ListEnd = 'confirmed' | 'empty' | 'whole' | 'unconfirmed';

export interface Verdict {
  readonly verified: boolean;
  readonly end: ListEnd;
  readonly evidence: Readonly<SweepEvidence>;
  /** Why the sweep is not verified, one sentence each; empty when it is. */
  readonly doubts: readonly string[];
}

/** The doubt of a list that cannot be walked, and was read again and again until nothing new was found. */
export const settledDoubt =
  'the order of the list differs from one request to the next; the last of several sweeps found nothing new';

/** Whether the list was read from one end to the other, as far as can be told, whatever else is in doubt. */
export function isReadWhole({ end, doubts }: Verdict): boolean {
  return end !== 'unconfirmed' || doubts.includes(settledDoubt);
}

export function newEvidence(): SweepEvidence {
  return {
    pages: 0,
    joints: 0,
    grew: 0,
    shrank: 0,
    searches: 0,
    restarts: 0,
    falseEnds: 0,
    shortestCut: 0,
    resumed: 0,
    pageSize: 0,
    records: 0,
  };
}

const evidenceNames = [
  'pages',
  'joints',
  'grew',
  'shrank',
  'searches',
  'restarts',
  'falseEnds',
  'shortestCut',
  'resumed',
  'pageSize',
  'records',
] as const satisfies readonly (keyof SweepEvidence)[];

/** The verdict as it is kept in sync.runs. */
export function verdictToJson(verdict: Verdict): JsonObject {
  return { end: verdict.end, ...verdict.evidence, doubts: verdict.doubts };
}

/** One verdict over several lists: verified when each is, with the doubts and the evidence of all. */
export function combineVerdicts(verdicts: readonly Verdict[]): Verdict {
  const evidence = newEvidence();
  for (const verdict of verdicts) {
    for (const name of evidenceNames) {
      evidence[name] =
        name === 'pageSize'
          ? Math.max(evidence[name], verdict.evidence[name])
          : evidence[name] + verdict.evidence[name];
    }
  }
  return {
    verified: verdicts.every((verdict) => verdict.verified),
    end: verdicts.find((verdict) => verdict.end === 'unconfirmed')?.end ?? verdicts[0]?.end ?? 'unconfirmed',
    evidence,
    doubts: [...new Set(verdicts.flatMap((verdict) => verdict.doubts))],
  };
}

/** The verdict with further doubts; the same where there are none. */
export function withDoubts(verdict: Verdict, doubts: readonly string[]): Verdict {
  if (doubts.length === 0) return verdict;
  return { ...verdict, verified: false, doubts: [...new Set([...verdict.doubts, ...doubts])] };
}
