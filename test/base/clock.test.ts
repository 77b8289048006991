import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.ts';

test('a clock begins at the wall’s time and goes on by the monotonic timer', () => {
  let timer = 5_000;
  const clock = createClock(() => timer, 1_000_000);
  expect(clock.now()).toBe(1_000_000);
  timer += 1.5;
  expect(clock.now()).toBe(1_000_001.5);
});

test('a clock far from the database’s is moved onto it, taking the answer to be of the middle of the wait', () => {
  let timer = 0;
  const clock = createClock(() => timer, 0);
  timer = 100;
  clock.align(10_050, 0, 100);
  expect(clock.now()).toBe(10_100);
});

test('a clock near the database’s keeps the order of what it told', () => {
  const step = fc.record({
    passed: fc.double({ min: 0, max: 50, noNaN: true }),
    off: fc.integer({ min: -250, max: 250 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let timer = 0;
      const clock = createClock(() => timer, 1_000_000);
      let previous = clock.now();
      for (const { passed, off } of steps) {
        timer += passed;
        const moment = clock.now();
        clock.align(moment + off, moment, moment);
        expect(clock.now()).toBeGreaterThanOrEqual(previous);
        previous = clock.now();
      }
    }),
  );
});

test('the tolerance can be narrowed', () => {
  const clock = createClock(() => 0, 1_000);
  clock.align(1_200, 1_000, 1_000);
  expect(clock.now()).toBe(1_000);
  clock.align(1_200, 1_000, 1_000, 0);
  expect(clock.now()).toBe(1_200);
});
