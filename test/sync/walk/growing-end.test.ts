import { describe, expect, test } from 'vitest';
import { type GrowingEndRules, walkGrowingEnd } from '../../../src/sync/walk/growing-end.ts';

const rules = { limit: 10, maxPages: 20 } as const;
const known = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

/** Reads the end of a list; what begins with `k` is known. */
function read(keys: readonly string[], given: Pick<GrowingEndRules, 'end' | 'length'>) {
  const offsets: number[] = [];
  const walk = walkGrowingEnd({ ...rules, ...given });
  let step = walk.next();
  while (!step.done) {
    const { offset, limit } = step.value;
    offsets.push(offset);
    const page = keys.slice(offset, offset + limit);
    step = walk.next({ keys: page, isSettled: page.every((key) => key.startsWith('k')) });
  }
  return { reason: step.value, offsets };
}

describe('at the head', () => {
  test('one page is enough while nothing is new', () => {
    expect(read(known(40), { end: 'head', length: 40 })).toEqual({ reason: null, offsets: [0] });
  });

  test('new records are read until a page is known', () => {
    const keys = [...Array.from({ length: 12 }, (_, index) => `n${index}`), ...known(40)];
    expect(read(keys, { end: 'head', length: 40 })).toEqual({ reason: null, offsets: [0, 8, 16] });
  });

  test('a list without a known page, and one with too much that is new, are swept', () => {
    expect(read([], { end: 'head', length: 40 }).reason).toBe('no-known-page');
    expect(
      read(
        Array.from({ length: 400 }, (_, index) => `n${index}`),
        { end: 'head', length: 40 },
      ).reason,
    ).toBe('too-many-new');
  });
});

describe('at the tail', () => {
  test('the last known page and the empty answer are read', () => {
    expect(read(known(40), { end: 'tail', length: 40 })).toEqual({ reason: null, offsets: [31, 40] });
  });

  test('a last page with something new is read once, behind the known page before it', () => {
    const keys = [...known(36), 'n1', 'k36', 'k37', 'n2'];
    expect(read(keys, { end: 'tail', length: 40 })).toEqual({ reason: null, offsets: [31, 23, 40] });
  });

  test('more than a page that is new is read once, from the known page before it', () => {
    const keys = [...known(40), ...Array.from({ length: 25 }, (_, index) => `n${index}`)];
    expect(read(keys, { end: 'tail', length: 60 })).toEqual({
      reason: null,
      offsets: [51, 43, 35, 27, 59, 65],
    });
  });

  test('a list that shrank is read from further in front', () => {
    expect(read(known(15), { end: 'tail', length: 40 })).toMatchObject({ reason: null });
  });
});

describe('while nobody knows the end', () => {
  test('both ends are looked at, and a list as long as it was', () => {
    expect(read(known(40), { end: 'both', length: 40 })).toEqual({ reason: null, offsets: [0, 38, 40] });
  });

  test.each([
    ['a new head', ['n', ...known(39)]],
    ['a longer list', [...known(40), 'k40']],
    ['a shorter list', known(39)],
  ])('%s makes it sweep', (_, keys) => {
    expect(read(keys, { end: 'both', length: 40 }).reason).toBe('end-unknown');
  });
});
