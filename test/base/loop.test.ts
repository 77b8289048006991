import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, runLoop, type Sleep, sleep } from '../../src/base/loop.ts';

const bounds = { minMs: 100, maxMs: 5_000 };

test('a sleep that is stopped rejects with the reason of the stop', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const waiting = sleep(3_600_000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(sleep(0, controller.signal)).rejects.toBe(reason);
});

test('a wait longer than a timer knows is not cut to nothing', async () => {
  const controller = new AbortController();
  const waiting = sleep(2 ** 40, controller.signal).then(
    () => 'woke',
    () => 'stopped',
  );
  await sleep(20, new AbortController().signal);
  controller.abort();
  expect(await waiting).toBe('stopped');
});

test('the backoff lies between nothing and its ceiling, which doubles up to the maximum', () => {
  const attempt = fc.integer({ min: 0, max: 2_000 });
  fc.assert(
    fc.property(attempt, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tried, chance) => {
      const ceiling = Math.min(bounds.maxMs, bounds.minMs * 2 ** tried);
      const wait = backoffMs(tried, bounds, () => chance);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(ceiling);
      expect(Math.abs(wait - chance * ceiling)).toBeLessThanOrEqual(0.5);
    }),
  );
});

/** Runs a loop whose turns are given, on a sleep that only takes notes. */
async function waitsOf(turns: readonly (number | Error)[]) {
  const controller = new AbortController();
  const waits: number[] = [];
  const failures: number[] = [];
  let turn = 0;
  const noting: Sleep = async (ms) => void waits.push(ms);
  await runLoop({
    turn: async () => {
      const outcome = turns[turn];
      turn += 1;
      if (turn === turns.length) controller.abort();
      if (outcome === undefined || outcome instanceof Error) throw outcome;
      return outcome;
    },
    onError: (_, inARow) => void failures.push(inARow),
    backoff: bounds,
    signal: controller.signal,
    sleep: noting,
  });
  return { waits, failures };
}

test('a loop pauses as long as its turn says, and backs off after failures until a turn succeeds', async () => {
  const failed = new Error('failed');
  const { waits, failures } = await waitsOf([5, failed, failed, failed, 7, failed, 0]);
  expect(failures).toEqual([1, 2, 3, 1]);
  expect([waits[0], waits[4]]).toEqual([5, 7]);
  for (const [place, ceiling] of [
    [1, 200],
    [2, 300],
    [3, 500],
    [5, 200],
  ] as const) {
    expect(waits[place]).toBeGreaterThanOrEqual(bounds.minMs);
    expect(waits[place]).toBeLessThanOrEqual(ceiling);
  }
});

test('a failure of the turn that was stopped is no failure', async () => {
  expect(await waitsOf([new Error('stopped')])).toEqual({ waits: [], failures: [] });
});

test('a loop ends while it pauses', async () => {
  const controller = new AbortController();
  const running = runLoop({
    turn: async () => {
      setImmediate(() => controller.abort());
      return 3_600_000;
    },
    onError: () => undefined,
    backoff: bounds,
    signal: controller.signal,
  });
  await expect(running).resolves.toBeUndefined();
});
