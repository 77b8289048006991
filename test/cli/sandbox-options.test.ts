import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';

test.each([
  [['--faults', 'bogus'], /--faults: unknown fault in "bogus"; the faults are: err01, /],
  [['--faults', 'err01=2'], /--faults: bad rate in "err01=2": it must be from 0 to 1/],
  [['--faults', 'err01@prices'], /--faults: unknown endpoint in "err01@prices"; the endpoints are: \w+, /],
  [['--base-path', 'custody'], /--base-path must begin with \//],
  [['--order', 'shuffled', '--exchange-ties', '2'], /--exchange-ties must be 0 for the order shuffled/],
])('sandbox %j is refused by the name of the option, with what it may be', async (args, message) => {
  const { code, stderr } = await runHere(['sandbox', '--port', '0', ...args]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('demo refuses faults before it starts anything', async () => {
  const { code, stderr } = await runHere(['demo', '--faults', 'bogus']);
  expect(stderr).toMatch(/--faults: unknown fault in "bogus"; the faults are: err01, /);
  expect(code).toBe(2);
});
