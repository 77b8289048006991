import { expect, test } from 'vitest';
import { penOf } from '../../../src/cli/text/terminal.ts';

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '' }, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '0' }, false],
  [false, {}, false],
])('on a terminal: %j, in %j: %j', (isTerminal, env, expected) => {
  expect(penOf({ isTerminal, env, stdout: {} }).color).toBe(expected);
});
