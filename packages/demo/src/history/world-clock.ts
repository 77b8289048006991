// The clock of the demo's world. It runs behind the real time while the history is made, and then shows the
// real time.
import type { Clock } from '../../../../src/base/clock.ts';
import type { Instant } from '../../../../src/domain/instant.ts';

export interface WorldClock {
  now(): Instant;
  /** Sets the clock back by so many milliseconds from the real time; it runs on from there. */
  setBehind(ms: number): void;
}

export function createWorldClock(): WorldClock {
  const offset = Date.now() - performance.now();
  let behind = 0;
  return {
    now: () => (behind === 0 ? Date.now() : performance.now() + offset - behind),
    setBehind(ms) {
      behind = ms;
    },
  };
}

/** The same clock for the jobs. It follows no other clock: that of the database is set together with it. */
export function asClock(world: WorldClock): Clock {
  return { now: world.now, follow: () => undefined };
}
