// On a terminal: progress on one line that is written over, logs above it, and one line a resource in the end.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clockAndZone } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';
import { environment, serveSandbox } from './mirror.ts';

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
/** util-linux' script runs a command on a terminal of its own. */
const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

/** What erases the line on which the cursor stands. */
const erase = '\r\u001b[2K';

function onTerminal(args: readonly string[], env: Readonly<Record<string, string>>) {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  return new Promise<{ code: number; text: string }>((resolve) => {
    const child = execFile(
      'script',
      ['-qec', command, '/dev/null'],
      { env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm', ...clockAndZone(), ...env } },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), text: stdout }),
    );
    child.stdin?.end();
  });
}

test.skipIf(!hasTerminals)(
  'sync shows progress, logs above it, and ends with one line a resource',
  async () => {
    const faults = [{ kind: 'err01', endpoint: 'whitelist', times: 6 }] as const;
    const [service, database] = await Promise.all([serveSandbox({ faults }), testDatabase()]);
    const { code, text } = await onTerminal(['sync'], environment(service, database));
    expect({ code, text }).toMatchObject({ code: 0 });
    const shown = text.split(erase);
    const progress = shown.filter((line) => line.includes(' · '));
    expect(progress.at(-1)).toMatch(/^(transactions|balances|vaults|whitelist) \d+ .*· \d+ requests/);
    for (const line of progress) expect(line).not.toContain('\n');
    // A warning takes the place of the line, and never stands behind it.
    const [warning = ''] = shown.filter((line) => line.includes('WARN'));
    expect(warning).toMatch(/^\[\d\d:\d\d:\d\d\]/);

    const end = shown.at(-1)?.split('\r\n');
    expect(end).toEqual([
      expect.stringMatching(
        /^transactions +150 new, verified: all 150 records of the list were met \(\d+ records read, \d+ requests, [\d.]+ s\)$/,
      ),
      expect.stringMatching(/^balances +\d+ new, verified \(/),
      expect.stringMatching(/^vaults +10 new, verified \(/),
      expect.stringMatching(/^whitelist +60 new, verified \(/),
      '',
    ]);
  },
);

test.skipIf(!hasTerminals)('status is coloured on a terminal unless NO_COLOR says otherwise', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  const [plain, coloured] = await Promise.all([
    onTerminal(['status'], { ...env, NO_COLOR: '1' }),
    onTerminal(['status'], env),
  ]);
  expect(plain.code).toBe(1);
  expect(plain.text).toContain('Needs attention');
  expect(plain.text).not.toContain('\u001b[');
  expect(coloured.text).toContain('\u001b[31mNeeds attention');
});
