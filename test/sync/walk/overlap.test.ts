import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSteady, joinPage, overlapFor, without } from '../../../src/sync/walk/overlap.ts';

const window = { offset: 10, keys: ['a', 'b', 'c', 'd'] };
const join = (offset: number, keys: readonly string[]) => joinPage(window, offset, keys, 3, 40);

describe('a page of larger pages joins', () => {
  const joinLarge = (offset: number, keys: readonly string[]) => joinPage(window, offset, keys, 200, 400);

  test('by two records in order, and not by one that may have moved to the far end', () => {
    expect(joinLarge(12, ['c', 'd', 'e'])).toMatchObject({ fresh: 1 });
    expect(joinLarge(13, ['x', 'y', 'a'])).toBeNull();
    expect(joinLarge(13, ['d', 'e', 'f'])).toBeNull();
  });

  test('although one of the records it shares has moved', () => {
    expect(joinLarge(10, ['b', 'c', 'd', 'e', 'a'])).toMatchObject({ fresh: 2 });
  });
});

describe('a page joins the window before it', () => {
  test('where it was expected', () => {
    expect(join(13, ['d', 'e', 'f'])).toEqual({
      fresh: 2,
      window: { offset: 10, keys: ['a', 'b', 'c', 'd', 'e', 'f'] },
      reachesEnd: true,
      shift: 0,
      repeated: false,
      beginsAt: 3,
      displaced: [],
      absent: [],
    });
  });

  test('later, when the list grew before it', () => {
    expect(join(13, ['c', 'd', 'e'])).toMatchObject({ fresh: 1, shift: 1 });
    expect(join(13, ['b', 'c'])).toMatchObject({ fresh: 0, reachesEnd: false, shift: 2 });
  });

  test('earlier, when the list shrank before it', () => {
    expect(join(11, ['d', 'e'])).toMatchObject({ fresh: 1, shift: -2 });
  });

  test('by any record it shares, for the last ones may be gone', () => {
    expect(join(12, ['c', 'e', 'f'])).toMatchObject({
      fresh: 2,
      reachesEnd: false,
      shift: 0,
      absent: ['d'],
    });
  });

  test('and moves the window along when it brings nothing new', () => {
    expect(join(14, ['b', 'c', 'd'])).toMatchObject({ fresh: 0, window: { offset: 13, keys: window.keys } });
    expect(joinPage(window, 14, ['b', 'c'], 2, 40)).toMatchObject({
      window: { offset: 13, keys: window.keys },
    });
  });

  test('as the same page once more', () => {
    expect(join(20, window.keys)).toMatchObject({ fresh: 0, repeated: true });
    expect(join(10, window.keys)).toMatchObject({ fresh: 0, repeated: false });
  });

  test('not at all, when it shares no record or does not begin with one', () => {
    expect(join(14, ['x', 'y'])).toBeNull();
    expect(join(12, ['x', 'c', 'd'])).toBeNull();
  });

  test('and shows which records changed their places across its beginning', () => {
    expect(join(12, ['c', 'd', 'x', 'a'])).toMatchObject({ displaced: ['a'], beginsAt: 2 });
    expect(join(12, ['d', 'c', 'x'])).toMatchObject({ displaced: ['c'], beginsAt: 3 });
    expect(join(10, ['a', 'c', 'b', 'd'])).toMatchObject({ displaced: [] });
  });

  test('and ends with a short page that does not reach its end: what follows has gone', () => {
    expect(join(14, ['b', 'c'])).toMatchObject({ window: { offset: 13, keys: ['a', 'b', 'c'] } });
  });

  test('and replaces what it shows otherwise than before', () => {
    expect(join(10, ['a', 'c', 'b'])).toMatchObject({ window: { offset: 10, keys: ['a', 'c', 'b'] } });
    expect(join(11, ['b', 'x', 'd'])).toMatchObject({ window: { offset: 10, keys: ['a', 'b', 'x', 'd'] } });
  });

  test('whatever stands twice says nothing', () => {
    expect(join(13, ['d', 'e', 'd'])).toBeNull();
    expect(join(12, ['a', 'c', 'd', 'a'])).toMatchObject({ fresh: 1 });
  });
});

test('a window forgets records that stand elsewhere, and ends where it ended', () => {
  expect(without(window, ['a', 'c'])).toEqual({ offset: 12, keys: ['b', 'd'] });
});

test('an overlap never takes a whole page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100_000 }), (received) => {
      expect(overlapFor(received)).toBeGreaterThanOrEqual(1);
      expect(overlapFor(received)).toBeLessThan(received);
    }),
  );
  expect([0, 1, 2, 3, 4, 100, 1_000].map(overlapFor)).toEqual([0, 0, 1, 1, 2, 5, 5]);
});

test('two readings of one place show whether the list keeps its order', () => {
  const before = Array.from({ length: 20 }, (_, index) => `r${index}`);
  expect(isSteady(before, before)).toBe(true);
  expect(isSteady(before, ['new', ...before.slice(0, -1)])).toBe(true);
  expect(isSteady(before, ['r7', 'r3', ...before.filter((key) => key !== 'r7' && key !== 'r3')])).toBe(true);
  expect(isSteady(before, [...before].reverse())).toBe(false);
  expect(
    isSteady(
      before,
      Array.from({ length: 20 }, (_, index) => `s${index}`),
    ),
  ).toBe(false);
});
