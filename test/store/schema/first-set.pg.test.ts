// `npm run db:generate -- --first` makes the first set of migrations anew from drizzle/ and sql/, until a version is released.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { knownMigrations } from '../../../src/store/schema/migrations.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { addMigration, copyOfRepository } from '../../support/later-version.ts';
import { dumpSchema } from '../../support/schema-dump.ts';
import { open } from '../../support/store.ts';

/** A repository of which no version was released. */
function unreleased(): string {
  const copy = copyOfRepository(['drizzle', 'migrations', 'scripts', 'sql', 'src/domain', 'package.json']);
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## [0.0.1] - unreleased\n');
  return copy;
}

async function makeFirstSet(copy: string, url: string): Promise<string> {
  const program = join(copy, 'scripts/generate-sql.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--first', '--database', url]);
  return stdout;
}

test('the first set is the tables, then each folder of sql/, and replaces every migration', async () => {
  const copy = unreleased();
  const folder = join(copy, 'migrations');
  addMigration(folder, '9999_later', 'create table custody.later (account_id text)');
  const replaced = knownMigrations(folder);
  const { url } = await testDatabase({ empty: true });
  expect(await makeFirstSet(copy, url)).toMatch(/\nsql: the migrations and sql\/ agree\n$/);

  const made = knownMigrations(folder);
  const concepts = made.map(({ name }) => name.replace(/^\d{4}_/, ''));
  expect(concepts[0]).toBe('tables');
  expect(concepts.toSorted()).toEqual(readdirSync(join(copy, 'sql')).toSorted());
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(files).toEqual(made.map(({ name }) => `${name}.sql`));
  // So that a database with a replaced migration is recognised.
  const youngest = Math.max(...replaced.map(({ madeAt }) => madeAt));
  expect(Math.min(...made.map(({ madeAt }) => madeAt))).toBeGreaterThan(youngest);

  const fresh = await testDatabase({ empty: true });
  expect(await migrate(open(fresh.url), { folder })).toHaveLength(made.length);
  expect(await dumpSchema(fresh)).toBe(await dumpSchema(await testDatabase()));
}, 60_000);

longTest(
  'a set that comes out the same keeps its times, so that its databases stay what they are',
  async () => {
    const copy = unreleased();
    const { url } = await testDatabase({ empty: true });
    const before = knownMigrations(join(copy, 'migrations'));
    await makeFirstSet(copy, url);
    expect(knownMigrations(join(copy, 'migrations'))).toEqual(before);
  },
  60_000,
);

const released: readonly [string, (copy: string) => void, RegExp][] = [
  [
    'the changelog dates one',
    (copy) => writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## [0.0.1] - 2026-01-31\n'),
    /CHANGELOG\.md has "## \[0\.0\.1\] - 2026-01-31"/,
  ],
  [
    'git has a tag of one',
    (copy) => {
      const git = (...args: string[]) => execFileSync('git', args, { cwd: copy });
      git('init', '--quiet');
      git(
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.com',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'x',
      );
      git('tag', 'v0.0.1');
    },
    /git has the tag v0\.0\.1/,
  ],
];

test.each(released)('no first set is made once a version was released: %s', async (_, release, reason) => {
  const copy = unreleased();
  release(copy);
  const journal = () => readFileSync(join(copy, 'migrations/meta/_journal.json'), 'utf8');
  const before = journal();
  // Nothing is asked of the database before the refusal.
  const failed = await makeFirstSet(copy, 'postgres://nobody@127.0.0.1:1/none').catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
  expect(failed.stderr).toMatch(/^sql: --first is refused, [^\n]*npm run db:generate -- --name [^\n]*\n$/);
  expect(journal()).toBe(before);
});
