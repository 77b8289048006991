// The waits between the attempts of a request are those that CUSTODY_RETRY_MIN_MS and
// CUSTODY_RETRY_MAX_MS promise: between half and the whole of a length that doubles up to a greatest one,
// and random there too.
import pRetry from 'p-retry';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitsOf } from '../../../src/custody/http/requests.ts';

/** The waits of p-retry itself over so many retries, none of which is waited for. */
async function waitsFor(config: { retryMinMs: number; retryMaxMs: number }, drawn: () => number) {
  const waits: number[] = [];
  const random = vi.spyOn(Math, 'random').mockImplementation(drawn);
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, ms: number) => {
    waits.push(ms);
    queueMicrotask(done);
  }) as never);
  const restore = () => {
    random.mockRestore();
    timers.mockRestore();
  };
  onTestFinished(restore);
  const fail = async () => {
    throw new Error('failed');
  };
  await pRetry(fail, { retries: 8, ...waitsOf(config, drawn) }).catch(() => undefined);
  restore();
  return waits;
}

test.each([0, 0.5, 0.999999])('each wait is within its bounds when %s is drawn', async (drawn) => {
  for (const config of [
    { retryMinMs: 500, retryMaxMs: 30_000 },
    { retryMinMs: 1, retryMaxMs: 5 },
    { retryMinMs: 60_000, retryMaxMs: 60_000 },
  ]) {
    const waits = await waitsFor(config, () => drawn);
    expect(waits).toHaveLength(8);
    for (const [index, wait] of waits.entries()) {
      const length = Math.min(config.retryMinMs * 2 ** index, config.retryMaxMs);
      expect(wait).toBeGreaterThanOrEqual(length / 2);
      // p-retry rounds to whole milliseconds.
      expect(wait).toBeLessThanOrEqual(Math.ceil(length));
    }
  }
});

test('the greatest waits of many requests differ', async () => {
  const last = new Set<number | undefined>();
  for (let request = 0; request < 50; request += 1)
    last.add((await waitsFor({ retryMinMs: 500, retryMaxMs: 30_000 }, () => request / 50)).at(-1));
  expect(last.size).toBe(50);
});
