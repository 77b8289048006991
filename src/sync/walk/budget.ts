// The walk budget: how many requests a walk may make without progress. It counts each way in which a list can
// lead a walk in circles, and bounds it, so that its records bound its requests, whatever the service
// answers.
import type { DoubtCode } from '../../domain/doubts.ts';

const maxIdlePages = 20;
/** Short pages in a row with at most one new record each: a list that grows at its end while it is read. */
const maxShortPages = 60;
const maxFalseEnds = 200;
const maxFalseEndsHere = 20;
const quietEndAttempts = 10;
/** Requests that a walk may make before it met any record: order, overlap and end have to be found. */
export const requestsInAdvance = 400;
/**
 * The smallest pages that can overlap bring one new record each. A record that is removed in front of the
 * walk costs two more requests, and an inserted one costs a page without new records: ten requests allow a
 * list that changes with every third page, and with larger pages more often.
 */
export const requestsPerRecord = 10;

/** What a walk has spent so far. */
export interface Budget {
  readonly requests: number;
  readonly pages: number;
  /** Pages in a row that continued the walk with nothing new. */
  readonly idlePages: number;
  /** Pages in a row that were shorter than others and brought at most one new record. */
  readonly shortPages: number;
  /** Searches since the last page with a new record. Pages that are shorter than their overlap find none. */
  readonly searchesInVain: number;
  readonly endAttempts: number;
  readonly falseEnds: number;
  /** False ends since the last one with new records behind it. */
  readonly falseEndsHere: number;
}

export const newBudget: Budget = {
  requests: 0,
  pages: 0,
  idlePages: 0,
  shortPages: 0,
  searchesInVain: 0,
  endAttempts: 0,
  falseEnds: 0,
  falseEndsHere: 0,
};

/** The walk asked for a page. A page that was read ahead counts when the walk uses it. */
export function asked(budget: Budget): Budget {
  return { ...budget, requests: budget.requests + 1 };
}

/** A page continued the walk, with `fresh` new records. */
export function countJoined(budget: Budget, fresh: number, isShort = false): Budget {
  return {
    ...budget,
    pages: budget.pages + 1,
    idlePages: fresh > 0 ? 0 : budget.idlePages + 1,
    shortPages: isShort && fresh <= 1 ? budget.shortPages + 1 : fresh > 1 ? 0 : budget.shortPages,
    searchesInVain: fresh > 0 ? 0 : budget.searchesInVain,
  };
}

/** A search found the overlap, with `fresh` new records behind it. */
export function found(budget: Budget, fresh: number, isShort = false): Budget {
  return {
    ...budget,
    pages: budget.pages + 1,
    shortPages: isShort && fresh <= 1 ? budget.shortPages + 1 : budget.shortPages,
    searchesInVain: fresh > 0 ? 0 : budget.searchesInVain + 1,
  };
}

/** An answer said that the list ends here; the walk will check it. */
export function endTried(budget: Budget): Budget {
  return { ...budget, endAttempts: budget.endAttempts + 1 };
}

/** The list did not end there: `fresh` new records stand behind that place. */
export function endedFalsely(budget: Budget, fresh: number): Budget {
  return {
    ...budget,
    falseEnds: budget.falseEnds + 1,
    falseEndsHere: fresh > 0 ? 1 : budget.falseEndsHere + 1,
  };
}

/** Whether the end of the list keeps changing, so that weaker evidence for it has to suffice. */
export function isEndRestless(budget: Budget): boolean {
  return budget.endAttempts > quietEndAttempts;
}

/**
 * Why the walk gives up, or null while it may go on.
 *
 * @param maxPages after so many pages the list grows faster than it is read
 * @param met how many records the walk met
 */
export function exhausted(budget: Budget, maxPages: number, met: number): DoubtCode | null {
  const isOutrun = budget.idlePages > maxIdlePages || budget.shortPages > maxShortPages;
  if (isOutrun || budget.pages > maxPages) return 'grew-faster';
  if (budget.searchesInVain > maxIdlePages) return 'overlap-too-short';
  if (budget.falseEndsHere > maxFalseEndsHere || budget.falseEnds > maxFalseEnds) return 'false-ends';
  if (budget.endAttempts > maxFalseEnds) return 'end-unsteady';
  return isSpent(budget, met) ? 'too-many-requests' : null;
}

/** Whether the walk has made more requests than the records it met allow. */
export function isSpent(budget: Budget, met: number): boolean {
  return budget.requests > requestsInAdvance + requestsPerRecord * met;
}
