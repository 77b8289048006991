import { expect, test } from 'vitest';
import { daysBefore, endOf, fieldMoment, lastEnds } from '../../src/view/moments.ts';

test.each([
  ['2026-11-23', ['2026-11-22', '2026-10-31', '2026-09-30', '2025-12-31']],
  ['2027-01-01', ['2026-12-31', '2026-12-31', '2026-12-31', '2026-12-31']],
  ['2026-04-01', ['2026-03-31', '2026-03-31', '2026-03-31', '2025-12-31']],
])('the last days of the periods before %s', (day, ends) => {
  const found = lastEnds(day);
  expect(found.map(([word]) => word)).toEqual(['yesterday', 'last month', 'last quarter', 'last year']);
  expect(found.map(([, day]) => day)).toEqual(ends);
});

test('a day looks until its end, and a field is filled with its last second', () => {
  const zurich = {
    day: '2026-10-25',
    starts_at: '2026-10-24T22:00:00.000000Z',
    ends_at: '2026-10-25T23:00:00.000000Z',
    time_zone: 'Europe/Zurich',
  };
  expect(endOf(zurich.day, zurich)).toBe(zurich.ends_at);
  expect(Date.parse(fieldMoment(zurich.day, zurich))).toBe(Date.parse(zurich.ends_at) - 1000);
  // A day that the mirror does not know: the page says so, and the field holds its date.
  expect(fieldMoment('2001-10-25', null)).toBe('2001-10-25T23:59:59.000Z');
  const moment = '2026-10-25T00:00:00.123456Z';
  expect([endOf(moment, zurich), fieldMoment(moment, null)]).toEqual([moment, moment]);
});

test('a span that counts back is of whole times 24 hours, to the minute', () => {
  expect(daysBefore('2026-10-26T12:30:59.999999Z', 30)).toBe('2026-09-26T12:30:00Z');
  expect(daysBefore('2026-03-01T00:00:00+14:00', 1)).toBe('2026-02-27T10:00:00Z');
});
