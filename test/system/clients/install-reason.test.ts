// Why clients of other makers could not be installed, as scripts/install-clients.mjs prints it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';

test('the reason is what npm could not do, and not where its log is', async () => {
  const script = new URL('../../../scripts/install-version.mjs', import.meta.url).href;
  const { reasonIn }: { reasonIn: (stderr: string) => string } = await import(script);
  const cwd = newFolder();
  const nowhere = ['--registry=http://127.0.0.1:1', '--fetch-retries=0', `--cache=${join(cwd, 'cache')}`];
  // Whatever the npm that runs the tests was asked to leave out.
  const anyNode = ['--engine-strict=false', '--loglevel=notice'];
  const { status, stderr } = spawnSync('npm', ['install', 'pg', ...nowhere, ...anyNode], {
    cwd,
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('A complete log of this run');
  expect(reasonIn(stderr)).toMatch(/ECONNREFUSED/);
  expect(reasonIn(stderr)).not.toMatch(/complete log|\n/);
});
