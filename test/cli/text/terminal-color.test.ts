import { expect, test } from 'vitest';
import { hasColor } from '../../../src/cli/text/terminal.ts';

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '' }, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '0' }, false],
  [false, {}, false],
])('on a terminal: %j, in %j: %j', (isTerminal, env, expected) => {
  expect(hasColor({ isTerminal, env })).toBe(expected);
});
