// How much a walk may ask that gets nowhere. Every way in which a list can lead a walk in circles is counted here, and
// each has a bound, so that whatever the service answers, the requests of a walk are bounded by the records it met.
import type { DoubtCode } from '../../domain/doubts.ts';

const maxIdlePages = 20;
/** Pages in a row that are short and bring one new record at most: a list that grows at its end as it is read. */
const maxCrumbs = 60;
const maxFalseEnds = 200;
const maxFalseEndsHere = 20;
const quietEndAttempts = 10;
/** What a walk may ask before it has met anything: to probe the order, to search the overlap, to confirm the end. */
export const requestsInAdvance = 400;
/**
 * The smallest pages that can be joined bring one new record each. A record removed in front of the walk costs two more
 * requests and one that is inserted a page without anything new, so that a list may well change with every page.
 */
export const requestsPerRecord = 10;

/** What a walk has asked and met so far. */
export interface Budget {
  readonly requests: number;
  readonly pages: number;
  /** Pages in a row that continued the walk with nothing new. */
  readonly idlePages: number;
  /** Pages in a row that were shorter than others and brought a single new record. */
  readonly crumbs: number;
  /** Searches since the last page with something new: pages that are shorter than their overlap find no more. */
  readonly searchesInVain: number;
  readonly endAttempts: number;
  readonly falseEnds: number;
  /** False ends since the last that something new was found behind. */
  readonly falseEndsHere: number;
}

export const newBudget: Budget = {
  requests: 0,
  pages: 0,
  idlePages: 0,
  crumbs: 0,
  searchesInVain: 0,
  endAttempts: 0,
  falseEnds: 0,
  falseEndsHere: 0,
};

/** The walk asked for a page. One that was read ahead counts when the walk comes to it, and never if it is given up. */
export function asked(budget: Budget): Budget {
  return { ...budget, requests: budget.requests + 1 };
}

/** A page continued the walk with so many new records. */
export function joined(budget: Budget, fresh: number, isShort = false): Budget {
  return {
    ...budget,
    pages: budget.pages + 1,
    idlePages: fresh > 0 ? 0 : budget.idlePages + 1,
    crumbs: isShort && fresh <= 1 ? budget.crumbs + 1 : fresh > 1 ? 0 : budget.crumbs,
    searchesInVain: fresh > 0 ? 0 : budget.searchesInVain,
  };
}

/** A place where the walk had stood was searched, and found with so many new records behind it. */
export function found(budget: Budget, fresh: number, isShort = false): Budget {
  return {
    ...budget,
    pages: budget.pages + 1,
    crumbs: isShort && fresh <= 1 ? budget.crumbs + 1 : budget.crumbs,
    searchesInVain: fresh > 0 ? 0 : budget.searchesInVain + 1,
  };
}

/** An answer said that nothing follows, and it is going to be tested. */
export function endTried(budget: Budget): Budget {
  return { ...budget, endAttempts: budget.endAttempts + 1 };
}

/** The list may go on after all: so many new records stand behind the place that had looked like its end. */
export function endedFalsely(budget: Budget, fresh: number): Budget {
  return {
    ...budget,
    falseEnds: budget.falseEnds + 1,
    falseEndsHere: fresh > 0 ? 1 : budget.falseEndsHere + 1,
  };
}

/** The list never stands still at its end, so that less is asked of an answer to believe it. */
export function isEndRestless(budget: Budget): boolean {
  return budget.endAttempts > quietEndAttempts;
}

/**
 * Why the walk gives up, or null while it may go on.
 *
 * @param maxPages pages after which a list counts as growing faster than it is read
 * @param met records met
 */
export function exhausted(budget: Budget, maxPages: number, met: number): DoubtCode | null {
  const isOutrun = budget.idlePages > maxIdlePages || budget.crumbs > maxCrumbs;
  if (isOutrun || budget.pages > maxPages) return 'grew-faster';
  if (budget.searchesInVain > maxIdlePages) return 'overlap-too-short';
  if (budget.falseEndsHere > maxFalseEndsHere || budget.falseEnds > maxFalseEnds) return 'false-ends';
  if (budget.endAttempts > maxFalseEnds) return 'end-unsteady';
  return isSpent(budget, met) ? 'too-many-requests' : null;
}

/** Whether the walk has asked more than the records it met are worth. */
export function isSpent(budget: Budget, met: number): boolean {
  return budget.requests > requestsInAdvance + requestsPerRecord * met;
}
