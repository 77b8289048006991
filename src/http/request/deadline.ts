// The time that the work on a request may take. When it is over, or when the client is gone, the work's
// signal is aborted, so that its statement is cancelled and its connection goes back to the pool.
import type { Context } from 'hono';
import { unlessStopped, withLinkedSignal } from '../../base/waiting.ts';
import { ClientGone, Refused } from './refusal.ts';

/** How long a refused client should wait before it repeats the request, in seconds. */
const retryAfter = '5';

/**
 * The outcome of the work.
 *
 * @param work hands its signal on to the database (`TransactionOptions.signal`)
 * @throws Refused `timeout` after so many milliseconds; ClientGone when the connection was closed
 */
export async function withDeadline<Value>(
  c: Context,
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const client = c.req.raw.signal;
  const late = AbortSignal.timeout(ms);
  try {
    return await withLinkedSignal([client, late], (signal) => unlessStopped(signal, () => work(signal)));
  } catch (error) {
    if (client.aborted) throw new ClientGone('the client closed the connection');
    if (!late.aborted) throw error;
    throw new Refused({
      kind: 'timeout',
      detail: `this response took longer than ${ms / 1000} s: request less, such as a shorter time or fewer records, or try again later`,
      headers: { 'retry-after': retryAfter },
    });
  }
}
