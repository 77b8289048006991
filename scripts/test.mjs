// npm test: builds, runs the tests, and writes down how long it took for the figures of the layout
// (scripts/layout.mjs).
//
//   npm test [-- test/path … and vitest's options]
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'node_modules/.cache/custody-mirror/last-tests.json');
const args = process.argv.slice(2);

// What others do at the same time says nothing of the tests: half a processor of load is little. Of a machine
// of CI nobody knows what else stands behind it.
const idle = process.env.CI === undefined && (loadavg()[0] ?? 0) < 0.5 && availableParallelism() >= 2;
const began = performance.now();
const status =
  run(join(root, 'scripts/build.mjs')) || run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args);
const seconds = Math.round((performance.now() - began) / 1000);
// Another argument may name some of the tests, and the figure is that of all.
if (status === 0 && args.every((arg) => /^--(?:reporter|outputFile)/.test(arg))) {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ seconds, idle }));
}
process.exitCode = status;

function run(program, ...rest) {
  return spawnSync(process.execPath, [program, ...rest], { cwd: root, stdio: 'inherit' }).status ?? 1;
}
