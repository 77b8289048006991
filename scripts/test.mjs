// npm test: builds, runs the tests, prints the slowest of them (scripts/test-durations.mjs), and writes down
// how long it took for the figures of the layout (scripts/layout.mjs). With TEST_FORM=long, as npm run
// test:long sets it, each test runs in full.
//
//   npm test [-- --results <file of vitest's report as JSON>] [test/path … and vitest's options]
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { comparisons, conventions, longFiles } from './tests-of-check.mjs';
import { vitestRun } from './vitest-run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/custody-mirror');
const args = process.argv.slice(2);
const at = args.indexOf('--results');
const [, results = join(cache, 'tests.json')] = at < 0 ? [] : args.splice(at, 2);
// Another argument may name some of the tests, and the figures are those of all.
const areAll = args.every((arg) => arg.startsWith('--reporter'));

// In full, all of them run, those of npm run check too.
const isLong = process.env.TEST_FORM === 'long';
const leftOut =
  areAll && !isLong
    ? [...comparisons, ...conventions, ...longFiles].map((path) => `--exclude=${path.replace(/\/$/, '/**')}`)
    : [];

mkdirSync(cache, { recursive: true });
rmSync(results, { force: true });
// What others do at the same time says nothing of the tests: half a processor of load is little. Of a machine
// of CI nobody knows what else stands behind it.
const idle = process.env.CI === undefined && (loadavg()[0] ?? 0) < 0.5 && availableParallelism() >= 2;
const began = performance.now();
const status = run('scripts/build.mjs') || run(...vitestRun(results), ...args, ...leftOut);
const seconds = Math.round((performance.now() - began) / 1000);
if (areAll) run('scripts/test-durations.mjs', results);
if (status === 0 && areAll && !isLong)
  writeFileSync(join(cache, 'last-tests.json'), JSON.stringify({ seconds, idle }));
process.exitCode = status;

function run(program, ...rest) {
  const options = { cwd: root, stdio: 'inherit' };
  return spawnSync(process.execPath, [join(root, program), ...rest], options).status ?? 1;
}
