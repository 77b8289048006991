import { expect, test } from 'vitest';
import { endOf, fieldMoment, lastEnds } from '../../../../src/http/pages/view/days.ts';

test.each([
  ['2026-11-23T06:00:00Z', 'UTC', ['2026-11-22', '2026-10-31', '2026-09-30', '2025-12-31']],
  // In Auckland it is the first of January already.
  ['2026-12-31T11:30:00Z', 'Pacific/Auckland', ['2026-12-31', '2026-12-31', '2026-12-31', '2026-12-31']],
  ['2026-03-31T22:30:00Z', 'Europe/Zurich', ['2026-03-31', '2026-03-31', '2026-03-31', '2025-12-31']],
])('the last days of the periods before %s in %s', (now, zone, ends) => {
  const found = lastEnds(now, zone);
  expect(found.map(([word]) => word)).toEqual(['yesterday', 'last month', 'last quarter', 'last year']);
  expect(found.map(([, day]) => day)).toEqual(ends);
});

test('a day looks until its end, and a field is filled with its last second', () => {
  // A day of 25 hours, and one of 23.
  for (const [day, zone, end] of [
    ['2026-10-25', 'Europe/Zurich', '2026-10-25T23:00:00Z'],
    ['2026-09-27', 'Pacific/Auckland', '2026-09-27T11:00:00Z'],
  ] as const) {
    expect(endOf(day, zone)).toBe(end);
    expect(Date.parse(fieldMoment(day, zone))).toBe(Date.parse(end) - 1000);
  }
  const moment = '2026-10-25T00:00:00.123456Z';
  expect([endOf(moment, 'UTC'), fieldMoment(moment, 'UTC')]).toEqual([moment, moment]);
});
