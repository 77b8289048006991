// Monotonic time aligned to the database's clock, so that instants recorded by different processes are comparable
// and instants recorded by one process are ordered as the events were, whatever the machine's wall clock does.
import type { Instant } from '../domain/instant.ts';

export interface Clock {
  /** The present moment, as the database would tell it (exact to about half a round trip after `align`). */
  now(): Instant;
  /**
   * Moves the clock onto the database's. Does nothing where the database's time lay between the question and the answer, or
   * no further outside than `toleranceMs`: there the two clocks may agree, and a running clock keeps its pace.
   *
   * @param ask asks the database for its time; null when it told none
   * @returns by how much the clock was set back although somebody relied on the order; 0 where it was not
   */
  align(ask: () => Promise<Instant | null>, toleranceMs?: number): Promise<number>;
  /**
   * Until the function given back is called, no moment is told that is earlier than one told before: a clock that was moved
   * back a little stands nearly still. Else an answer from before the move would count as later than an answer from after it.
   * A clock that was more than `mostStandstillMs` ahead is set back at once: what was timed before is then wrong, and
   * `onSetBack` is called, after which whoever kept the order must not use it.
   */
  keepOrder(onSetBack?: () => void): () => void;
}

/** By how much moments still differ while the clock stands nearly still. */
const leastStepMs = 0.001;

/** The longest that the clock stands nearly still: standing for a day, it would date everything to tomorrow. */
const mostStandstillMs = 5_000;

/** A clock over the process's monotonic timer, starting at the machine's wall time. */
export function createClock(monotonicMs: () => number = () => performance.now(), wallMs = Date.now()): Clock {
  let offset = wallMs - monotonicMs();
  /** The latest moment told while somebody relies on the order. */
  let told = Number.NEGATIVE_INFINITY;
  const keepers = new Set<() => void>();
  const setBack = () => {
    const byMs = told - (monotonicMs() + offset);
    if (keepers.size === 0 || byMs <= mostStandstillMs) return 0;
    told = Number.NEGATIVE_INFINITY;
    for (const tell of keepers) tell();
    return byMs;
  };
  return {
    now() {
      const moment = monotonicMs() + offset;
      if (keepers.size === 0) return moment;
      told = moment >= told ? moment : told + leastStepMs;
      return told;
    },
    async align(ask, toleranceMs = 250) {
      const asked = monotonicMs();
      const databaseTime = await ask();
      const answered = monotonicMs();
      if (databaseTime === null) return 0;
      const isBefore = databaseTime < asked + offset - toleranceMs;
      const isAfter = databaseTime > answered + offset + toleranceMs;
      if (isBefore || isAfter) offset = databaseTime - (asked + answered) / 2;
      return setBack();
    },
    keepOrder(onSetBack = () => {}) {
      if (keepers.size === 0) told = Number.NEGATIVE_INFINITY;
      // A function of its own for each, so that none is let go for another.
      const keeper = () => onSetBack();
      keepers.add(keeper);
      return () => {
        keepers.delete(keeper);
      };
    },
  };
}
