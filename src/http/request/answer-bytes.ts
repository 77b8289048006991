// Whole answers that wait in memory until their clients have taken them: bounded in all, and each in time.
import type { Context } from 'hono';
import { abortResponse, outgoingOf } from './cut.ts';
import { rateLimited } from './refusal.ts';

/** Of all answers under way in this process; one alone may be larger. */
const mostBytes = 64 * 2 ** 20;
/** The longest time for a client to take a whole answer. */
const takeWithinMs = 60_000;

let bytesUnderWay = 0;

/**
 * Counts the answer until its connection has sent it.
 *
 * @throws Refused `rate-limited` when too much is under way already
 */
export function holdBytes(c: Context, bytes: number): void {
  const outgoing = outgoingOf(c);
  if (outgoing === undefined) return;
  if (bytesUnderWay > 0 && bytesUnderWay + bytes > mostBytes)
    throw rateLimited('clients have not yet taken the answers before this one', 5);
  bytesUnderWay += bytes;
  const timer = setTimeout(() => abortResponse(c, 'slow'), takeWithinMs).unref();
  outgoing.once('close', () => {
    clearTimeout(timer);
    bytesUnderWay -= bytes;
  });
}
