import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAdaptivePace, type PacedRun } from '../../src/scheduler/adaptive-pace.ts';

const bounds = { shortestMs: 5_000, longestMs: 60_000 };
const second = 1_000;
const minute = 60 * second;
const open = { isAnyOpen: true, rate: null };
const settled = { isAnyOpen: false, rate: null };
function paceFrom(now: number) {
  const pace = createAdaptivePace(bounds, now);
  const pauseMs = (...at: Parameters<typeof pace.next>) => pace.next(...at).ms;
  return { ...pace, pauseMs };
}
const increment = { status: 'succeeded', isSweep: false, requests: 10, seconds: 0 } as const;
const sweep = { ...increment, isSweep: true, requests: 20 } as const;

test('the pause grows with the time in which nothing changed, and ten times as fast where nothing is open', () => {
  const pace = paceFrom(0);
  expect(pace.pauseMs(settled, 0)).toBe(5 * second);
  expect(pace.pauseMs(settled, 15 * second)).toBe(5 * second);
  expect(pace.pauseMs(open, 150 * second)).toBe(5 * second);
  expect(pace.pauseMs(settled, 90 * second)).toBe(30 * second);
  expect(pace.pauseMs(open, 5 * minute)).toBe(10 * second);
  expect(pace.pauseMs(settled, 3 * minute)).toBe(minute);
  expect(pace.pauseMs(open, 30 * minute)).toBe(minute);
  expect(pace.pauseMs(settled, 24 * 60 * minute)).toBe(minute);
});

test('a change makes the pause short again', () => {
  const pace = paceFrom(0);
  pace.noteChange(60 * minute);
  expect(pace.pauseMs(settled, 60 * minute)).toBe(5 * second);
});

test('runs take half of the allowed rate at most, as far as the longest pause lets them', () => {
  const pace = paceFrom(0);
  pace.noteRun(increment, 0);
  expect(pace.next({ isAnyOpen: true, rate: 1 }, 0)).toEqual({ ms: 20 * second, reason: 'rate' });
  expect(pace.pauseMs({ isAnyOpen: true, rate: 100 }, 0)).toBe(5 * second);
  expect(pace.pauseMs({ isAnyOpen: true, rate: 0.02 }, 0)).toBe(minute);
  // What the run itself took counts.
  pace.noteRun({ ...increment, seconds: 10 }, 30 * second);
  expect(pace.pauseMs({ isAnyOpen: true, rate: 1 }, 30 * second)).toBe(10 * second);
});

test('one sweep is no measure of the run after it, and sweeps one after the other are', () => {
  const pace = paceFrom(0);
  pace.noteRun(increment, 0);
  pace.noteRun(sweep, 20 * second);
  expect(pace.pauseMs({ isAnyOpen: true, rate: 1 }, 20 * second)).toBe(5 * second);
  pace.noteRun(sweep, 25 * second);
  expect(pace.pauseMs({ isAnyOpen: true, rate: 1 }, 25 * second)).toBe(40 * second);
  pace.noteRun(increment, 65 * second);
  expect(pace.pauseMs({ isAnyOpen: true, rate: 1 }, 65 * second)).toBe(20 * second);
});

/** Requests per second that a pace of this rate lets the runs have, over a quarter of an hour. */
function requestRate(runs: readonly PacedRun[], rate: number): number {
  const pace = paceFrom(0);
  let now = 0;
  let requests = 0;
  for (let number = 0; now < 15 * minute; number += 1) {
    const run = runs[number % runs.length] ?? increment;
    now += run.seconds * second;
    requests += run.requests;
    pace.noteChange(now);
    pace.noteRun(run, now);
    now += pace.pauseMs({ isAnyOpen: true, rate }, now);
  }
  return requests / (now / second);
}

test.each<[string, readonly PacedRun[]]>([
  ['a sweep every second time', [increment, { ...sweep, seconds: 10 }]],
  ['a sweep every third time', [increment, increment, { ...sweep, seconds: 10 }]],
  [
    'runs that fail every second time',
    [increment, { ...increment, status: 'failed', requests: 30, seconds: 15 }],
  ],
])('of %s, all runs together take hardly more than half of the rate', (_, runs) => {
  expect(requestRate(runs, 2)).toBeLessThan(1.3);
});

test('failures in a row make the pause longer, and a success makes it short again', () => {
  const pace = paceFrom(0);
  pace.noteRun(increment, 0);
  const failed = () => {
    pace.noteRun({ status: 'failed', isSweep: false, requests: 1, seconds: 1 }, 0);
    return pace.next({ isAnyOpen: true, rate: 4 }, 0);
  };
  expect([failed(), failed(), failed(), failed()]).toEqual(
    [10, 20, 40, 60].map((s) => ({ ms: s * second, reason: 'failures' })),
  );
  pace.noteRun({ status: 'abandoned', isSweep: false, requests: 1, seconds: 1 }, 0);
  expect(pace.next(open, 0)).toEqual({ ms: 5 * second, reason: 'changes' });
  expect(pace.next(open, 5 * minute).reason).toBe('quiet');
});

test('whatever happens, the pause stays within its bounds', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant('change' as const) }),
    fc.record({
      kind: fc.constant('run' as const),
      status: fc.constantFrom('succeeded' as const, 'failed' as const, 'abandoned' as const),
      isSweep: fc.boolean(),
      requests: fc.nat({ max: 1_000_000 }),
      seconds: fc.nat({ max: 1_000_000 }),
    }),
    fc.record({ kind: fc.constant('time' as const), ms: fc.nat({ max: 10 * 24 * 60 * minute }) }),
  );
  const rate = fc.option(fc.double({ min: 0.001, max: 100_000, noNaN: true }));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), rate, (events, isAnyOpen, allowed) => {
      let now = 0;
      const pace = paceFrom(now);
      for (const what of events) {
        if (what.kind === 'time') now += what.ms;
        else if (what.kind === 'change') pace.noteChange(now);
        else pace.noteRun(what, now);
        const pauseMs = pace.pauseMs({ isAnyOpen, rate: allowed }, now);
        expect(pauseMs).toBeGreaterThanOrEqual(bounds.shortestMs);
        expect(pauseMs).toBeLessThanOrEqual(bounds.longestMs);
      }
    }),
  );
});
