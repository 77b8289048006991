import { afterEach, expect, test, vi } from 'vitest';
import { longestGapMs, runsPerHour } from '../../src/scheduler/schedule-times.ts';
import { sampled } from '../support/form.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const year = 365.25 * 24;

const schedules: readonly [expression: string, perHour: number, longestGap: number][] = [
  ['*/30 * * * * *', 120, minute / 2],
  ['*/5 * * * *', 12, 5 * minute],
  ['*/7 * * * *', 9, 7 * minute],
  ['17 3 * * *', 1 / 24, day],
  ['0 6 * * 1', 1 / (7 * 24), 7 * day],
  // Eleven hours on five days of seven; from Friday 18:45 to Monday 08:00.
  ['*/15 8-18 * * 1-5', (4 * 11 * 5) / (7 * 24), 3 * day - 10.75 * 60 * minute],
  ['0 0 1 * *', 12 / year, 31 * day],
  ['0 0 29 2 *', 0.25 / year, 1461 * day],
];

afterEach(() => vi.useRealTimers());

const moments = [
  '2026-11-21T22:00:00Z',
  '2026-11-24T12:00:00Z',
  '2028-02-29T00:00:00Z',
  '2026-12-31T23:58:00Z',
];

test.each(sampled(moments, { every: 4 }))(
  'how often schedules come due, and how long they rest, is the same when asked at %s',
  (now) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
    for (const [expression, perHour, longestGap] of schedules) {
      expect(runsPerHour(expression), expression).toBeCloseTo(perHour, 10);
      expect(longestGapMs(expression), expression).toBe(longestGap);
    }
  },
);
