import { expect, test } from 'vitest';
import { lastEnds } from '../../../../src/http/pages/view/days.ts';

test.each([
  [
    '2026-11-23T06:00:00Z',
    'UTC',
    ['2026-11-23T00:00', '2026-11-01T00:00', '2026-10-01T00:00', '2026-01-01T00:00'],
  ],
  // In Auckland it is the first of January already.
  [
    '2026-12-31T11:30:00Z',
    'Pacific/Auckland',
    ['2026-12-31T11:00', '2026-12-31T11:00', '2026-12-31T11:00', '2026-12-31T11:00'],
  ],
  // Half a year ahead of it the clocks were of another offset.
  [
    '2026-03-31T22:30:00Z',
    'Europe/Zurich',
    ['2026-03-31T22:00', '2026-03-31T22:00', '2026-03-31T22:00', '2025-12-31T23:00'],
  ],
])('the ends of the periods before %s in %s', (now, zone, ends) => {
  const found = lastEnds(now, zone);
  expect(found.map(([word]) => word)).toEqual(['yesterday', 'last month', 'last quarter', 'last year']);
  expect(found.map(([, at]) => new Date(at).toISOString().slice(0, 16))).toEqual(ends);
});
