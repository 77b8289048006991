// How much of its list a sweep met: the figures, and the sentences about them for command, status and page.
import { type DoubtCode, doubtSentences, uncoveredByDoubt } from './doubts.ts';
import { counted, grouped } from './words.ts';

export interface Coverage {
  /** Number of different records met. */
  readonly met: number;
  /** Number of records in the list when its end was last confirmed; null when it never was. */
  readonly listLength: number | null;
  /** The highest position with a record, if nothing more is known of the list's length; else null. */
  readonly listShown: number | null;
  /** The sweep continued an interrupted one; `met` counts from there. */
  readonly isResumed: boolean;
}

export interface SweepClaim {
  readonly verified: boolean;
  /** Null for runs of earlier versions, which did not record it. */
  readonly coverage: Coverage | null;
  readonly doubts: readonly DoubtCode[];
}

/** What the doubts leave open, without duplicates. */
export function notCovered(doubts: readonly DoubtCode[]): readonly string[] {
  return [...new Set(doubts.map((doubt) => uncoveredByDoubt[doubt]))];
}

/** `met 3,905 of 5,000 records` */
export function coverageInWords({ met, listLength, listShown, isResumed }: Coverage): string {
  const since = isResumed ? ' since it was resumed' : '';
  if (listLength !== null && met <= listLength)
    return `met ${grouped(met)} of ${counted(listLength, 'record')}${since}`;
  if (listLength !== null)
    return `met ${counted(met, 'record')}${since} of a list that ended at ${grouped(listLength)}`;
  if (listShown !== null && met < listShown)
    return `met ${grouped(met)} of at least ${counted(listShown, 'record')}${since}`;
  return `met ${counted(met, 'record')}${since} of a list whose length is not known`;
}

/** What was met, the doubts, and what is not covered: `met 3,905 of 5,000 records; …; not covered: …`. */
function leftOpenInWords({ coverage, doubts }: Omit<SweepClaim, 'verified'>): string {
  const met = coverage === null ? [] : [coverageInWords(coverage)];
  const why = doubts.map((doubt) => doubtSentences[doubt]);
  const open = doubts.length === 0 ? [] : [`not covered: ${notCovered(doubts).join(', ')}`];
  return [...met, ...why, ...open].join('; ');
}

/** What speaks for the verdict, or what is left open; empty for a verified sweep without figures. */
export function evidenceInWords({ verified, ...claim }: SweepClaim): string {
  if (!verified) return leftOpenInWords(claim);
  const length = claim.coverage?.listLength ?? null;
  return length === null ? '' : `all ${counted(length, 'record')} in the list were read`;
}

/** `verified: all 5,000 records in the list were read`, or `not verified:` with what is left open. */
export function sweepInWords(claim: SweepClaim): string {
  const evidence = evidenceInWords(claim);
  if (!claim.verified) return `not verified: ${evidence}`;
  return evidence === '' ? 'verified' : `verified: ${evidence}`;
}
