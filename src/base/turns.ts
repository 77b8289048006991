// Long work on the main thread, in slices: between two, the event loop serves everything else.
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Turns {
  /** Whether the slice has taken long enough; asked about every hundred microseconds of work. */
  isDue(): boolean;
  /** Gives the event loop a turn. Rejects with the signal's reason when the work is to end. */
  next(): Promise<void>;
}

/** Some of what a slice calls takes several times as long as the slice. */
const sliceMs = 10;

export function createTurns(signal: AbortSignal): Turns {
  let began = performance.now();
  return {
    isDue: () => performance.now() - began >= sliceMs,
    async next() {
      await nextTurn();
      signal.throwIfAborted();
      began = performance.now();
    },
  };
}
