import { expect, test } from 'vitest';
import { stallLimitMs, unlessStalled } from '../../src/base/waiting.ts';

const never = new AbortController().signal;
const hung = () => new Promise<never>(() => undefined);
const limits = { name: 'balances', limitMs: 100, progress: () => 0 };

test('work that hangs and ignores its signal ends as stalled, and its signals are aborted', async () => {
  const signals: AbortSignal[] = [];
  const work = unlessStalled(limits, never, (...given) => {
    signals.push(...given);
    return hung();
  });
  await expect(work).rejects.toMatchObject({ code: 'JOB-STALLED', message: /^balances made no progress/ });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('work that comes on is never ended, however long it takes', async () => {
  let steps = 0;
  const stepping = setInterval(() => {
    steps += 1;
  }, 1);
  const done = new Promise<string>((resolve) => setTimeout(resolve, 500, 'done'));
  const outcome = await unlessStalled({ ...limits, progress: () => steps }, never, () => done);
  clearInterval(stepping);
  expect(outcome).toBe('done');
});

test('a process that was frozen for many times the limit has not stalled', async () => {
  const frozen = new Promise<string>((resolve) => {
    setTimeout(() => {
      const until = performance.now() + 2_000;
      while (performance.now() < until);
      setImmediate(resolve, 'done');
    }, 1);
  });
  expect(await unlessStalled(limits, never, () => frozen)).toBe('done');
});

test('a stop waits for the work to end, and not for ever', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped by the test');
  const stopped = { ...limits, limitMs: 1e6, stopsWithinMs: 50 };
  let isAbandoned: AbortSignal | undefined;
  const deaf = unlessStalled(stopped, stop.signal, (_signal, abandoned) => {
    isAbandoned = abandoned;
    return hung();
  });
  const obedient = unlessStalled(
    { ...stopped, stopsWithinMs: 1e6 },
    stop.signal,
    async (signal, abandoned) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return abandoned.aborted;
    },
  );
  stop.abort(reason);
  expect(await obedient).toBe(false);
  await expect(deaf).rejects.toBe(reason);
  expect(isAbandoned?.aborted).toBe(true);
  await expect(unlessStalled(stopped, stop.signal, hung)).rejects.toBe(reason);
});

test('the limit is far beyond what one attempt, the wait after it, and one statement may take', () => {
  expect(stallLimitMs({ timeoutMs: 30_000, retryMaxMs: 30_000 })).toBe(900_000);
  expect(stallLimitMs({ timeoutMs: 600_000, retryMaxMs: 30_000 })).toBeGreaterThan(5 * 600_000);
});
