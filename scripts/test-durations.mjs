// Prints where the time of a test run went: the slowest folders, files and tests. npm test does so at its
// end. A file's time is that of its worker, of which several run at once, and much of it is waiting.
//
//   node scripts/test-durations.mjs [file that vitest's json reporter wrote] [how many of each]
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [written = join(root, 'node_modules/.cache/custody-mirror/tests.json'), count = '10'] =
  process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(written, 'utf8'));
const files = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
  path: relative(root, name),
  ms: endTime - startTime,
  tests: assertionResults,
}));
const folders = new Map();
for (const { path, ms } of files) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + ms);
const tests = files.flatMap(({ path, tests }) =>
  tests.map(({ fullName, duration }) => [`${path}: ${fullName}`, duration ?? 0]),
);
print('folders', [...folders]);
print(
  'files',
  files.map(({ path, ms }) => [path, ms]),
);
print('tests', tests);

function print(what, entries) {
  const all = entries.reduce((sum, [, ms]) => sum + ms, 0);
  console.log(`\nslowest ${what}, of ${seconds(all)} s in ${entries.length}`);
  const slowest = entries.toSorted(([, one], [, other]) => other - one).slice(0, Number(count));
  for (const [name, ms] of slowest) console.log(`${seconds(ms).padStart(7)} s  ${name.slice(0, 110)}`);
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}
