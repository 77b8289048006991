import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.ts';

const hour = 3_600_000;

/** A clock over a timer that only the test moves. */
function opened() {
  let timer = 5_000;
  const clock = createClock(() => timer);
  const pass = (ms: number) => {
    timer += ms;
  };
  return { ...clock, pass };
}

test('a clock that follows nobody has no time, or goes on from the one it was given', () => {
  expect(opened().now()).toBe(Number.NEGATIVE_INFINITY);
  let timer = 5_000;
  const clock = createClock(() => timer, 1_000_000);
  expect(clock.now()).toBe(1_000_000);
  timer += 1.5;
  expect(clock.now()).toBe(1_000_001.5);
});

test('a clock goes with the database’s', () => {
  const clock = opened();
  clock.follow(1_000, 1_000);
  clock.pass(700);
  expect(clock.now()).toBe(1_700);
});

test('a clock that is ahead of the database’s goes on at half the pace until that has caught up', () => {
  const clock = opened();
  clock.follow(1_000 + hour, 1_000);
  clock.pass(hour);
  expect(clock.now()).toBe(1_000 + hour + hour / 2);
  clock.pass(hour);
  expect(clock.now()).toBe(1_000 + 2 * hour);
  clock.pass(10);
  expect(clock.now()).toBe(1_010 + 2 * hour);
});

test('whatever it follows, a clock never goes back, and two moments are two times', () => {
  const moment = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  const step = fc.record({
    passed: fc.double({ min: 1, max: 1e9, noNaN: true }),
    account: moment,
    database: moment,
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const clock = opened();
      for (const { passed, account, database } of steps) {
        const before = clock.now();
        clock.follow(account, database);
        const followed = clock.now();
        expect(followed).toBeGreaterThanOrEqual(Math.max(before, account, database));
        clock.pass(passed);
        expect(clock.now()).toBeGreaterThan(followed);
      }
    }),
  );
});
