// On a terminal: progress on one line that is written over, logs above it, and one line a resource in the
// end.
import { execFile, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { clockAndZone } from '../../support/clock.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { builtProgram } from '../../support/process.ts';

/** util-linux' script runs a command on a terminal of its own. */
const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const absent = hasTerminals ? '' : ' (skipped: the command `script` of util-linux is not installed)';

/** What erases the line on which the cursor stands. */
const erase = '\r\u001b[2K';

function onTerminal(args: readonly string[], env: Readonly<Record<string, string>>) {
  const words = [process.execPath, builtProgram, ...args].map((word) => `'${word}'`);
  return new Promise<{ code: number; text: string }>((resolve) => {
    const child = execFile(
      'script',
      ['-qec', words.join(' '), '/dev/null'],
      { env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm', ...clockAndZone(), ...env } },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), text: stdout }),
    );
    child.stdin?.end();
  });
}

test.skipIf(!hasTerminals)(
  `sync shows progress, logs above it, and ends with one line a resource${absent}`,
  async () => {
    const faults = [{ kind: 'err01', endpoint: 'whitelist', times: 6 }] as const;
    const [service, database] = await Promise.all([serveSandbox({ faults }), testDatabase()]);
    const { code, text } = await onTerminal(['sync'], environment(service, database));
    expect({ code, text }).toMatchObject({ code: 0 });
    const shown = text.split(erase);
    const progress = shown.filter((line) => line.includes(' · '));
    expect(progress.at(-1)).toMatch(/^(transactions|balances|vaults|whitelist) \d+ .*· \d+ requests/);
    for (const line of progress) expect(line).not.toContain('\n');
    // What is wrong takes the place of the line, never stands behind it, and is told once, in one line with
    // what to try.
    const troubles = shown.filter((line) => line.includes('ERR-01'));
    expect(troubles).toEqual([
      expect.stringMatching(/^whitelist: ERR-01.*Retrying for up to .*; the service is at fault/),
    ]);
    expect(troubles[0]?.trimEnd()).not.toContain('\n');

    const end = shown.at(-1)?.split('\r\n');
    expect(end).toEqual([
      expect.stringMatching(
        /^transactions +150 new, verified: all 150 records in the list were read \(\d+ records read, \d+ requests, [\d.]+ s\)$/,
      ),
      expect.stringMatching(/^balances +\d+ new, verified \(/),
      expect.stringMatching(/^vaults +10 new, verified \(/),
      expect.stringMatching(/^whitelist +60 new, verified \(/),
      '',
    ]);
  },
);
