// Waiting for promises: for all of them, within a time, or until a signal is aborted.
import { setMaxListeners } from 'node:events';
import { MirrorError } from '../domain/errors.ts';
import type { Logger } from './logger.ts';

// The watchdog of the daemon and of every job: ends work that makes no progress, or that continues after a
// stop, whatever it waits for. It does not rely on lower layers: a library may hang and ignore its signal. A
// process in which something stalled ends, and its supervisor starts it again.

/**
 * The longest that one statement takes, including network time, a new connection and the wait for a free one.
 */
const longestStatementMs = 90_000;
/** A step may take this many times its own limits. */
const patience = 5;

/** How long work may make no progress: one attempt, the wait before the next one, and one statement. */
export function stallLimitMs({ timeoutMs = 0, retryMaxMs = 0 } = {}): number {
  return patience * (timeoutMs + 2 * retryMaxMs + longestStatementMs);
}

interface StallOptions {
  /** Names the work in the error. */
  readonly name: string;
  readonly limitMs: number;
  /** Any number that changes with each step: an answer, a statement, a slot of the limiter. */
  readonly progress: () => number;
  /** How long the work may take to end after a stop. Default 3 seconds: `run` waits for 4. */
  readonly stopsWithinMs?: number;
}

/**
 * How many checks for progress fit into the limit. It counts checks, not time: a process that was frozen for
 * an hour has checked once.
 */
const looks = 10;

/**
 * The outcome of the work. Its signal is aborted along with the given one, and when the work is abandoned.
 *
 * @param work `abandoned` is aborted when nobody waits for the work any more: from then on it must have no
 *   effect
 * @throws MirrorError `JOB-STALLED` when it makes no progress; the reason of the signal when it is aborted
 *   and the work does not end; a later outcome is ignored
 */
export async function unlessStalled<Value>(
  { name, limitMs, progress, stopsWithinMs = 3_000 }: StallOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal, abandoned: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abandoned = new AbortController();
  let seen = progress();
  let quiet = 0;
  const look = () => {
    const now = progress();
    quiet = now === seen ? quiet + 1 : 0;
    seen = now;
    if (quiet > looks) abandoned.abort(stalled(name, limitMs));
  };
  const looking = setInterval(look, limitMs / looks);
  try {
    return await withLinkedSignal([signal, abandoned.signal], (either) => {
      const working = () => unlessStopped(abandoned.signal, () => work(either, abandoned.signal));
      return unlessStopped(signal, working, stopsWithinMs);
    });
  } catch (error) {
    abandoned.abort(error);
    throw error;
  } finally {
    clearInterval(looking);
  }
}

function stalled(name: string, limitMs: number): MirrorError {
  const minutes = Math.max(1, Math.round(limitMs / 60_000));
  return new MirrorError(
    'JOB-STALLED',
    `${name} made no progress for ${minutes} min, far longer than its limits allow, and was aborted: the process ends, to be started again`,
  );
}

/**
 * Like Promise.all, but rejects only after every promise has settled, so that no work continues unobserved.
 *
 * @throws the first error, in the order of the promises
 */
export async function allSettled<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** The work exceeded its time limit. */
export class Late extends Error {
  override readonly name = 'Late';
}

/**
 * The outcome of the work, if it comes within `ms` milliseconds.
 *
 * @throws Late when it does not; a later outcome, failures included, is ignored
 */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Late(`no answer within ${ms} ms`)), ms);
  try {
    return await unlessStopped(late.signal, () => work);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the signal is aborted, at once if it already is. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * The outcome of the work, if it comes before the signal is aborted, or so many milliseconds later.
 *
 * @throws the reason of the signal otherwise; a later outcome of the work is ignored
 */
export async function unlessStopped<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  graceMs = 0,
): Promise<Value> {
  if (graceMs === 0) signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const end = () => reject(signal.reason);
    stop = () => {
      if (graceMs === 0) end();
      else timer = setTimeout(end, graceMs);
    };
    // Any number may wait for one signal; beyond ten, Node.js would warn of a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
  });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The result of the work; null when the signal ended it, because a stop is not a failure. */
export async function nullIfStopped<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
}

/**
 * Runs the work with a signal that is aborted when one of the sources is, with the same reason. It leaves no
 * listener on the sources, unlike AbortSignal.any in Node.js 20, which keeps a kilobyte per call as long as a
 * source lives.
 */
export async function withLinkedSignal<Value>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const links = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    // Many calls may share a source at the same time.
    setMaxListeners(0, source);
    source.addEventListener('abort', abort, { once: true });
    return { source, abort };
  });
  try {
    return await work(controller.signal);
  } finally {
    for (const { source, abort } of links) source.removeEventListener('abort', abort);
  }
}

interface Turn {
  /** Whether it goes ahead of work that already waits. */
  readonly takesNext?: boolean | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs tasks of one name, at most so many at a time, in the order in which they came. */
export function createQueues(most = 1) {
  interface Queue {
    /** Including tasks that were let in, so that nobody overtakes them. */
    underWay: number;
    readonly waiting: (() => void)[];
  }
  const queues = new Map<string, Queue>();
  const untilTurn = ({ waiting }: Queue, { takesNext, signal }: Turn) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      if (takesNext) waiting.unshift(begin);
      else waiting.push(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  return async <T>(name: string, turn: Turn, work: () => Promise<T>): Promise<T> => {
    turn.signal?.throwIfAborted();
    const queue = queues.get(name) ?? { underWay: 0, waiting: [] };
    queues.set(name, queue);
    if (queue.underWay < most) queue.underWay += 1;
    else await untilTurn(queue, turn);
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next === undefined) queue.underWay -= 1;
      else next();
      if (queue.underWay === 0) queues.delete(name);
    }
  };
}

/** Runs the work at most once at a time: callers that come meanwhile share its outcome. */
export function shareWork<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | null = null;
  return () => {
    running ??= Promise.resolve()
      .then(work)
      .finally(() => {
        running = null;
      });
    return running;
  };
}

// Releases resources in reverse order of their acquisition, under a deadline.

type Release = () => Promise<void> | void;

export interface Releasers {
  /** Adds a release function. It is called before those that were added earlier. */
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
        try {
          await within(leftMs, Promise.resolve().then(release));
        } catch (error) {
          if (error instanceof Late) {
            logger.warn({ released: name }, 'release outlasted the deadline');
          } else {
            errors.push(error);
            logger.warn({ released: name, err: error }, 'release failed');
          }
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
