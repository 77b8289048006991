// Monotonic time aligned to the clock of the database. So the times that different processes record can be
// compared, and the times of one process have the order of the events, whatever the machine's wall clock
// does.
import type { Instant } from '../domain/instant.ts';

export interface Clock {
  /** The present time of the database, exact to about half a round trip after `align`. */
  now(): Instant;
  /**
   * Sets the clock to the time of the database. Does nothing when that time lies between the question and the
   * answer, or up to `toleranceMs` outside: then the clocks may agree.
   *
   * @param ask asks the database for its time; null when there is none
   * @returns by how many milliseconds the clock was set back while somebody kept the order; else 0
   */
  align(ask: () => Promise<Instant | null>, toleranceMs?: number): Promise<number>;
  /**
   * Keeps the order of events until the returned function is called: `now` never gives an earlier time than
   * before. A clock that was set back a little nearly stands still. A clock that was more than
   * `maxStandstillMs` ahead is set back at once: times recorded before are then wrong, so `onSetBack` is
   * called and the caller must not use them.
   */
  keepOrder(onSetBack?: () => void): () => void;
}

/** The step between two times while the clock nearly stands still. */
const leastStepMs = 0.001;

/** The longest standstill. After a day of it, all times would be of tomorrow. */
const maxStandstillMs = 5_000;

/** A clock over the process's monotonic timer, starting at the machine's wall time. */
export function createClock(monotonicMs: () => number = () => performance.now(), wallMs = Date.now()): Clock {
  let offset = wallMs - monotonicMs();
  /** The latest time given while somebody keeps the order. */
  let latest = Number.NEGATIVE_INFINITY;
  const keepers = new Set<() => void>();
  const setBack = () => {
    const byMs = latest - (monotonicMs() + offset);
    if (keepers.size === 0 || byMs <= maxStandstillMs) return 0;
    latest = Number.NEGATIVE_INFINITY;
    for (const tell of keepers) tell();
    return byMs;
  };
  return {
    now() {
      const moment = monotonicMs() + offset;
      if (keepers.size === 0) return moment;
      latest = moment >= latest ? moment : latest + leastStepMs;
      return latest;
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
      if (keepers.size === 0) latest = Number.NEGATIVE_INFINITY;
      // A new function for each call, because the set would merge equal ones.
      const keeper = () => onSetBack();
      keepers.add(keeper);
      return () => {
        keepers.delete(keeper);
      };
    },
  };
}
