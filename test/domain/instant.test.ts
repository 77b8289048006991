import { expect, test } from 'vitest';
import { instantToIso } from '../../src/domain/instant.ts';

test('an instant is rendered in UTC with microseconds', () => {
  expect(instantToIso(0)).toBe('1970-01-01T00:00:00.000000Z');
  expect(instantToIso(1_700_000_000_123.5)).toBe('2023-11-14T22:13:20.123500Z');
  expect(instantToIso(-0.5)).toBe('1969-12-31T23:59:59.999500Z');
});
