// A bound on how long an answer is waited for: what is late goes on by itself, and the caller says so instead of hanging.
import { sleep } from '../base/loop.ts';

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
