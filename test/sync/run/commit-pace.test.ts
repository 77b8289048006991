import { expect, test } from 'vitest';
import type { Page } from '../../../src/domain/page.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { createCommitPace, type PlacedPage } from '../../../src/sync/run/commit-pace.ts';

const page = (keys: readonly string[], at: string, raw = ''): PlacedPage => ({
  page: {
    items: keys.map((key) => ({ kind: 'undecodable', key, hash: key, reason: '', raw })),
    sourceTimestamp: null,
    beganAt: 0,
    arrivedAt: 0,
  } satisfies Page<Transaction>,
  position: { job: 'transactions', position: { at } },
});
const pages = (count: number, size: number) =>
  Array.from({ length: count }, (_, number) =>
    page(
      Array.from({ length: size }, (_, index) => `${number}-${index}`),
      `after ${number}`,
    ),
  );
const shape = (placed: readonly PlacedPage[]) => placed.map(({ page: { items } }) => items.length);

test('it begins with a page, and grows while commits are quick', () => {
  const pace = createCommitPace();
  let rest: readonly PlacedPage[] = pages(25, 100);
  const commits: number[] = [];
  while (rest.length > 0) {
    const taken = pace.next(rest);
    commits.push(taken.now.length);
    pace.committed(taken.now, 50);
    rest = taken.rest;
  }
  expect(commits).toEqual([1, 4, 16, 4]);
});

test('a page of long texts commits in parts of a few, its position with the last', () => {
  const pace = createCommitPace();
  const keys = Array.from({ length: 10 }, (_, index) => `${index}`);
  const long = page(keys, 'its end', 'x'.repeat(1_000_000));
  const commits: (readonly PlacedPage[])[] = [];
  for (let rest: readonly PlacedPage[] = [long]; rest.length > 0; ) {
    const taken = pace.next(rest);
    commits.push(taken.now);
    rest = taken.rest;
  }
  expect(commits.map(shape)).toEqual([[4], [4], [2]]);
  expect(commits.map(([part]) => part?.position)).toEqual([null, null, long.position]);
});

test('a page of long texts does not join short pages before it', () => {
  const pace = createCommitPace();
  pace.committed(pages(25, 100), 10);
  const short = page(['a', 'b'], 'short');
  const long = page(['c', 'd', 'e', 'f', 'g'], 'long', 'x'.repeat(1_000_000));
  expect(shape(pace.next([short, long]).now)).toEqual([2]);
  expect(shape(pace.next([short, page(['c'], 'one', 'x')]).now)).toEqual([2, 1]);
});

test('a slow commit brings it down to what a commit aims at, and a whole page at least', () => {
  const pace = createCommitPace();
  pace.committed(pages(8, 100), 10);
  pace.committed(pages(8, 100), 4_000);
  expect(shape(pace.next(pages(8, 100)).now)).toEqual([100, 100, 100]);
  pace.committed(pages(3, 100), 60_000);
  expect(shape(pace.next(pages(8, 100)).now)).toEqual([100]);
});

test('what took too long is halved by pages, then within one, whose position comes with its last part', () => {
  const pace = createCommitPace();
  const all = pages(4, 10);
  pace.committed(all, 10);
  const sizes: number[][] = [];
  for (;;) {
    const { now } = pace.next(all);
    sizes.push(shape(now));
    if (!pace.tookTooLong(now)) break;
  }
  expect(sizes).toEqual([[10, 10, 10, 10], [10, 10], [10], [5], [2], [1]]);

  const halved = createCommitPace();
  halved.tookTooLong(all.slice(0, 1));
  const first = halved.next(all);
  halved.committed(first.now, 4_000);
  const second = halved.next(first.rest);
  expect([first.now, second.now].map(([part]) => part?.position)).toEqual([null, all[0]?.position]);
  expect([shape(first.now), shape(second.now), shape(second.rest)]).toEqual([[5], [5], [10, 10, 10]]);
  // Once parts are quick, pages are whole again.
  halved.committed(second.now, 10);
  expect(shape(halved.next(second.rest).now)).toEqual([10, 10]);
});

test('a page that went through, but held others up for long, is divided from then on, at one pace', () => {
  const pace = createCommitPace();
  let rest: readonly PlacedPage[] = pages(4, 200);
  const commits: number[] = [];
  while (rest.length > 0) {
    const taken = pace.next(rest);
    const size = shape(taken.now).reduce((sum, items) => sum + items, 0);
    commits.push(size);
    pace.committed(taken.now, 60 * size);
    rest = taken.rest;
  }
  expect(commits).toEqual([200, ...Array.from({ length: 24 }, () => 25)]);
});

test('records of one key stay in one part, and cannot be divided further', () => {
  const pace = createCommitPace();
  const [first, second] = [page(['a', 'b', 'a', 'c', 'b'], 'x'), page(['a', 'a'], 'y')];
  pace.tookTooLong([first]);
  const { now, rest } = pace.next([first]);
  const keys = (placed: readonly PlacedPage[]) => placed.map((one) => one.page.items.map(({ key }) => key));
  expect([keys(now), keys(rest)]).toEqual([[['a', 'a']], [['b', 'c', 'b']]]);
  expect(pace.tookTooLong([second])).toBe(false);
});
