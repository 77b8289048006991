// Many processes beside one database and one service would all begin at the same second: each waits a little,
// by a share that comes from the name of its account, and is the same after each restart.
import { createHash } from 'node:crypto';
import { shortestGapMs } from './schedule-times.ts';

const secondsMs = 30_000;
const halfAnHourMs = 30 * 60_000;

/**
 * A number from 0 to below 1. The account `default` stands for one that is alone, and waits for nothing: 0.
 */
export function shareOf(account: string): number {
  if (account === 'default') return 0;
  return createHash('sha256').update(account).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * How far the ticks of an expression may be spread, in milliseconds: never beyond the next tick, half a
 * minute where it comes due often, a forty-eighth of the time between two ticks where it comes due rarely,
 * and half an hour at the most.
 */
export function spreadMs(expression: string): number {
  const gapMs = shortestGapMs(expression);
  return Math.min(gapMs, Math.max(secondsMs, Math.min(gapMs / 48, halfAnHourMs)));
}
