// Answers that pages show while they are computed anew.
import { expect, test } from 'vitest';
import type { Tools } from '../../../../src/http/api/answer/operation.ts';
import type { Ask } from '../../../../src/http/pages/page/ask.ts';
import { createKeptAnswers } from '../../../../src/http/pages/page/kept.ts';

/** Answers each question when it is let. */
function heldTools() {
  const held: ((fails?: boolean) => void)[] = [];
  const transact = () =>
    new Promise((resolve, reject) => {
      held.push((fails = false) =>
        fails ? reject(new Error('away')) : resolve({ rows: [`{"n":${held.length}}`], next: null }),
      );
    });
  const tools = { account: 'acme', readDatabase: { transact } } as unknown as Tools;
  const answerNext = async (fails = false) => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.splice(0, 1)[0]?.(fails);
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { tools, held, answerNext };
}

test('an answer of hours ago is not shown as the present one, whether the next one is late or fails', async () => {
  const { tools, answerNext } = heldTools();
  let now = 0;
  const failures: string[] = [];
  const onFailure = (id: string, error: unknown) => failures.push(`${id}: ${String(error)}`);
  const kept = createKeptAnswers(tools, { onFailure, monotonicMs: () => now });
  const get = () => kept.get('listFlows', 'acme', { day_from: '2026-01-01' });
  expect(await get()).toBeNull();
  now += 1_000;
  await answerNext();
  expect(await get()).toMatchObject({ answer: { data: [{ n: 0 }] } });
  now += 60_000;
  expect(await get()).toMatchObject({ answer: { data: [{ n: 0 }] } });
  await answerNext(true);
  expect(await get()).toMatchObject({ answer: { data: [{ n: 0 }] } });
  now += 8 * 3_600_000;
  expect(await get()).toBeNull();
  await answerNext(true);
  expect(await get()).toEqual({ failed: true });
  expect(failures).toEqual(['listFlows: Error: away', 'listFlows: Error: away']);
});

test('what a page cannot do without it asks itself, until an answer that took long is kept', async () => {
  const { tools, held, answerNext } = heldTools();
  let now = 0;
  const kept = createKeptAnswers(tools, { onFailure: () => undefined, monotonicMs: () => now });
  let asked = 0;
  let tookMs = 10;
  const ask = (async () => {
    asked += 1;
    now += tookMs;
    return { n: `own ${asked}` };
  }) as unknown as Ask;
  const get = async () =>
    (await kept.getOrAsk('listFlows', 'acme', { day_from: '2026-01-01' }, ask)).answer as unknown;
  expect(await get()).toEqual({ n: 'own 1' });
  // A quick answer is always the present one.
  tookMs = 500;
  expect(await get()).toEqual({ n: 'own 2' });
  now += 1_000;
  expect([await get(), held.length]).toEqual([{ n: 'own 2' }, 0]);
  // Older than its rest: shown once more, and computed anew meanwhile.
  now += 60_000;
  expect(await get()).toEqual({ n: 'own 2' });
  now += 500;
  await answerNext();
  expect(await get()).toMatchObject({ data: [{ n: 0 }] });
  // Nobody has looked for hours.
  now += 8 * 3_600_000;
  expect(await get()).toEqual({ n: 'own 3' });
  now += 8 * 3_600_000;
  const refuses = (() => Promise.reject(new Error('refused'))) as unknown as Ask;
  await expect(kept.getOrAsk('listFlows', 'acme', { day_from: '2026-01-01' }, refuses)).rejects.toThrow(
    'refused',
  );
});

test('what readers ask leaves the answers of the overview, and of quick and refused questions nothing is kept', async () => {
  const { tools, answerNext } = heldTools();
  let now = 0;
  const kept = createKeptAnswers(tools, { onFailure: () => undefined, monotonicMs: () => now });
  const overview = () => kept.get('listFlows', 'acme', {});
  await overview();
  await answerNext();
  let asked = 0;
  const ask = (async (_: string, { asset_id }: { asset_id: string }) => {
    asked += 1;
    if (asset_id === 'refused') throw new Error('refused');
    now += 100;
    return { data: [asset_id] };
  }) as unknown as Ask;
  const get = (asset: string) => kept.getOrAsk('listFlows', 'acme', { asset_id: asset }, ask);
  for (let count = 0; count < 300; count += 1) {
    await get(`asset ${count}`);
    await expect(get('refused')).rejects.toThrow('refused');
  }
  expect(asked).toBe(600);
  await get('asset 299');
  expect(asked).toBe(600);
  await get('asset 0');
  expect(asked).toBe(601);
  expect(await overview()).toMatchObject({ answer: { data: [{ n: 0 }] } });
});

test('questions do not pile up without a bound', async () => {
  const { tools, held, answerNext } = heldTools();
  const kept = createKeptAnswers(tools, { onFailure: () => undefined });
  await Promise.all(Array.from({ length: 300 }, (_, index) => kept.get('listFlows', `account ${index}`, {})));
  let answered = 0;
  for (; held.length > 0; answered += 1) await answerNext();
  expect(answered).toBeLessThanOrEqual(30);
  await kept.get('listFlows', 'account 299', {});
  expect(held).toHaveLength(1);
});
