// Releasing what was acquired, last in, first out, under a deadline; and turning signals of the operating system into
// one abort: the first asks for a graceful stop, the second stops at once.
import type { Logger } from './logger.ts';

export type Release = () => Promise<void> | void;

export interface Releasers {
  /** Adds a release function, called before those added earlier. */
  add(name: string, release: Release): void;
  /** Calls every release function once; rejects with the first error after all have been called. */
  releaseAll(deadlineMs: number): Promise<void>;
}

export function createReleasers(logger: Logger): Releasers {
  const stack: { readonly name: string; readonly release: Release }[] = [];
  return {
    add(name, release) {
      stack.push({ name, release });
    },
    async releaseAll(deadlineMs) {
      const deadline = performance.now() + deadlineMs;
      const errors: unknown[] = [];
      for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
        const { name, release } = entry;
        const leftMs = Math.max(0, deadline - performance.now());
        const outcome = await settleWithin(Promise.resolve().then(release), leftMs);
        if (outcome.kind === 'failed') {
          errors.push(outcome.error);
          logger.warn({ released: name, err: outcome.error }, 'release failed');
        } else if (outcome.kind === 'late') {
          logger.warn({ released: name }, 'release outlasted the deadline');
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}

type Outcome = { kind: 'done' } | { kind: 'failed'; error: unknown } | { kind: 'late' };

async function settleWithin(work: Promise<void>, ms: number): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), ms);
  });
  const settled = work.then(
    (): Outcome => ({ kind: 'done' }),
    (error: unknown): Outcome => ({ kind: 'failed', error }),
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The reason of the abort that `onStopSignals` raises. */
export class StopRequested extends Error {
  override readonly name = 'AbortError';

  constructor(reason: string) {
    super(`stopped: ${reason}`);
  }
}

/**
 * The outcome of the work, or a rejection with the signal's reason as soon as it is aborted: what the work comes to then
 * is nobody's concern.
 */
export async function unlessStopped<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Aborts the controller at the first SIGTERM or SIGINT and calls `atOnce` at the second.
 *
 * @returns a function that takes the handlers away again
 */
export function onStopSignals(
  controller: AbortController,
  atOnce: (signal: NodeJS.Signals) => void,
): () => void {
  const handler = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) atOnce(signal);
    else controller.abort(new StopRequested(signal));
  };
  const names = ['SIGTERM', 'SIGINT'] as const;
  for (const name of names) process.on(name, handler);
  return () => {
    for (const name of names) process.off(name, handler);
  };
}
