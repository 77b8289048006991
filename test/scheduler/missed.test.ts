import { expect, test } from 'vitest';
import { createDueTimes } from '../../src/scheduler/due-times.ts';

function due(expression: string, since: string, now: string, timezone = 'UTC'): boolean {
  const isDue = createDueTimes({ expression, timezone });
  return isDue(Date.parse(since), Date.parse(now));
}

test.each([
  ['17 3 * * *', '2026-05-01T03:17:00Z', '2026-05-01T23:00:00Z', false],
  ['17 3 * * *', '2026-05-01T03:16:59Z', '2026-05-01T03:17:00Z', true],
  ['17 3 * * *', '2026-05-01T10:00:00Z', '2026-05-02T03:30:00Z', true],
  ['17 3 * * *', '2026-05-01T10:00:00Z', '2026-05-02T03:10:00Z', false],
  ['*/30 * * * * *', '2026-05-01T10:00:01Z', '2026-05-01T10:00:29Z', false],
  ['*/30 * * * * *', '2026-05-01T10:00:01Z', '2026-05-01T10:00:30Z', true],
  ['0 9 * * 1', '2026-05-04T09:00:00Z', '2026-05-10T23:00:00Z', false],
  ['0 9 * * 1', '2026-05-04T09:00:00Z', '2026-05-11T09:00:00Z', true],
])('%s, last run %s, is due at %s: %s', (expression, since, now, expected) => {
  expect(due(expression, since, now)).toBe(expected);
});

test('the time zone of the schedule counts, over a change to summer time too', () => {
  // 03:17 in Zurich is 02:17 UTC in winter and 01:17 UTC in summer.
  expect(due('17 3 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:16:00Z', 'Europe/Zurich')).toBe(false);
  expect(due('17 3 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:17:00Z', 'Europe/Zurich')).toBe(true);
  // What a process missed that was away: 02:30 is skipped at 07:00Z, and 01:30 comes again at 06:30Z.
  const zone = 'America/New_York';
  expect(due('30 2 * * *', '2026-03-07T07:30:00Z', '2026-03-08T06:59:59Z', zone)).toBe(false);
  expect(due('30 2 * * *', '2026-03-07T07:30:00Z', '2026-03-08T12:00:00Z', zone)).toBe(true);
  expect(due('30 1 * * *', '2026-11-01T05:30:01Z', '2026-11-01T12:00:00Z', zone)).toBe(false);
  expect(due('*/30 * * * *', '2026-11-01T06:00:01Z', '2026-11-01T06:45:00Z', zone)).toBe(true);
});
