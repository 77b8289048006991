// An abortable sleep, exponential backoff with jitter, and a loop that uses both.
import { setTimeout as delay } from 'node:timers/promises';

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The longest delay of a timer; a timer with a longer one fires at once. */
const longestMs = 2 ** 31 - 1;

/** Waits, at most 24 days; rejects with the signal's reason as soon as it is aborted. */
export const sleep: Sleep = async (ms, signal) => {
  signal.throwIfAborted();
  try {
    await delay(Math.min(ms, longestMs), undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

export interface BackoffBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Full-jitter exponential backoff: a random wait between 0 and min × 2^attempt, never above max. `runLoop`
 * adds min.
 *
 * @param attempt 0 before the first retry
 */
export function backoffMs(
  attempt: number,
  bounds: BackoffBounds,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(bounds.maxMs, bounds.minMs * 2 ** Math.min(attempt, 30));
  return Math.round(random() * ceiling);
}

export interface LoopOptions {
  /** One iteration; resolves to the pause before the next, in milliseconds. */
  readonly turn: (signal: AbortSignal) => Promise<number>;
  /**
   * Called after a failed iteration with the number of failures in a row; the loop continues after a backoff.
   */
  readonly onError: (error: unknown, failures: number) => void;
  readonly backoff: BackoffBounds;
  readonly signal: AbortSignal;
  readonly sleep?: Sleep;
}

/** Iterates until the signal is aborted; resolves once the last iteration has ended. Never rejects. */
export async function runLoop(options: LoopOptions): Promise<void> {
  const { turn, onError, backoff, signal, sleep: wait = sleep } = options;
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs: number;
    try {
      pauseMs = await turn(signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = backoff.minMs + backoffMs(failures, backoff);
      failures += 1;
      onError(error, failures);
    }
    await wait(pauseMs, signal).catch(() => undefined);
  }
}
