import { afterEach, expect, test, vi } from 'vitest';
import { longestGapMs } from '../../src/scheduler/due-times.ts';
import { sampled } from '../support/form.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const schedules: readonly [expression: string, longestGap: number][] = [
  ['*/30 * * * * *', minute / 2],
  ['*/5 * * * *', 5 * minute],
  ['*/7 * * * *', 7 * minute],
  ['17 3 * * *', day],
  ['0 6 * * 1', 7 * day],
  // From Friday 18:45 to Monday 08:00.
  ['*/15 8-18 * * 1-5', 3 * day - 10.75 * 60 * minute],
  ['0 0 1 * *', 31 * day],
  ['0 0 1 */3 *', 92 * day],
];

afterEach(() => vi.useRealTimers());

const moments = [
  '2026-11-21T22:00:00Z',
  '2026-11-24T12:00:00Z',
  '2028-02-29T00:00:00Z',
  '2026-12-31T23:58:00Z',
];

test.each(sampled(moments, { every: 4 }))('how long schedules rest is the same when asked at %s', (now) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  for (const [expression, longestGap] of schedules)
    expect(longestGapMs(expression), expression).toBe(longestGap);
  // It does not come due within every 400 days.
  expect(longestGapMs('0 0 29 2 *')).toBeGreaterThan(199 * day);
});
