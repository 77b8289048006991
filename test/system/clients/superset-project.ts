// A Superset of a test's own, with the bundle of deploy/superset packed for a reader, ready to be imported.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { clockAndZone } from '../../support/clock.ts';
import type { TestDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { runProcess } from '../../support/process.ts';
import { type TestRole, testRole } from '../../support/roles.ts';
import { waitFor } from '../../support/wait-for.ts';
import { installed } from './installed.ts';
import { postgresql, runClient } from './mirror-for-readers.ts';

export const bundle = fileURLToPath(new URL('../../../deploy/superset', import.meta.url));
const reader = fileURLToPath(new URL('superset_reader.py', import.meta.url));
const { directory: client, missing } = installed('superset', { takesMinutes: true });

export { missing };

const stepMs = 600_000;

export interface Superset {
  readonly adminPassword: string;
  /** Imports the bundle. @returns what superset_reader.py prints */
  read(...args: readonly string[]): string;
  /** @returns its address */
  serve(): Promise<string>;
}

export async function grantedReader(mirror: TestDatabase): Promise<TestRole> {
  const role = await testRole(mirror);
  const granted = await runProcess(['grant', role.name], { env: { DATABASE_URL: mirror.url } });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
  return role;
}

export function openSuperset(role: TestRole): Superset {
  const directory = newFolder();
  const address = new URL(role.url);
  const readerPassword = address.password;
  address.password = 'XXXXXXXXXX';
  cpSync(bundle, join(directory, 'superset'), { recursive: true });
  const file = join(directory, 'superset/databases/custody_mirror.yaml');
  const text = readFileSync(file, 'utf8');
  const edited = text.replace(/^sqlalchemy_uri: .*$/m, `sqlalchemy_uri: ${postgresql(address.href)}`);
  expect(edited).not.toBe(text);
  writeFileSync(file, edited);
  writeFileSync(
    join(directory, 'superset_config.py'),
    `SECRET_KEY = "${randomBytes(32).toString('hex')}"
SQLALCHEMY_DATABASE_URI = "sqlite:///${directory}/superset.db"
WTF_CSRF_ENABLED = False
`,
  );
  const adminPassword = randomBytes(9).toString('hex');
  const env = {
    SUPERSET_CONFIG_PATH: join(directory, 'superset_config.py'),
    SUPERSET_HOME: directory,
    FLASK_APP: 'superset.app:create_app()',
    SCARF_ANALYTICS: 'false',
    // Four processes load the same modules, which takes each of them longest.
    PYTHONDONTWRITEBYTECODE: '',
    PYTHONPYCACHEPREFIX: join(directory, 'pycache'),
    ADMIN_PASSWORD: adminPassword,
    READER_PASSWORD: decodeURIComponent(readerPassword),
  };
  const run = (program: string, ...args: readonly string[]) =>
    runClient(join(client, 'env/bin', program), args, { cwd: directory, env, timeoutMs: stepMs }).stdout;
  run('superset', 'db', 'upgrade');
  const who = ['--username', 'admin', '--firstname', 'a', '--lastname', 'a', '--email', 'a@example.com'];
  run('superset', 'fab', 'create-admin', ...who, '--password', adminPassword);
  run('superset', 'init');
  run('python', '-m', 'zipfile', '-c', 'superset.zip', 'superset');
  return {
    adminPassword,
    read: (...args) => run('python', reader, 'superset.zip', ...args),
    async serve() {
      const port = await freePort();
      const all = { PATH: process.env['PATH'], HOME: directory, ...clockAndZone(), ...env };
      start(
        join(client, 'env/bin/superset'),
        ['run', '--port', String(port), '--with-threads'],
        directory,
        all,
      );
      const url = `http://127.0.0.1:${port}`;
      const isUp = async () => (await fetch(`${url}/health`).catch(() => null))?.ok;
      await waitFor(isUp, { what: 'Superset', deadlineMs: stepMs, intervalMs: 500 });
      return url;
    },
  };
}

function start(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(program, args, { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}
