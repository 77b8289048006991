// A dbt project that installs deploy/dbt, and the 90 days of the demo's mirror for it to read.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createDemoWorld, fillMirror } from '../../../packages/demo/src/history/demo-world.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testConfig } from '../../support/engine.ts';
import { silentLogger } from '../../support/loggers.ts';
import { runProcess } from '../../support/process.ts';
import { type TestRole, testRole } from '../../support/roles.ts';
import { installed } from './installed.ts';
import { type ClientRun, runClientToEnd } from './mirror-for-readers.ts';

export const dbtPackage = fileURLToPath(new URL('../../../deploy/dbt', import.meta.url));
const profiles = fileURLToPath(new URL('dbt/profiles.yml', import.meta.url));

/** What dbt/profiles.yml reads: who reads which database. */
export function dbtEnvironment(reader: Pick<TestRole, 'url'>, directory: string): Record<string, string> {
  const url = new URL(reader.url);
  return {
    READER_HOST: url.hostname,
    READER_PORT: url.port,
    READER_USER: url.username,
    READER_PASSWORD: url.password,
    READER_DATABASE: url.pathname.slice(1),
    DBT_PROFILES_DIR: directory,
    DO_NOT_TRACK: '1',
  };
}

export async function openDemoMirror(): Promise<TestDatabase> {
  const database = await testDatabase();
  const world = createDemoWorld({ transactions: 1_000, seed: 7, history: true });
  onCleanup(() => world.sandbox.close());
  const service = await world.sandbox.listen();
  const places = { databaseUrl: database.url, serviceUrl: service.url, key: world.sandbox.apiKey };
  const scope = { logger: silentLogger, metrics: createMetrics() };
  await fillMirror(testConfig(places), scope, new AbortController().signal, world);
  // The history leaves the clock of its lease ahead; a daemon would take a new one.
  await database.query('delete from sync.leases');
  return database;
}

export interface DbtProject {
  readonly directory: string;
  readonly reader: TestRole;
  dbt(...args: readonly string[]): ClientRun;
}

/** @param from how packages.yml names the package */
export async function openProject(database: TestDatabase, from: string): Promise<DbtProject> {
  const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-dbt-'));
  onCleanup(async () => rmSync(directory, { recursive: true, force: true }));
  const reader = await testRole(database);
  const granted = await runProcess(['grant', reader.name], { env: { DATABASE_URL: database.url } });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
  await database.query(`create schema marts authorization ${reader.quoted}`);
  cpSync(profiles, join(directory, 'profiles.yml'));
  writeFileSync(join(directory, 'packages.yml'), `packages:\n${from}`);
  writeFileSync(
    join(directory, 'dbt_project.yml'),
    'name: analytics\nprofile: mirror_reader\nflags: {send_anonymous_usage_stats: false}\n',
  );
  const env = { ...dbtEnvironment(reader, directory), NO_COLOR: '1' };
  const program = join(installed('python').directory, 'env/bin/dbt');
  return {
    directory,
    reader,
    dbt: (...args) => runClientToEnd(program, ['--no-use-colors', ...args], { cwd: directory, env }),
  };
}
