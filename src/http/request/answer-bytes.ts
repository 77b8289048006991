// Whole answers that wait in memory until their clients have taken them: bounded in all, and each in time.
import type { Context } from 'hono';
import type { AccessEnv } from './environment.ts';
import { Refused } from './refusal.ts';

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
  const outgoing = (c.env as Partial<AccessEnv['Bindings']> | undefined)?.outgoing;
  if (outgoing === undefined) return;
  if (bytesUnderWay > 0 && bytesUnderWay + bytes > mostBytes)
    throw new Refused({
      kind: 'rate-limited',
      detail: 'clients have not yet taken the answers before this one: try again in 5 s',
      headers: { 'retry-after': '5' },
    });
  bytesUnderWay += bytes;
  const timer = setTimeout(() => {
    c.get('onCut')?.('slow');
    outgoing.socket?.resetAndDestroy();
  }, takeWithinMs).unref();
  outgoing.once('close', () => {
    clearTimeout(timer);
    bytesUnderWay -= bytes;
  });
}
