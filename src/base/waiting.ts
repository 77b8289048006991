// Waiting for promises: for all of them, within a time, or until a signal is aborted.
import { setMaxListeners } from 'node:events';
import { sleep } from './loop.ts';

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
  const timer = new AbortController();
  const late = sleep(ms, timer.signal).then(() => {
    throw new Late(`no answer within ${ms} ms`);
  });
  // Either may fail when nobody waits for it any more.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
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
 * The outcome of the work, if it comes before the signal is aborted.
 *
 * @throws the reason of the signal as soon as it is aborted; a later outcome of the work is ignored
 */
export async function unlessStopped<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    // Any number may wait for one signal; beyond ten, Node.js would warn of a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The outcome of the work, if it comes within `ms` milliseconds after the signal is aborted.
 *
 * @throws the reason of the signal when it does not; a later outcome is ignored
 */
export async function unlessOverdue<Value>(
  signal: AbortSignal,
  ms: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController();
  const overdue = untilAborted(signal).then(async () => {
    await sleep(ms, ended.signal);
    throw signal.reason;
  });
  overdue.catch(() => undefined);
  try {
    return await Promise.race([work(), overdue]);
  } finally {
    ended.abort();
  }
}

/** The result of the work; null when the signal ended it, because a stop is no failure. */
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

/** Starts each work when the earlier ones under the same name have settled. */
export function createQueues() {
  /** Waiting works, by name; no entry while nobody has the turn. */
  const queues = new Map<string, (() => void)[]>();
  return async <T>(name: string, takesNext: boolean, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, []);
    else await new Promise<void>((begin) => (takesNext ? queue.unshift(begin) : queue.push(begin)));
    try {
      return await work();
    } finally {
      const next = queues.get(name)?.shift();
      if (next === undefined) queues.delete(name);
      else next();
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
