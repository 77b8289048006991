import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displacedRecords, joinPage, overlapFor } from '../../src/sync/joint.ts';

const window = { offset: 10, keys: ['a', 'b', 'c', 'd'] };

describe('a page joins the window before it', () => {
  test('where it was expected', () => {
    expect(joinPage(window, 13, ['d', 'e', 'f'])).toEqual({
      kind: 'joined',
      fresh: 2,
      reachesEnd: true,
      shift: 0,
      repeated: false,
    });
  });

  test('later, when the list grew before it', () => {
    expect(joinPage(window, 13, ['c', 'd', 'e'])).toMatchObject({ fresh: 1, shift: 1 });
    expect(joinPage(window, 13, ['b', 'c'])).toMatchObject({ fresh: 0, reachesEnd: false, shift: 2 });
  });

  test('earlier, when the list shrank before it', () => {
    expect(joinPage(window, 11, ['d', 'e'])).toMatchObject({ fresh: 1, shift: -2 });
  });

  test('by any record it shares, for the last ones may be gone', () => {
    expect(joinPage(window, 12, ['c', 'e', 'f'])).toMatchObject({ fresh: 2, reachesEnd: false, shift: 0 });
  });

  test('as the same page once more', () => {
    expect(joinPage(window, 20, window.keys)).toMatchObject({ fresh: 0, repeated: true });
    expect(joinPage(window, 10, window.keys)).toMatchObject({ fresh: 0, repeated: false });
  });

  test('not at all, when it shares no record or shares them in another order', () => {
    expect(joinPage(window, 14, ['x', 'y'])).toEqual({ kind: 'lost', reordered: false });
    expect(joinPage(window, 13, ['d', 'c'])).toEqual({ kind: 'lost', reordered: true });
  });

  test('whatever stands twice says nothing', () => {
    expect(joinPage(window, 13, ['d', 'e', 'd'])).toEqual({ kind: 'lost', reordered: false });
    expect(joinPage(window, 12, ['a', 'c', 'd', 'a'])).toMatchObject({ kind: 'joined', fresh: 1 });
  });
});

test('an overlap never takes a whole page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100_000 }), (received) => {
      expect(overlapFor(received)).toBeGreaterThanOrEqual(1);
      expect(overlapFor(received)).toBeLessThan(received);
    }),
  );
  expect([0, 1].map(overlapFor)).toEqual([0, 0]);
});

test('records moved within a page are counted as displaced, those that stay are not', () => {
  expect(displacedRecords(['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'])).toEqual({ shared: 4, displaced: 0 });
  expect(displacedRecords(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual({ shared: 4, displaced: 1 });
  expect(displacedRecords(['a', 'b', 'c', 'd'], ['x', 'y', 'a', 'b'])).toEqual({ shared: 2, displaced: 0 });
  expect(displacedRecords(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'])).toEqual({ shared: 4, displaced: 3 });
});
