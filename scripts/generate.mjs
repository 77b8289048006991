// Renews everything that is generated: npm run generate. Migrations from drizzle/ and sql/, the dump of the
// tables and the dictionary, the documents, the texts and types of the read API, the icons. One of them is
// made from another, so the round is repeated until nothing changes.
//
//   npm run generate [-- --check | --name words_of_a_change]
//
// --check writes nothing and fails where something is due. --name names the migration, from the first release
// on; before it there is one, made anew.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparisons } from './tests-of-check.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({ options: { check: { type: 'boolean' }, name: { type: 'string' } } });
const vitest = 'node_modules/vitest/vitest.mjs';
const isReleased = existsSync(join(root, 'test/system/versions/released'));
const migration = isReleased ? ['--name', options.name ?? 'change'] : ['--baseline'];

if (options.check) check();
else generate();

function check() {
  const steps = [
    () => run('scripts/build.mjs', '--no-check', '--if-stale'),
    () => run('scripts/generate-sql.mjs', '--check'),
    () => run('scripts/generate-icons.mjs', '--check'),
    () => compare(),
  ];
  if (steps.every((step) => step())) return;
  process.stderr.write('Something generated differs from its source: npm run generate renews it.\n');
  process.exitCode = 1;
}

function generate() {
  const rounds = 4;
  for (let round = 1; round <= rounds; round += 1) {
    const before = digestOfFiles();
    const isMade =
      run('scripts/build.mjs', '--no-check', '--if-stale') &&
      run('scripts/generate-sql.mjs', ...migration) &&
      run('scripts/generate-icons.mjs');
    if (!isMade) return fail('What is above has to be mended first.');
    const agrees = compare('-u');
    if (digestOfFiles() !== before) continue;
    if (!agrees) return fail('What is above cannot be generated: it has to be mended by hand.');
    // What these queries answer takes half a minute to find out: once, when all else is settled.
    run(vitest, 'run', '--reporter=dot', 'test/system/dashboards/answers.test.ts', '-t', 'docs/sql.md', '-u');
    return console.log('Everything generated is up to date.');
  }
  fail(`The generated files still change after ${rounds} rounds: git diff shows which.`);
}

function compare(...rest) {
  return run(vitest, 'run', '--reporter=dot', ...comparisons, ...rest);
}

function run(script, ...args) {
  return (
    spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status === 0
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** Of all files that git tracks or would. */
function digestOfFiles() {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  const digest = createHash('sha256');
  for (const file of stdout
    .toString()
    .split('\0')
    .filter((name) => name && existsSync(join(root, name))))
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest('hex');
}
