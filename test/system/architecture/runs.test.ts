// What the scripts that run tests say at their end: nobody shall take for passed what did not run.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const path = join(root, 'scripts', script);
  const { status, stdout } = spawnSync(process.execPath, [path, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
}

/** What scripts/count-tests.mjs says of a run with this exit code that wrote this. */
function count(written: string, exitCode: number) {
  const file = join(newFolder(), 'results.json');
  writeFileSync(file, written);
  return run('count-tests.mjs', [file, String(exitCode)]);
}

test('tests are counted, and what failed outside of them', () => {
  const passed = { numPassedTests: 3, numPendingTests: 1, numTodoTests: 0, testResults: [] };
  expect(count(JSON.stringify(passed), 0)).toEqual({ status: 0, lines: ['3 passed, 0 failed, 1 skipped'] });
  const outside = [{ message: 'Unhandled Rejection: Error: gone\n    at x', during: 'a.test.ts: b' }];
  expect(count(JSON.stringify({ ...passed, outside }), 1)).toEqual({
    status: 1,
    lines: [
      'failed: outside of any test, during a.test.ts: b',
      'Unhandled Rejection: Error: gone',
      '    at x',
      '',
      '3 passed, 1 failed, 1 skipped',
    ],
  });
});

test.each(['', '{}', '{"numPassedTests":0,"testResults":[]}'])(
  'a run that wrote %j counts as failed, whatever its exit code',
  (written) => {
    for (const exitCode of [0, 1]) {
      const { status, lines } = count(written, exitCode);
      expect(lines.at(-1)).toBe('0 passed, 1 failed');
      expect(status).toBe(1);
    }
    expect(count(written, 0).lines[0]).toBe('failed: no test ran, although the exit code is 0');
  },
);

test('without a C compiler the short run at other dates reports what it left out, and so does the count', () => {
  const directory = newFolder();
  const results = join(directory, 'results.json');
  symlinkSync(process.execPath, join(directory, 'node'));
  const { status, lines } = run(
    'test-dates.mjs',
    ['--short', '--at', '2026-11-28T12:00:00Z', '--results', results, 'test/domain/words.test.ts'],
    { PATH: directory, HOME: directory },
  );
  const left =
    'there is no C compiler (on Debian: apt-get install gcc libc6-dev), so only unit tests ran at other dates';
  expect({ status, end: lines.at(-1) }).toEqual({ status: 0, end: `=== NOT all was run: ${left}` });
  expect(count(readFileSync(results, 'utf8'), 0).lines[0]).toBe(`not all was run: ${left}`);
});
