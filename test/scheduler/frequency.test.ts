import { expect, test } from 'vitest';
import { runsPerHour } from '../../src/scheduler/frequency.ts';

test.each([
  ['*/30 * * * * *', 120],
  ['*/5 * * * *', 12],
  ['17 3 * * *', 1 / 24],
  ['0 6 * * 1', 1 / (7 * 24)],
  // Eleven hours on five days of seven.
  ['*/15 8-18 * * 1-5', (4 * 11 * 5) / (7 * 24)],
])('%s comes due so often', (expression, perHour) => {
  const found = runsPerHour(expression, 'UTC');
  expect(found / perHour).toBeGreaterThan(0.9);
  expect(found / perHour).toBeLessThan(1.1);
});
