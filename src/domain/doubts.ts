// The reasons why a sweep cannot claim to be complete, and how much of its list it read, with their sentences
// for commands and pages. Code and SQL decide by the code of a doubt; people read its sentence.
import { counted, grouped } from './words.ts';

export const doubtSentences = {
  undecodable: 'some records could not be decoded; quarantine keeps their text with the reason',
  'head-unsteady':
    'the head of the list changed at each reading; larger pages (CUSTODY_PAGE_SIZE) or a quieter hour help',
  'growth-not-found':
    'the list seems to have grown in front of the read position, and the new records were not found there',
  'count-short': 'the list holds more records than the sweep read',
  'order-settled':
    'the order of the list differs from one request to the next; the last of several sweeps found nothing new',
  'order-unsettled':
    'the order of the list differs from one request to the next, and every sweep found new records',
  'short-settled': 'pages are too short to overlap; the last of several passes found nothing new',
  'offset-ignored': 'the service answers every offset with the same page',
  'end-cut':
    'pages are too short to show where the list ends, or it grew there at each reading; a quieter hour helps',
  'grew-faster':
    'the list grew as fast as it was read; larger pages (CUSTODY_PAGE_SIZE) or a quieter hour help',
  'overlap-too-short': 'pages are too short to overlap, and every pass found new records',
  'false-ends': 'the list ended at a different place each time',
  'end-unsteady': 'the end of the list kept changing',
  'too-many-requests': 'the list changed so much that it took more than ten requests for each record',
  'empty-once':
    'a list that was read is empty; a run an hour later has to confirm it, or sync --empty accepts it at once',
  'paging-lost': 'the service refused or ignored an offset that paged this list before',
  'details-denied': 'the service lists a vault whose id it calls unknown',
  'contents-differ': 'two answers showed one identifier with different contents; the last is kept',
  'list-cut': 'the service shows less in its list than under filters or by id: more may exist than was read',
  'filters-ignored':
    'the service shows only the beginning of its list, and its filters do nothing: more may exist',
} as const;

export type DoubtCode = keyof typeof doubtSentences;

/** What a sweep with this doubt may have missed. */
const uncoveredByDoubt: Readonly<Record<DoubtCode, string>> = {
  undecodable: 'the records in sync.quarantine',
  'head-unsteady': 'records that moved to the head of the list meanwhile',
  'growth-not-found': 'records added in front of the read position',
  'count-short': 'records that the list holds and the sweep did not read',
  'order-settled': 'what no pass through the list happened to show',
  'order-unsettled': 'what no pass through the list happened to show',
  'short-settled': 'what no pass through the list happened to show',
  'offset-ignored': 'what stands behind the first page',
  'end-cut': 'what stands behind the last place read',
  'grew-faster': 'what stands behind the last place read',
  'overlap-too-short': 'what no pass through the list happened to show',
  'false-ends': 'what stands behind the last place read',
  'end-unsteady': 'what stands behind the last place read',
  'too-many-requests': 'what stands behind the last place read',
  'empty-once': 'that whole list, if it is not empty',
  'paging-lost': 'what stands behind the first page',
  'details-denied': 'details that only the answers by id show',
  'contents-differ': 'the contents that are not kept, if they are of another record',
  'list-cut': 'what the service keeps back from its list',
  'filters-ignored': 'what the service keeps back from its list',
};

const doubtCodes = Object.keys(doubtSentences) as readonly DoubtCode[];

/** @returns null for a code that this version does not know */
export function doubtCode(stored: string): DoubtCode | null {
  return doubtCodes.find((code) => code === stored) ?? null;
}

export interface Coverage {
  /** Number of distinct records read. */
  readonly met: number;
  /** Number of records in the list when its end was last confirmed; null when it never was. */
  readonly listLength: number | null;
  /** The highest offset with a record while the list's length is unknown; else null. */
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

/** `read 3,905 of 5,000 records` */
export function coverageInWords({ met, listLength, listShown, isResumed }: Coverage): string {
  const since = isResumed ? ' since it was resumed' : '';
  if (listLength !== null && met <= listLength)
    return `read ${grouped(met)} of ${counted(listLength, 'record')}${since}`;
  if (listLength !== null)
    return `read ${counted(met, 'record')}${since} of a list that ended at ${grouped(listLength)}`;
  if (listShown !== null && met < listShown)
    return `read ${grouped(met)} of at least ${counted(listShown, 'record')}${since}`;
  return `read ${counted(met, 'record')}${since} of a list whose length is not known`;
}

/** What was read, the doubts, and what is not covered: `read 3,905 of 5,000 records; …; not covered: …`. */
function leftOpenInWords({ coverage, doubts }: Omit<SweepClaim, 'verified'>): string {
  if (coverage !== null && doubts.length === 1 && doubts[0] === 'filters-ignored')
    return `the service shows only the first ${grouped(coverage.met)} of its list, and its filters do nothing: ${counted(coverage.met, 'record')} were read, more may exist`;
  const met = coverage === null ? [] : [coverageInWords(coverage)];
  const why = doubts.map((doubt) => doubtSentences[doubt]);
  const open = doubts.length === 0 ? [] : [`not covered: ${notCovered(doubts).join(', ')}`];
  return [...met, ...why, ...open].join('; ');
}

/** The evidence for the verdict, or what it leaves open; empty for a verified sweep without figures. */
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
