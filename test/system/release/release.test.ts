// `npm run release` in a clone of its own, and the workflows that a tag and a change start: what they call is
// there, and each may do what it must.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { newFolder } from '../../support/folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string, folder = root) => readFileSync(join(folder, path), 'utf8');
const named = ['package.json', 'packages', 'package-lock.json', 'Dockerfile', 'deploy', 'scripts'];

/** What names the version, committed in a repository of its own, with one entry in its changelog. */
function clone() {
  const home = newFolder();
  for (const path of named)
    cpSync(join(root, path), join(home, path), {
      recursive: true,
      filter: (from) => !/\/(src|test|node_modules)$/.test(from),
    });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  writeFileSync(join(home, '.gitignore'), 'node_modules\n');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.test', ...args], {
      cwd: home,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  git('config', 'user.name', 'somebody');
  git('config', 'user.email', 'somebody@example.test');
  const write = (text: string) => {
    writeFileSync(join(home, 'CHANGELOG.md'), `# Changelog\n\nThe format.\n\n${text}`);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Before');
  };
  write('## [Unreleased]\n\n### Added\n\n- A thing that\n  takes two lines.\n');
  const release = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: home, encoding: 'utf8' });
  return { home, git, write, release };
}

test('a release gives its version to all that names one, dates the changelog, commits and tags', () => {
  const { home, git, release } = clone();
  const before = git('rev-parse', 'HEAD');
  const pretended = release('77.1.2', '--dry-run');
  expect([pretended.status, git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual([0, '', before]);

  const { status, stdout, stderr } = release('77.1.2');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(pretended.stdout);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^Release 77\.1\.2 .*tag: v77\.1\.2/);
  const version = z.object({ version: z.literal('77.1.2') });
  for (const name of ['.', ...readdirSync(join(home, 'packages')).map((found) => `packages/${found}`)]) {
    version.parse(JSON.parse(read(`${name}/package.json`, home)));
    const locked = JSON.parse(read('package-lock.json', home)).packages[name === '.' ? '' : name];
    version.parse(locked);
  }
  expect(read('Dockerfile', home)).toContain('image.version="77.1.2"');
  expect(read('deploy/kubernetes/deployment.yaml', home)).toContain('custody-mirror:77.1.2\n');
  expect(read('deploy/helm/Chart.yaml', home)).toMatch(/^version: 77\.1\.2\nappVersion: 77\.1\.2$/m);
  const [, dated = ''] = read('CHANGELOG.md', home).split('The format.\n\n');
  expect(dated).toMatch(
    /^## 77\.1\.2 - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing that\n {2}takes two lines\.\n$/,
  );
  expect(release('--notes').stdout.trim()).toBe(dated.trim());
});

test('a release of nothing, of an older version, of an existing tag or with other changes is refused', () => {
  const { home, git, write, release } = clone();
  git('tag', 'v78.0.0');
  writeFileSync(join(home, 'other'), '');
  expect(release('0.0.1').stderr).toMatch(/is older than/);
  expect(release('78.0.0').stderr).toMatch(/not committed\n.*the tag v78\.0\.0 is there/);
  expect(release('next').stderr).toMatch(/name the version/);
  write('## 0.0.1 - 2026-01-01\n\n- Old.\n');
  expect(release('78.0.1').stderr).toMatch(/nothing below \[Unreleased\]/);
  expect(git('tag').trim()).toBe('v78.0.0');
});

test('what is published is named with its hash only where the registry has it, and a dry run names nothing', () => {
  const { git, release } = clone();
  const pretended = release('--published', '0.0.77', '--dry-run');
  expect(pretended).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('npm install') });
  expect(git('status', '--porcelain')).toBe('');
  // A registry that nobody serves.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1');
  vi.stubEnv('npm_config_fetch_retries', '0');
  const refused = release('--published', '0.0.77');
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^release: npm view .*ECONNREFUSED/s),
  });
  expect(refused.stderr).not.toMatch(/^ {4}at /m);
  expect(git('status', '--porcelain')).toBe('');
});

test('what the check before a release runs is there', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/release-check.mjs', '--dry-run'], {
    cwd: root,
    encoding: 'utf8',
  });
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
  const called = [...stdout.matchAll(/npm run ([\w:]+)|(?:bash|node) ([\w./-]+)/g)];
  expect(called.length).toBeGreaterThan(8);
  for (const [, script, file] of called)
    expect(script === undefined ? read(file ?? '') : scripts).toContain(script ?? '');
});

const job = z.looseObject({
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
});
const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  env: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), job),
});
const workflows = Object.fromEntries(
  ['ci', 'release'].map((name) => [name, workflow.parse(parse(read(`.github/workflows/${name}.yml`)))]),
);

test('changes and releases are held by .ci/run, and nothing may write but what publishes', () => {
  const granted = Object.entries(workflows).flatMap(([name, { permissions, jobs }]) =>
    Object.entries(jobs).map(([title, found]) => [
      `${name} ${title}`,
      Object.entries(found.permissions ?? permissions)
        .filter(([, level]) => level !== 'read')
        .map(([what]) => what),
    ]),
  );
  expect(Object.fromEntries(granted)).toEqual({
    'ci run': [],
    'release check': [],
    'release image': ['packages'],
    'release package': [],
    'release publish': ['id-token'],
    'release page': ['contents'],
  });
  for (const title of ['ci run', 'release check']) {
    const [name = '', part = ''] = title.split(' ');
    expect(workflows[name]?.jobs[part]?.steps.map(({ run }) => run)).toContain('bash .ci/run');
  }
});

test('.ci/run looks for unused files before it builds, because a fresh clone has no dist/', () => {
  const steps = [...read('.ci/run').matchAll(/^step (\w+) /gm)].map(([, name]) => name);
  expect(steps.filter((name) => ['unused', 'build', 'generated'].includes(name ?? ''))).toEqual([
    'unused',
    'build',
    'generated',
  ]);
});

test('actions and the base image are named by their content, and no step is given a secret', () => {
  const steps = Object.values(workflows).flatMap(({ jobs }) =>
    Object.values(jobs).flatMap(({ steps: all }) => all),
  );
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  expect(workflows['release']?.env?.['BASE']).toMatch(/^node@sha256:[0-9a-f]{64}$/);
  expect(steps.filter((step) => JSON.stringify(step).includes('secrets.'))).toEqual([]);
});

test('a job that may write anything runs no script of an installation', () => {
  for (const [title, { permissions, steps }] of Object.entries(workflows['release']?.jobs ?? {})) {
    if (!Object.values(permissions ?? {}).includes('write')) continue;
    for (const { run = '' } of steps)
      if (/\bnpm (ci|install|publish)\b/.test(run)) expect(run, title).toContain('--ignore-scripts');
  }
});

test('links of the templates and of SECURITY.md lead to files', () => {
  for (const path of ['SECURITY.md', '.github/pull_request_template.md'])
    for (const [, to = ''] of read(path).matchAll(/\]\(([^):]+)\)/g))
      expect(read(join(dirname(path), to)), to).not.toBe('');
});
