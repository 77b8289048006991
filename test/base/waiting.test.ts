import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { sleep } from '../../src/base/loop.ts';
import { Late, within, withLinkedSignal } from '../../src/base/waiting.ts';

test.each([0, 1])('a linked signal is aborted with source %i, for the same reason', async (index) => {
  const sources = [new AbortController(), new AbortController()];
  const reason = new Error('over');
  const work = withLinkedSignal(
    sources.map(({ signal }) => signal),
    (signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  sources[index]?.abort(reason);
  await expect(work).rejects.toBe(reason);
});

test('a linked signal of a source that was aborted before is aborted from the start', async () => {
  const reason = new Error('over');
  const isAborted = await withLinkedSignal([AbortSignal.abort(reason)], async ({ aborted }) => aborted);
  expect(isAborted).toBe(true);
});

test('a linked signal leaves no listener on its sources, whether the work succeeds or fails', async () => {
  const { signal } = new AbortController();
  expect(await withLinkedSignal([signal], async () => getEventListeners(signal, 'abort').length)).toBe(1);
  await expect(withLinkedSignal([signal], () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test("a work that is late is given up, and its later failure is nobody's", async () => {
  const { signal } = new AbortController();
  await expect(within(10, sleep(60_000, signal))).rejects.toThrow(Late);
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await within(60_000, Promise.resolve(1))).toBe(1);
});
