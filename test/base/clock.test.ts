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

/** A database that tells this time, after the wait. */
const tells =
  (time: number, wait: () => void = () => undefined) =>
  async () => {
    wait();
    return time;
  };

test('a clock far from the database’s is moved onto it, taking the answer to be of the middle of the wait', async () => {
  let timer = 0;
  const clock = createClock(() => timer, 0);
  await clock.align(
    tells(10_050, () => {
      timer = 100;
    }),
  );
  expect(clock.now()).toBe(10_100);
});

test('a clock is not moved by an answer that was long on its way', async () => {
  for (const answer of [0, 700, 1_500, 3_000]) {
    let timer = 0;
    const clock = createClock(() => timer, 0);
    await clock.align(
      tells(answer, () => {
        timer = 3_000;
      }),
    );
    expect(clock.now(), `database at ${answer}`).toBe(3_000);
  }
});

test('a clock that is moved back a little tells nothing earlier while somebody relies on the order', async () => {
  let timer = 0;
  const clock = createClock(() => timer, 1_000_000);
  const release = clock.keepOrder();
  const before = clock.now();
  await clock.align(tells(997_000));
  const [first, second] = [clock.now(), clock.now()];
  expect(first).toBeGreaterThan(before);
  expect(second).toBeGreaterThan(first);
  timer += 10;
  expect(clock.now()).toBeGreaterThan(second);
  release();
  expect(clock.now()).toBe(997_010);
  const other = clock.keepOrder();
  expect(clock.now()).toBe(997_010);
  other();
});

test('a clock that was a day ahead is right at once, and whoever relied on the order is told', async () => {
  const day = 86_400_000;
  let timer = 0;
  const clock = createClock(() => timer, 1_000_000);
  let told = 0;
  const release = clock.keepOrder(() => {
    told += 1;
  });
  clock.now();
  expect(await clock.align(tells(1_000_000 + day))).toBe(0);
  expect(clock.now()).toBe(1_000_000 + day);
  timer += 1_000;
  expect(await clock.align(tells(1_001_000))).toBe(day - 1_000);
  expect(clock.now()).toBe(1_001_000);
  expect(told).toBe(1);
  // Told once: from here on the order is kept again.
  expect(await clock.align(tells(1_001_000))).toBe(0);
  expect(await clock.align(tells(1_000_000))).toBe(0);
  expect(clock.now()).toBeGreaterThan(1_001_000);
  release();
  expect(await clock.align(tells(0))).toBe(0);
  expect(told).toBe(1);
});

test('many small steps back do not add up to a long standstill', async () => {
  const clock = createClock(() => 0, 1_000_000);
  clock.keepOrder();
  clock.now();
  let database = 1_000_000;
  for (let step = 0; step < 10; step += 1) {
    database -= 2_000;
    await clock.align(tells(database));
    expect(clock.now() - database).toBeLessThan(5_001);
  }
});

test('a step back to a moment that was never told breaks no order', async () => {
  let timer = 0;
  let told = 0;
  const clock = createClock(() => timer, 1_000_000);
  clock.keepOrder(() => {
    told += 1;
  });
  clock.now();
  timer += 60_000;
  expect(await clock.align(tells(1_030_000))).toBe(0);
  expect(clock.now()).toBe(1_030_000);
  expect(told).toBe(0);
});

test('a clock that stood still goes on once the database’s time has caught up', async () => {
  let timer = 0;
  const clock = createClock(() => timer, 1_000);
  clock.keepOrder();
  clock.now();
  await clock.align(tells(500));
  expect(clock.now()).toBeLessThan(1_001);
  // A second question while it stands still changes nothing.
  await clock.align(tells(500));
  timer += 2_000;
  expect(clock.now()).toBe(2_500);
});

test('a clock near the database’s keeps the order of what it told', () => {
  const step = fc.record({
    passed: fc.double({ min: 0, max: 50, noNaN: true }),
    off: fc.integer({ min: -250, max: 250 }),
  });
  return fc.assert(
    fc.asyncProperty(fc.array(step), async (steps) => {
      let timer = 0;
      const clock = createClock(() => timer, 1_000_000);
      let previous = clock.now();
      for (const { passed, off } of steps) {
        timer += passed;
        const moment = clock.now();
        await clock.align(tells(moment + off));
        expect(clock.now()).toBeGreaterThanOrEqual(previous);
        previous = clock.now();
      }
    }),
  );
});

test('the tolerance can be narrowed', async () => {
  const clock = createClock(() => 0, 1_000);
  await clock.align(tells(1_200));
  expect(clock.now()).toBe(1_000);
  await clock.align(tells(1_200), 0);
  expect(clock.now()).toBe(1_200);
});
