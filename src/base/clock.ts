// Monotonic time aligned to the database's clock, so that instants recorded by different processes are comparable
// and instants recorded by one process are ordered as the events were, whatever the machine's wall clock does.
import type { Instant } from '../domain/instant.ts';

export interface Clock {
  /** The present moment, as the database would tell it (exact to about half a round trip after `align`). */
  now(): Instant;
  /**
   * Moves the clock onto the database's, given what the database answered between two readings of `now`. Does nothing
   * while the difference is below `toleranceMs`, so that a running clock keeps the order of what it has told.
   */
  align(databaseTime: Instant, askedAt: Instant, answeredAt: Instant, toleranceMs?: number): void;
}

/** A clock over the process's monotonic timer, starting at the machine's wall time. */
export function createClock(monotonicMs: () => number = () => performance.now(), wallMs = Date.now()): Clock {
  let offset = wallMs - monotonicMs();
  const now = () => monotonicMs() + offset;
  return {
    now,
    align(databaseTime, askedAt, answeredAt, toleranceMs = 250) {
      const difference = databaseTime - (askedAt + answeredAt) / 2;
      if (Math.abs(difference) > toleranceMs) offset += difference;
    },
  };
}
