// Makes a release of what is committed: gives its version to packages, image and manifests, dates the
// changelog, commits and tags. Nothing leaves the machine: the tag is pushed by hand, and
// .github/workflows/release.yml publishes what it names. With --dry-run it says what it would do.
//
//   node scripts/release.mjs <version> [--dry-run]
//   node scripts/release.mjs --notes                  what the changelog says of the newest release
//   node scripts/release.mjs --published <version>    from now on the upgrade from it is tested
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parser } from 'keep-a-changelog';
import { argumentsGiven } from './arguments-given.mjs';

/** Files that name the version, besides package.json, package-lock.json and the packages. */
const alsoNamed = ['Dockerfile', 'deploy/kubernetes/deployment.yaml', 'deploy/helm/Chart.yaml'];

const options = { 'dry-run': { type: 'boolean' }, notes: { type: 'boolean' }, published: { type: 'string' } };
const { values, positionals } = argumentsGiven('release', options, { allowPositionals: true });
const changelog = parser(readFileSync('CHANGELOG.md', 'utf8'));
// With blank lines around headings, as the file is written.
changelog.format = 'markdownlint';

if (values.notes) {
  console.log(changelog.releases.find(({ date }) => date !== undefined)?.toString(changelog) ?? '');
} else if (values.published) {
  nameReleased(values.published);
} else {
  const [version = ''] = positionals;
  const { version: before } = JSON.parse(readFileSync('package.json', 'utf8'));
  const refusals = refusalsOf(version, before);
  for (const refusal of refusals) console.error(`release: ${refusal}`);
  if (refusals.length === 0) release(version, before);
  else process.exitCode = 1;
}

/** With the hash of the package. Where the registry does not have it, nothing is written. */
function nameReleased(version) {
  const folder = 'test/system/versions/released';
  step('npm', 'view', `custody-mirror@${version}`, 'dist.integrity');
  const manifest = {
    name: 'custody-mirror-released',
    private: true,
    dependencies: { 'custody-mirror': version },
  };
  if (!values['dry-run']) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  step('npm', 'install', '--prefix', folder, '--package-lock-only', '--ignore-scripts');
}

function refusalsOf(version, before) {
  const unreleased = changelog.releases.find(({ date }) => date === undefined);
  return [
    [!isVersion(version), 'name the version, such as 0.2.0'],
    [isVersion(version) && isOlder(version, before), `${version} is older than ${before}`],
    [ask('git', 'status', '--porcelain') !== '', 'there are changes that are not committed'],
    [ask('git', 'tag', '--list', `v${version}`) !== '', `the tag v${version} is there`],
    [unreleased === undefined || unreleased.isEmpty(), 'CHANGELOG.md has nothing below [Unreleased]'],
  ]
    .filter(([isSo]) => isSo)
    .map(([, refusal]) => refusal);
}

function isVersion(text) {
  return /^\d+\.\d+\.\d+$/.test(text);
}

function isOlder(version, than) {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

function release(version, before) {
  const everywhere = ['--workspaces', '--include-workspace-root', '--allow-same-version'];
  step('npm', 'version', version, '--no-git-tag-version', '--package-lock-only', ...everywhere);
  for (const file of alsoNamed)
    change(file, (text) => text.replaceAll(before, version), `${before} becomes ${version}`);
  const entry = changelog.releases.find(({ date }) => date === undefined);
  entry.setVersion(version);
  entry.setDate(new Date());
  change('CHANGELOG.md', () => changelog.toString(), `[Unreleased] becomes ${version} of today`);
  step('git', 'commit', '--all', '--message', `Release ${version}`);
  step('git', 'tag', '--annotate', `v${version}`, '--message', `custody-mirror ${version}`);
  console.log(`Then, by hand: git push --follow-tags`);
}

function change(file, edit, what) {
  console.log(`${file}: ${what}`);
  if (!values['dry-run']) writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

function step(program, ...args) {
  console.log([program, ...args.map((arg) => (/[^\w.-]/.test(arg) ? `'${arg}'` : arg))].join(' '));
  if (!values['dry-run']) ask(program, ...args);
}

function ask(program, ...args) {
  // `npm run -s` would keep npm from saying why it failed.
  const env = { ...process.env, npm_config_loglevel: 'error' };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  if (status === 0) return stdout.trim();
  console.error(`release: ${program} ${args.join(' ')} failed:\n${stderr}`);
  return process.exit(1);
}
