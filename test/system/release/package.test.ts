// The package as npm packs it: what is in it, by rule, and that it runs where nothing else of the repository
// is: installed from its tarball, with the production dependencies that the lock file names.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest } from '../../support/form.ts';
import { runProcess, startProcess } from '../../support/process.ts';
import { shippedPackages } from '../../support/shipped-packages.ts';
import { expectTruth } from '../../support/truth.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = z
  .object({ version: z.string(), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const tarball = `custody-mirror-${manifest.version}.tgz`;

/** What npm says of the package, which it makes in a folder or only pretends to. */
function pack(...options: readonly string[]): readonly string[] {
  const told = execFileSync('npm', ['pack', '--ignore-scripts', '--json', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = z
    .array(z.object({ files: z.array(z.object({ path: z.string() })) }))
    .parse(JSON.parse(told));
  return (packed?.files ?? []).map(({ path }) => path);
}

const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

test('the package holds each module of the product, what it serves, the migrations, and nothing else', () => {
  const compiled = (path: string) => `dist/${path.replace(/\.tsx?$/, '.js')}`;
  const modules = [
    'src',
    'drizzle',
    ...['client', 'demo', 'pages', 'sandbox'].map((name) => `packages/${name}/src`),
  ]
    .flatMap(below)
    .filter((path) => /\.(tsx?|js|css)$/.test(path) && path !== 'drizzle/drizzle.config.ts')
    .filter((path) => !path.endsWith('.d.ts'))
    .map(compiled);
  const declared = below('packages/client/src').map((path) => `dist/${path.replace(/\.ts$/, '.d.ts')}`);
  const migrations = z
    .object({ entries: z.array(z.object({ tag: z.string() })) })
    .parse(JSON.parse(read('migrations/meta/_journal.json')))
    .entries.map(({ tag }) => `migrations/${tag}.sql`);
  expect([...pack('--dry-run')].toSorted()).toEqual(
    [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'migrations/meta/_journal.json'],
      'dist/docs/openapi.json',
      ...migrations,
      ...modules,
      ...declared,
    ].toSorted(),
  );
});

/**
 * A folder in which nothing is but the package and what it depends on. The lock file has the hash of every
 * dependency, so that what npm has kept of them is enough.
 */
function install(): string {
  const home = newFolder();
  pack('--pack-destination', home);
  const locked = z
    .record(z.string(), z.looseObject({}))
    .parse(JSON.parse(read('package-lock.json')).packages);
  const shipped = shippedPackages(locked).map((path) => [path, locked[path]] as const);
  const own = { dependencies: { 'custody-mirror': `file:${tarball}` } };
  const { version, dependencies } = manifest;
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': own,
      ...Object.fromEntries(shipped),
      'node_modules/custody-mirror': { version, resolved: `file:${tarball}`, dependencies },
    },
  };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module', ...own }));
  writeFileSync(join(home, 'package-lock.json'), JSON.stringify(lock));
  const { status, stderr } = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: home,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return home;
}

longTest(
  'installed from its tarball it migrates, mirrors its own sandbox, and says what the demo needs',
  async () => {
    const program = join(install(), 'node_modules/custody-mirror/dist/src/cli/main.js');
    const installed = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runProcess(args, { program, env });
    expect((await installed(['--version'])).stdout).toBe(`${manifest.version}\n`);

    const database = await testDatabase({ empty: true });
    expect(await installed(['migrate'], { DATABASE_URL: database.url })).toMatchObject({ code: 0 });
    const sandbox = startProcess(['sandbox', '--port', '0', '--seed', '7', '--transactions', '60'], {
      program,
    });
    const [, url = ''] = await sandbox.output(/listens at (http:\S+)/);
    const env = environment({ url }, database, { CUSTODY_API_KEY: 'sandbox-viewer-key' });
    expect(await installed(['sync'], env)).toMatchObject({ code: 0 });
    const [found] = await database.query<{ count: number }>(
      'select count(*)::int from custody.transactions where missing_since is null',
    );
    expect(found?.count).toBeGreaterThanOrEqual(60);
    sandbox.kill('SIGTERM');
    expect(await sandbox.exit()).toMatchObject({ code: 0 });

    const still = await testDatabase();
    const service = await serveSandbox();
    expect(await installed(['sync'], environment(service, still))).toMatchObject({ code: 0 });
    await expectTruth(still, service.sandbox);

    const demo = await installed(['demo']);
    expect(demo.code).toBe(1);
    expect(demo.stderr).toMatch(
      /^the embedded PostgreSQL is not installed .* next to custody-mirror.*\(DEVELOPMENT-ONLY\)$/m,
    );
  },
  180_000,
);
