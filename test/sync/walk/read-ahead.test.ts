// How much is read ahead: pages, and no more bytes than that.
import { expect, test } from 'vitest';
import type { Page } from '../../../src/domain/page.ts';
import { createReadAhead } from '../../../src/sync/walk/walk-list.ts';

const page: Page<string> = { items: [], sourceTimestamp: null, beganAt: 0, arrivedAt: 0 };

/** @returns the offsets that are asked for at each step of a walk whose pages have these sizes */
async function offsetsAsked(sizes: readonly number[], limits: { pages: number; bytes: number }) {
  const begun: number[] = [];
  const sizeOf = new Map<Page<string>, number>();
  const read = async (offset: number) => {
    begun.push(offset);
    const one = { ...page };
    sizeOf.set(one, sizes[offset] ?? sizes.at(-1) ?? 0);
    return one;
  };
  const ahead = createReadAhead<string>(read, {
    ahead: { ...limits, sizeOf: (one) => sizeOf.get(one) ?? 0 },
    expectedLength: null,
    signal: new AbortController().signal,
  });
  const asked: number[][] = [];
  for (let offset = 0; offset < sizes.length; offset += 1) {
    const before = begun.length;
    await ahead.take(offset, 1);
    // Those that were begun ahead have arrived too.
    await new Promise((resolve) => setImmediate(resolve));
    asked.push(begun.slice(before));
  }
  ahead.discard();
  return asked;
}

test('nothing is read ahead before a page has shown how long pages are, and then up to so many', async () => {
  expect(await offsetsAsked([10, 10, 10], { pages: 3, bytes: 1_000 })).toEqual([[0], [1, 2, 3, 4], [5]]);
});

test('what is read ahead has no more bytes than it may', async () => {
  expect(await offsetsAsked([400, 400, 400, 400], { pages: 3, bytes: 1_000 })).toEqual([
    [0],
    [1, 2, 3],
    [4],
    [5],
  ]);
  expect(await offsetsAsked([1_001, 1_001, 1_001], { pages: 3, bytes: 1_000 })).toEqual([[0], [1], [2]]);
});

test('pages that become short again are read ahead again', async () => {
  expect(await offsetsAsked([2_000, 500, 500, 500], { pages: 3, bytes: 1_000 })).toEqual([
    [0],
    [1],
    [2, 3, 4],
    [5],
  ]);
});
