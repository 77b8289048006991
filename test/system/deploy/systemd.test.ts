// The unit of deploy/systemd against systemd's own checks, where systemd-analyze is installed, and against
// the program: the variables that it sets.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variableNames } from '../../../src/base/config/variables.ts';
import { exitCodes } from '../../../src/cli/setup/command-scope.ts';
import { newFolder } from '../../support/folder.ts';

const name = 'custody-mirror@.service';
const unit = readFileSync(new URL(`../../../deploy/systemd/${name}`, import.meta.url), 'utf8');
const settings = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);

const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const major = Number(/^systemd (\d+)/.exec(analyze('--version').stdout ?? '')?.[1] ?? 0);
// The check of a unit that is not loaded came with 250.
const why = major >= 250 ? '' : ' (skipped: systemd-analyze 250 or newer is not installed)';

test.skipIf(why !== '')(`systemd accepts the unit, and finds little that it may do${why}`, () => {
  const folder = newFolder();
  const path = join(folder, name);
  // The package is not installed here.
  writeFileSync(path, unit.replace('ExecStart=/usr/bin/custody-mirror', `ExecStart=${process.execPath}`));
  expect(analyze('verify', '--man=no', path)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  // In tenths: ends with 1 from an exposure of 2.0 on.
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=19', path);
  expect(status, stdout).toBe(0);
});

test('the unit hands the program variables and credentials that exist, and does not retry a wrong configuration', () => {
  const variables = settings('Environment').flatMap((line) => line?.split(' ') ?? []);
  const credentials = settings('LoadCredential').map((line) => line?.split(':')[0]);
  for (const [variable, value] of variables.map((pair) => pair.split('='))) {
    expect(variableNames).toContain(variable);
    expect(credentials.map((credential) => `%d/${credential}`)).toContain(value);
  }
  expect(variables).toHaveLength(credentials.length);
  expect(settings('RestartPreventExitStatus')).toEqual([String(exitCodes.configuration)]);
});
