import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/command-line.ts';
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

test.each([
  [{}, ''],
  [{ HTTP_PROXY: 'http://proxy.example:3128' }, 'no_proxy=127.0.0.1 '],
  [{ http_proxy: 'proxy.example', no_proxy: '.example' }, 'no_proxy=127.0.0.1 '],
  [{ HTTP_PROXY: 'proxy.example', NO_PROXY: 'localhost,127.0.0.0/8' }, ''],
])('with %j in the shell, the commands that the sandbox shows reach it', async (env, way) => {
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  const early = { signal: AbortSignal.abort(new Error('seen enough')), release: () => undefined };
  const context = { env, isTerminal: false, stdout: { write }, stderr: { write }, early };
  await runCommand(['sandbox', '--port', '0'], { ...context, exitAtOnce: () => undefined });
  expect(shown).toContain(`\n  ${way}CUSTODY_BASE_URL=http://127.0.0.1:`);
  expect(shown).toContain(`\n  ${way}curl -H`);
});
