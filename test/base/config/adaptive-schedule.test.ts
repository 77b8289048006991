import { expect, test } from 'vitest';
import { parseAdaptive } from '../../../src/base/config/adaptive-schedule.ts';
import { cronExpression, cronOrAdaptive } from '../../../src/base/config/options.ts';

test('an adaptive schedule has a shortest and a longest pause', () => {
  expect(parseAdaptive('adaptive')).toEqual({ shortestMs: 5_000, longestMs: 60_000 });
  expect(parseAdaptive('adaptive 2-120')).toEqual({ shortestMs: 2_000, longestMs: 120_000 });
  expect(parseAdaptive('adaptive 30-30')).toEqual({ shortestMs: 30_000, longestMs: 30_000 });
  expect(parseAdaptive('*/5 * * * *')).toBeNull();
});

const form =
  'must be adaptive, or adaptive with its shortest and longest pause in whole seconds from 1 to 86400, such as adaptive 5-60';

test.each([
  ['adaptive 60-5', 'its shortest pause must not be above its longest: adaptive 5-60'],
  ['adaptive 0-5', form],
  ['adaptive 5', form],
  ['adaptive 5-', form],
  ['adaptive  5-60', form],
  ['adaptive 5s-60s', form],
  ['adaptive 5–60', form],
  ['adaptive 5-86401', form],
  ['adaptive 1.5-60', form],
  ['adaptively', form],
  ['Adaptive', form],
  ['"adaptive"', form],
  ['adaptiv', form],
])('%j is refused with what would be taken', (raw, fault) => {
  expect(parseAdaptive(raw)).toBeNull();
  expect(cronOrAdaptive(raw)).toEqual({ fault });
});

test('only a schedule of what is open and changes may be adaptive; each may be a cron expression or off', () => {
  expect(cronOrAdaptive('adaptive 2-9')).toEqual({ value: 'adaptive 2-9' });
  expect(cronOrAdaptive('*/5 * * * *')).toEqual({ value: '*/5 * * * *' });
  expect(cronOrAdaptive('off')).toEqual({ value: null });
  expect(cronOrAdaptive('every minute')).toEqual({
    fault: expect.stringMatching(/^must be a cron expression .* or off, or adaptive$/),
  });
  expect(cronExpression('adaptive')).toEqual({
    fault: expect.stringMatching(/; adaptive is for SCHEDULE_TRANSACTIONS alone$/),
  });
});
