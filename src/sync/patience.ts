// How long a walk goes on that gets nowhere. Every way in which a list can lead a walk in circles is counted here, and
// each has a bound, so that whatever the service answers the requests of a walk are bounded by the records it met.
import type { SweepEvidence } from './verdict.ts';

const maxIdlePages = 20;
const maxFalseEnds = 200;
const maxFalseEndsHere = 20;
const quietEndAttempts = 10;
/** What a walk may ask before it has met anything, for probing the order, searching a joint and making sure of the end. */
const requestsInAdvance = 400;
/**
 * The smallest pages that can be joined bring one new record each. A record removed before the walk's place costs two more
 * requests and one that is inserted a page without anything new, so that a list may well change with every page.
 */
const requestsPerRecord = 10;

export interface Patience {
  /**
   * The walk asks for a page. One that was read ahead counts when the walk comes to it, and never if it is given up: with small
   * pages of a list that moves, most are, and their number is bounded by that of the others.
   */
  ask(): void;
  /** A page continued the walk with so many new records. */
  join(fresh: number): void;
  /** A place where the walk had stood was looked for, and found with so many new records behind it. */
  find(fresh: number): void;
  /** An answer said that nothing follows, and it is going to be tested. */
  tryEnd(): void;
  /** The list went on after all, or not: so many new records stand behind the place that had looked like its end. */
  endFalsely(fresh: number): void;
  /** The list never stands still at its end, so that less is asked of an answer to believe it. */
  isEndRestless(): boolean;
  /** Why the walk gives up, or null while it may go on. */
  exhausted(): string | null;
}

/** @param maxPages pages after which a list counts as growing faster than it is read */
export function createPatience(evidence: SweepEvidence, maxPages: number): Patience {
  let requests = 0;
  let pages = 0;
  let freshRecords = 0;
  let idlePages = 0;
  /** Searches since the last page with something new: pages that have become shorter than their overlap find no more. */
  let searchesInVain = 0;
  let endAttempts = 0;
  /** False ends since the last that something new was found behind. */
  let falseEndsHere = 0;

  return {
    ask() {
      requests += 1;
    },
    join(fresh) {
      pages += 1;
      freshRecords += fresh;
      idlePages = fresh > 0 ? 0 : idlePages + 1;
      if (fresh > 0) searchesInVain = 0;
    },
    find(fresh) {
      pages += 1;
      freshRecords += fresh;
      searchesInVain = fresh > 0 ? 0 : searchesInVain + 1;
    },
    tryEnd() {
      endAttempts += 1;
    },
    endFalsely(fresh) {
      evidence.falseEnds += 1;
      freshRecords += fresh;
      falseEndsHere = fresh > 0 ? 1 : falseEndsHere + 1;
    },
    isEndRestless: () => endAttempts > quietEndAttempts,
    exhausted() {
      if (idlePages > maxIdlePages || pages > maxPages) return 'the list grew faster than it could be read';
      if (searchesInVain > maxIdlePages) return 'pages became too short to join them to each other';
      if (falseEndsHere > maxFalseEndsHere || evidence.falseEnds > maxFalseEnds)
        return 'the list kept ending where it had not ended';
      if (endAttempts > maxFalseEnds) return 'the list kept changing where it ended';
      if (requests > requestsInAdvance + requestsPerRecord * freshRecords)
        return 'the list took more requests than its records are worth';
      return null;
    },
  };
}
