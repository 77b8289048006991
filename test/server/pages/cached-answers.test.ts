// Answers that pages show while they are computed anew.
import { expect, test } from 'vitest';
import { CachedAnswers } from '../../../src/server/pages/ask.ts';

/** A cache whose background answers each question when it is let. */
function heldCache() {
  const held: ((fails?: boolean) => void)[] = [];
  const failures: string[] = [];
  const clock = { now: 0 };
  let answered = 0;
  const cache = new CachedAnswers({
    compute: () =>
      new Promise((resolve, reject) => {
        held.push((fails = false) => {
          answered += 1;
          if (fails) reject(new Error('away'));
          else resolve({ data: { n: answered }, unknown: null });
        });
      }),
    onFailure: (id, error) => failures.push(`${id}: ${String(error)}`),
    monotonicMs: () => clock.now,
  });
  const answerNext = async (fails = false) => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.splice(0, 1)[0]?.(fails);
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { cache, held, failures, clock, answerNext };
}

const question = (query: object = {}, account = 'acme') => ({ id: 'listFlows', account, query }) as const;

test('an answer of hours ago is not shown as the present one, whether the next one is late or fails', async () => {
  const { cache, clock, failures, answerNext } = heldCache();
  const get = () => cache.get(question({ day_from: '2026-01-01' }));
  expect(await get()).toMatchObject({ state: 'pending', data: [] });
  clock.now += 1_000;
  await answerNext();
  expect(await get()).toMatchObject({ data: { n: 1 } });
  clock.now += 60_000;
  expect(await get()).toMatchObject({ data: { n: 1 } });
  await answerNext(true);
  expect(await get()).toMatchObject({ data: { n: 1 } });
  clock.now += 8 * 3_600_000;
  expect(await get()).toMatchObject({ state: 'pending', data: [] });
  await answerNext(true);
  expect(await get()).toMatchObject({ state: 'failed', data: [] });
  expect(failures).toEqual(['listFlows: Error: away', 'listFlows: Error: away']);
});

test('what a page cannot do without it asks itself, until an answer that took long is there', async () => {
  const { cache, clock, held, answerNext } = heldCache();
  let asked = 0;
  let tookMs = 10;
  const ask = async () => {
    asked += 1;
    clock.now += tookMs;
    return { data: `own ${asked}`, unknown: null };
  };
  const get = async () => (await cache.get(question(), ask)).data;
  expect(await get()).toBe('own 1');
  // A quick answer is always the present one.
  tookMs = 500;
  expect(await get()).toBe('own 2');
  clock.now += 1_000;
  expect([await get(), held.length]).toEqual(['own 2', 0]);
  // Older than its rest: shown once more, and computed anew meanwhile.
  clock.now += 60_000;
  expect(await get()).toBe('own 2');
  clock.now += 500;
  await answerNext();
  expect(await get()).toEqual({ n: 1 });
  // Nobody has looked for hours.
  clock.now += 8 * 3_600_000;
  expect(await get()).toBe('own 3');
  clock.now += 8 * 3_600_000;
  await expect(cache.get(question(), () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('what readers ask leaves the answers that are looked at, and of quick and refused questions nothing is kept', async () => {
  const { cache, clock, answerNext } = heldCache();
  const overview = () => cache.get(question());
  await overview();
  await answerNext();
  let asked = 0;
  const get = (asset: string) =>
    cache.get(question({ asset_id: asset }), async () => {
      asked += 1;
      if (asset === 'refused') throw new Error('refused');
      if (!asset.startsWith('quick')) clock.now += 50;
      return { data: asset, unknown: null };
    });
  for (let count = 0; count < 300; count += 1) {
    await get(`asset ${count}`);
    await get(`quick ${count}`);
    await expect(get('refused')).rejects.toThrow('refused');
    if (count % 90 === 0) expect(await overview()).toMatchObject({ data: { n: 1 } });
  }
  expect(asked).toBe(900);
  await get('asset 299');
  expect(asked).toBe(900);
  await get('asset 0');
  expect(asked).toBe(901);
  expect(await overview()).toMatchObject({ data: { n: 1 } });
});

test('questions do not pile up without a bound', async () => {
  const { cache, held, answerNext } = heldCache();
  await Promise.all(Array.from({ length: 300 }, (_, index) => cache.get(question({}, `account ${index}`))));
  let answered = 0;
  for (; held.length > 0; answered += 1) await answerNext();
  expect(answered).toBeLessThanOrEqual(30);
  await cache.get(question({}, 'account 299'));
  expect(held).toHaveLength(1);
});
