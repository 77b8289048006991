import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantToIso } from '../../src/domain/instant.ts';

test('an instant is rendered in UTC with microseconds', () => {
  expect(instantToIso(0)).toBe('1970-01-01T00:00:00.000000Z');
  expect(instantToIso(1_700_000_000_123.5)).toBe('2023-11-14T22:13:20.123500Z');
  expect(instantToIso(-0.5)).toBe('1969-12-31T23:59:59.999500Z');
});

test('rendered instants are ordered as the instants are', () => {
  const instant = fc.double({ min: 0, max: 4_000_000_000_000, noNaN: true });
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      const [earlier, later] = a <= b ? [a, b] : [b, a];
      expect(instantToIso(earlier) <= instantToIso(later)).toBe(true);
      expect(instantToIso(a)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }),
  );
});
