// Waiting for promises: for all of them, or for one within a bound.
import { sleep } from './loop.ts';

/**
 * Waits for everything that was begun before it reports the first failure, so that nothing goes on unwatched: like
 * Promise.all, but rejects only after every promise has settled, with the first error in order.
 */
export async function allSettled<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** What was waited for did not come within its bound. */
export class Late extends Error {
  override readonly name = 'Late';
}

/**
 * The outcome of the work if it comes in time.
 *
 * @throws Late when it does not; its later outcome is nobody's concern
 */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const late = sleep(ms, timer.signal).then(() => {
    throw new Late(`no answer within ${ms} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    work.catch(() => undefined);
  }
}
