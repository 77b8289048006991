// What is made of sources is made again when it is due: dist/ by the build, the rest by npm run generate. The
// scripts run in trees of a few files, with stand-ins for what they call.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A tree with these files, and these scripts as they are. */
function tree(files: Readonly<Record<string, string>>, scripts: readonly string[]) {
  const home = newFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  mkdirSync(join(home, 'scripts'), { recursive: true });
  for (const name of scripts) copyFileSync(join(root, 'scripts', name), join(home, 'scripts', name));
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' });
  return { home, write, run, read: (path: string) => readFileSync(join(home, path), 'utf8') };
}

/** What decides how the program is compiled, and what does not. */
const compiled = [
  'docs/openapi.json',
  ...['src/a.ts', 'packages/x/src/b.ts', 'packages/x/package.json', 'drizzle/c.ts', 'bench/d.ts'],
  ...['config/tsconfig.build.json', 'tsconfig.json', 'package.json', 'package-lock.json'],
];
const others = [
  'packages/x/test/b.test.ts',
  'packages/x/node_modules/y/index.js',
  'migrations/0.sql',
  'docs/e.md',
];

test('dist/ is built where it is missing or older than what it is made of, and not otherwise', () => {
  const compiler = 'node_modules/typescript/bin/tsc';
  const files = [...compiled, ...others, 'dist/src/cli/main.js'].map((path) => [path, '{}'] as const);
  const { home, run } = tree({ ...Object.fromEntries(files), [compiler]: 'process.exit(7)' }, ['build.mjs']);
  /** Whether the compiler is called, which fails here. */
  const isBuilt = () => {
    const { status, stderr } = run('scripts/build.mjs', '--if-stale');
    expect(stderr).toBe('');
    return status === 7;
  };
  const date = (path: string, day: string) => utimesSync(join(home, path), new Date(day), new Date(day));
  const all = readdirSync(home, { recursive: true, encoding: 'utf8' });
  for (const path of all) date(path, '2026-01-01');
  date('dist/src/cli/main.js', '2026-01-02');
  expect(isBuilt()).toBe(false);
  // A folder is younger when a file of it was removed.
  for (const [paths, expected] of [
    [[...compiled, 'scripts/build.mjs', 'src', 'packages/x'], true],
    [others, false],
  ] as const)
    for (const path of paths) {
      date(path, '2026-01-03');
      expect([path, isBuilt()]).toEqual([path, expected]);
      date(path, '2026-01-01');
    }
  rmSync(join(home, 'dist'), { recursive: true });
  expect(isBuilt()).toBe(true);
});

/** `client` is made of `catalogue`, and `catalogue` of `migration`, in the wrong order for a single round. */
const renewing = `import { readFileSync, writeFileSync } from 'node:fs';
  const read = (path) => readFileSync(path, 'utf8');
  if (process.argv.includes('-u')) {
    writeFileSync('client', read('catalogue'));
    writeFileSync('catalogue', read('migration'));
  }
  process.exitCode = read('client') === read('source') ? 0 : 1;`;
const migrating = `import { readFileSync, writeFileSync } from 'node:fs';
  const source = readFileSync('source', 'utf8');
  if (!process.argv.includes('--check')) writeFileSync('migration', source);
  process.exitCode = readFileSync('migration', 'utf8') === source ? 0 : 1;`;
const vitest = 'node_modules/vitest/vitest.mjs';

function generating(files: Readonly<Record<string, string>>) {
  const made = {
    source: 'new',
    migration: 'old',
    catalogue: 'old',
    client: 'old',
    '.gitignore': 'node_modules',
  };
  const idle = { 'scripts/build.mjs': '', 'scripts/generate-icons.mjs': '' };
  const scripts = { ...idle, 'scripts/generate-sql.mjs': migrating, [vitest]: renewing };
  const all = tree({ ...made, ...scripts, ...files }, ['generate.mjs', 'tests-of-check.mjs']);
  spawnSync('git', ['init', '--quiet'], { cwd: all.home });
  return all;
}

test('one command generates all that is made from another, round after round until nothing changes', () => {
  const { run, read } = generating({});
  const due = run('scripts/generate.mjs', '--check');
  expect([due.status, due.stderr]).toEqual([1, expect.stringContaining('npm run generate renews it')]);
  expect(read('migration')).toBe('old');
  const { status, stdout } = run('scripts/generate.mjs');
  expect([status, stdout]).toEqual([0, 'Everything generated is up to date.\n']);
  expect(['migration', 'catalogue', 'client'].map(read)).toEqual(['new', 'new', 'new']);
  expect(run('scripts/generate.mjs', '--check').status).toBe(0);
});

test('what never settles, and what cannot be generated, ends the command with 1', () => {
  const restless = `${renewing}\nwriteFileSync('client', String(process.hrtime.bigint()));`;
  const settling = generating({ [vitest]: restless }).run('scripts/generate.mjs');
  expect([settling.status, settling.stderr]).toEqual([
    1,
    expect.stringContaining('still change after 4 rounds'),
  ]);
  const refused = generating({ [vitest]: 'process.exitCode = 1;' }).run('scripts/generate.mjs');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('mended by hand')]);
  const broken = generating({ 'scripts/generate-sql.mjs': 'process.exitCode = 1;' }).run(
    'scripts/generate.mjs',
  );
  expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining('has to be mended first')]);
});
