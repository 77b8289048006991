// Answers that pages show while they are computed anew.
import { expect, test } from 'vitest';
import type { Tools } from '../../../../src/http/api/answer/operation.ts';
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
  const kept = createKeptAnswers(tools, () => now);
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
});

test('questions do not pile up without a bound', async () => {
  const { tools, held, answerNext } = heldTools();
  const kept = createKeptAnswers(tools);
  await Promise.all(Array.from({ length: 300 }, (_, index) => kept.get('listFlows', `account ${index}`, {})));
  let answered = 0;
  for (; held.length > 0; answered += 1) await answerNext();
  expect(answered).toBeLessThanOrEqual(30);
  await kept.get('listFlows', 'account 299', {});
  expect(held).toHaveLength(1);
});
