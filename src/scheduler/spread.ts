// Many processes on one database and one service would all start in the same second: each is delayed by a
// share derived from its account's name, which is the same after every restart.
import { createHash } from 'node:crypto';
import { shortestGapMs } from './schedule-times.ts';

const secondsMs = 30_000;
const halfAnHourMs = 30 * 60_000;

/** A number from 0 to below 1. The account `default` is taken for the only one and is not delayed: 0. */
export function shareOf(account: string): number {
  if (account === 'default') return 0;
  return createHash('sha256').update(account).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * How far the ticks of an expression may be spread, in milliseconds: never beyond the next tick; half a
 * minute for frequent schedules, a forty-eighth of the interval for rare ones, and half an hour at most.
 */
export function spreadMs(expression: string): number {
  const gapMs = shortestGapMs(expression);
  return Math.min(gapMs, Math.max(secondsMs, Math.min(gapMs / 48, halfAnHourMs)));
}
