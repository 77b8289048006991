// The demo, with nothing configured: it says where everything is, mirrors and keeps mirroring, and leaves nothing running.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { longTest } from '../../support/form.ts';
import { runProcess, startProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A directory like that of a clone: everybody may enter it. */
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-demo-'));
  chmodSync(directory, 0o755);
  onCleanup(async () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Demo {
  readonly databaseUrl: string;
  readonly pageUrl: string;
  readonly serviceUrl: string;
  /** Ends it as Ctrl-C does, and expects that its PostgreSQL has ended with it. */
  end(): Promise<void>;
}

async function startDemo(cwd: string): Promise<Demo> {
  const demo = startProcess(['demo', '--transactions', '120'], { cwd });
  await demo.output(/Stop it with Ctrl-C\.\n/);
  const told = (pattern: RegExp) => pattern.exec(demo.stdout())?.[1] ?? '';
  const databaseUrl = told(/psql '(postgres:[^']+)'/);
  const directory = await ask(databaseUrl, "select current_setting('data_directory')");
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  expect(isAlive(postmaster)).toBe(true);
  return {
    databaseUrl,
    pageUrl: told(/status page +(http:\S+)/),
    serviceUrl: told(/custody service +(http:\S+)/),
    async end() {
      demo.kill('SIGINT');
      expect(await demo.exit(), demo.stderr()).toEqual({ code: 0, signal: null });
      expect(demo.stderr()).toBe('');
      expect(isAlive(postmaster)).toBe(false);
    },
  };
}

/** The first column of the first row. */
function ask(url: string, sql: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return String(rows[0]?.[0]);
  });
}

/** A process that has ended but was not yet waited for still has its number, and no command line. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, 'utf8') !== '';
}

async function expectMirroring({ databaseUrl, pageUrl, serviceUrl }: Demo): Promise<void> {
  const count = (table: string) => ask(databaseUrl, `select count(*) from custody.${table}`).then(Number);
  await waitFor(async () => (await count('transactions')) >= 120, { what: 'the first transactions' });
  await waitFor(async () => (await count('vaults')) === 10, { what: 'the vaults' });
  await waitFor(async () => (await count('transaction_status_history where from_status is not null')) > 0, {
    what: 'a change of status',
  });
  const page = await fetch(pageUrl);
  expect(page.status).toBe(200);
  const refused = await fetch(`${serviceUrl}/balances`);
  expect(refused.status).toBe(401);
}

test('the demo mirrors, ends without leaving anything, and begins anew in the same place', async () => {
  const directory = newDirectory();
  const first = await startDemo(directory);
  await expectMirroring(first);
  const beside = startProcess(['demo'], { cwd: directory });
  expect(await beside.exit()).toEqual({ code: 1, signal: null });
  expect(beside.stderr()).toMatch(/a PostgreSQL is running in .*DATABASE-REFUSED/);
  await first.end();

  const second = await startDemo(directory);
  await expectMirroring(second);
  await second.end();
}, 60_000);

longTest('two demos run side by side in two places', async () => {
  const demos = await Promise.all([startDemo(newDirectory()), startDemo(newDirectory())]);
  await Promise.all(demos.map(expectMirroring));
  await Promise.all(demos.map((demo) => demo.end()));
});

test('where its data cannot be kept it says so, and shows no stack', async () => {
  const cwd = newDirectory();
  writeFileSync(join(cwd, '.data'), 'in the way');
  const { code, stderr } = await runProcess(['demo'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^PostgreSQL's data cannot be written to .*\.data \(\w+\): start it in a folder that you may write to/m,
  );
  expect(stderr).not.toMatch(/^ +at /m);
});

test('without the development dependencies the build, and with it the demo, says what to install', () => {
  const copy = newDirectory();
  mkdirSync(join(copy, 'scripts'));
  copyFileSync(new URL('../../../scripts/build.mjs', import.meta.url), join(copy, 'scripts/build.mjs'));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: copy,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/npm ci without --omit=dev/);
  expect(stderr).not.toMatch(/^ +at /m);
});
