import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sleep } from '../../../src/base/loop.ts';
import { createPageWriter } from '../../../src/sync/pages/page-writer.ts';

test('everything is committed once, in order, one commit at a time, with few entries waiting', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ max: 40, min: 0 }),
      async (scheduler, enough, less, entries) => {
        const first = Math.max(1, enough - less);
        const committed: number[] = [];
        let largest = 0;
        let commits = 0;
        const writer = createPageWriter({
          enough,
          enoughAtFirst: first,
          sizeOf: (_: number) => 1,
          maxWaitMs: 1,
          // Sleeps end in any order and at any time, among the commits.
          sleep: async (_, signal) => {
            await scheduler.schedule(Promise.resolve());
            signal.throwIfAborted();
          },
          commit: async (batch) => {
            commits += 1;
            expect(commits).toBe(1);
            await scheduler.schedule(Promise.resolve());
            largest = Math.max(largest, batch.length);
            committed.push(...batch);
            commits -= 1;
          },
        });
        const pushing = (async () => {
          for (let entry = 0; entry < entries; entry += 1) {
            await writer.push(entry);
            expect(entry + 1 - committed.length).toBeLessThanOrEqual(3 * enough);
          }
          await writer.flush();
        })();
        await scheduler.waitFor(pushing);
        expect(committed).toEqual(Array.from({ length: entries }, (_, index) => index));
        expect(largest).toBeLessThanOrEqual(enough);
      },
    ),
    { numRuns: 100 },
  );
});

test('a failed commit is reported to the next push and to the flush, and nothing after it is committed', async () => {
  const committed: number[] = [];
  const writer = createPageWriter({
    enough: 1,
    enoughAtFirst: 1,
    sizeOf: (_: number) => 1,
    maxWaitMs: 1,
    commit: async (batch) => {
      if (batch.includes(2)) throw new Error('the database is away');
      committed.push(...batch);
    },
  });
  await writer.push(1);
  await writer.flush();
  await writer.push(2);
  await expect(writer.flush()).rejects.toThrow('the database is away');
  await expect(writer.push(3)).rejects.toThrow('the database is away');
  await expect(writer.flush()).rejects.toThrow('the database is away');
  expect(committed).toEqual([1]);
});

test('entries wait for enough of them to be worth a commit, but not longer than they may', async () => {
  const committed: (readonly number[])[] = [];
  const naps: { readonly ms: number; readonly signal: AbortSignal; readonly end: () => void }[] = [];
  const sleep: Sleep = (ms, signal) => new Promise((end) => naps.push({ ms, signal, end }));
  const writer = createPageWriter({
    enough: 3,
    enoughAtFirst: 3,
    sizeOf: (_: number) => 1,
    maxWaitMs: 500,
    sleep,
    commit: async (batch) => {
      committed.push(batch);
    },
  });
  await writer.push(1);
  await writer.push(2);
  expect(committed).toEqual([]);
  await writer.push(3);
  await expect.poll(() => committed).toEqual([[1, 2, 3]]);
  expect(naps.map(({ ms, signal }) => [ms, signal.aborted])).toEqual([[500, true]]);

  await writer.push(4);
  naps[1]?.end();
  await expect.poll(() => committed).toEqual([[1, 2, 3], [4]]);

  await writer.push(5);
  await writer.flush();
  expect(committed).toEqual([[1, 2, 3], [4], [5]]);
  expect(naps[2]?.signal.aborted).toBe(true);
});

test('while one group commits another waits and a third gathers; then nothing more is taken', async () => {
  const committed: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const writer = createPageWriter({
    enough: 20,
    enoughAtFirst: 20,
    // Large and small entries: what counts is how much they hold.
    sizeOf: (entry: number) => entry,
    commit: (batch) => {
      committed.push(batch);
      return new Promise<void>((end) => ends.push(end));
    },
    maxWaitMs: 500,
  });
  for (const entry of [12, 11, 20, 9, 9]) await writer.push(entry);
  let isTaken = false;
  const pushed = writer.push(7).then(() => {
    isTaken = true;
  });
  await new Promise(setImmediate);
  expect([isTaken, committed]).toEqual([false, [[12, 11]]]);
  ends[0]?.();
  await pushed;
  const flushed = writer.flush();
  for (const commit of [1, 2]) {
    await expect.poll(() => ends.length).toBe(commit + 1);
    ends[commit]?.();
  }
  await flushed;
  expect(committed).toEqual([[12, 11], [20], [9, 9, 7]]);
});

test('an entry of many times what is enough is committed before the next is taken', async () => {
  const ends: (() => void)[] = [];
  const writer = createPageWriter({
    enough: 2,
    enoughAtFirst: 1,
    sizeOf: (entry: number) => entry,
    commit: () => new Promise<void>((end) => ends.push(end)),
    maxWaitMs: 500,
  });
  let isTaken = false;
  const pushed = writer.push(16).then(() => {
    isTaken = true;
  });
  await expect.poll(() => ends.length).toBe(1);
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  ends[0]?.();
  await pushed;
});

test('the first group is small, and each one after it twice as large until that is enough', async () => {
  const sizes: number[] = [];
  const writer = createPageWriter({
    enough: 6,
    enoughAtFirst: 1,
    sizeOf: (_: number) => 1,
    commit: async (batch) => {
      sizes.push(batch.length);
      await new Promise(setImmediate);
    },
    maxWaitMs: 60_000,
  });
  for (let entry = 0; entry < 19; entry += 1) await writer.push(entry);
  await writer.flush();
  expect(sizes).toEqual([1, 2, 4, 6, 6]);
});
