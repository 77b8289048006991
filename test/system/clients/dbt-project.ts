// A dbt project that installs deploy/dbt, with a role as docs/bi.md makes it.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { runProcess } from '../../support/process.ts';
import { type TestRole, testRole } from '../../support/roles.ts';
import { installed } from './installed.ts';
import { type ClientRun, runClientToEnd, startClient } from './mirror-for-readers.ts';

export const dbtPackage = fileURLToPath(new URL('../../../deploy/dbt', import.meta.url));
const profiles = fileURLToPath(new URL('dbt-profiles.yml', import.meta.url));

export interface DbtProject {
  readonly directory: string;
  readonly reader: TestRole;
  dbt(...args: readonly string[]): ClientRun;
  /** The same while others run; what it writes besides its tables goes to a folder of its own. */
  start(...args: readonly string[]): Promise<ClientRun>;
}

/** @param from how packages.yml names the package */
export async function openProject(database: TestDatabase, from: string): Promise<DbtProject> {
  const directory = newFolder();
  const reader = await testRole(database);
  const granted = await runProcess(['grant', reader.name], { env: { DATABASE_URL: database.url } });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
  const name = pg.escapeIdentifier(new URL(database.url).pathname.slice(1));
  await database.query(`revoke all on database ${name} from public`);
  await database.query(`grant connect, temporary on database ${name} to ${reader.quoted}`);
  await database.query(`create schema marts authorization ${reader.quoted}`);
  cpSync(profiles, join(directory, 'profiles.yml'));
  writeFileSync(join(directory, 'packages.yml'), `packages:\n${from}`);
  writeFileSync(
    join(directory, 'dbt_project.yml'),
    `name: analytics
profile: mirror_reader
flags: {send_anonymous_usage_stats: false}
`,
  );
  const url = new URL(reader.url);
  const env = {
    READER_HOST: url.hostname,
    READER_PORT: url.port,
    READER_USER: url.username,
    READER_PASSWORD: url.password,
    READER_DATABASE: url.pathname.slice(1),
    DBT_PROFILES_DIR: directory,
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  };
  const program = join(installed('python').directory, 'env/bin/dbt');
  return {
    directory,
    reader,
    dbt: (...args) => runClientToEnd(program, ['--no-use-colors', ...args], { cwd: directory, env }),
    start(...args) {
      const apart = { ...env, DBT_TARGET_PATH: newFolder(), DBT_LOG_PATH: newFolder() };
      return startClient(program, ['--no-use-colors', ...args], { cwd: directory, env: apart });
    },
  };
}
