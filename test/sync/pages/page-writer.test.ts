import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sleep } from '../../../src/base/loop.ts';
import { createPageWriter } from '../../../src/sync/pages/page-writer.ts';

test('everything is committed once, in order, with few entries waiting', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ max: 40, min: 0 }),
      async (scheduler, enough, more, entries) => {
        const maxWaiting = enough + more;
        const committed: number[] = [];
        let largest = 0;
        const writer = createPageWriter<number>({
          enough,
          maxWaiting,
          maxWaitMs: 1,
          // Sleeps end in any order and at any time, among the commits.
          sleep: async (_, signal) => {
            await scheduler.schedule(Promise.resolve());
            signal.throwIfAborted();
          },
          commit: async (batch) => {
            await scheduler.schedule(Promise.resolve());
            largest = Math.max(largest, batch.length);
            committed.push(...batch);
          },
        });
        const pushing = (async () => {
          for (let entry = 0; entry < entries; entry += 1) await writer.push(entry);
          await writer.flush();
        })();
        await scheduler.waitFor(pushing);
        expect(committed).toEqual(Array.from({ length: entries }, (_, index) => index));
        expect(largest).toBeLessThanOrEqual(maxWaiting);
      },
    ),
    { numRuns: 100 },
  );
});

test('a failed commit is told to the next push and to the flush, and nothing after it is committed', async () => {
  const committed: number[] = [];
  const writer = createPageWriter<number>({
    enough: 1,
    maxWaiting: 2,
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
  const writer = createPageWriter<number>({
    enough: 3,
    maxWaiting: 6,
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
