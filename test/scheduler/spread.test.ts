import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf, spreadMs } from '../../src/scheduler/due-times.ts';

test('an account has one share, of which the one that is alone has none', () => {
  expect(shareOf('default')).toBe(0);
  expect(shareOf('north')).toBe(shareOf('north'));
  expect(shareOf('north')).not.toBe(shareOf('south'));
  fc.assert(
    fc.property(fc.string(), (name) => {
      const share = shareOf(name);
      return share >= 0 && share < 1;
    }),
  );
});

test('a hundred accounts do not begin in the same second', () => {
  const spread = spreadMs('*/30 * * * * *');
  const seconds = Array.from({ length: 100 }, (_, number) =>
    Math.floor((shareOf(`account-${number}`) * spread) / 1000),
  );
  const most = Math.max(...seconds.map((second) => seconds.filter((each) => each === second).length));
  expect(new Set(seconds).size).toBeGreaterThan(20);
  expect(most).toBeLessThan(12);
});

test.each([
  ['* * * * * *', 1_000],
  ['*/30 * * * * *', 30_000],
  ['*/5 * * * *', 30_000],
  ['0 * * * *', 75_000],
  ['0 9-17 * * 1-5', 75_000],
  // Over midnight.
  ['59,0 23,0 * * *', 30_000],
  ['17 3 * * *', 1_800_000],
  ['0 0 1 1 *', 1_800_000],
])('the ticks of %s are spread over at most %i ms', (expression, ms) => {
  expect(spreadMs(expression)).toBe(ms);
});
