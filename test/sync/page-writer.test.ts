import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageWriter } from '../../src/sync/page-writer.ts';

test('everything is committed once, in order, with few entries waiting', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ max: 40, min: 0 }),
      async (scheduler, maxWaiting, entries) => {
        const committed: number[] = [];
        let largest = 0;
        const writer = createPageWriter<number>({
          maxWaiting,
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
    maxWaiting: 2,
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
