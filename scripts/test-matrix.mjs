// Runs the integration tests on other versions of Node.js and PostgreSQL than those at hand: every
// combination of the two lists. What is missing is installed first. Needs the build. Ends with the first exit
// code that is not 0, after all have run.
//
//   node scripts/test-matrix.mjs [--node 20,22,24,26] [--postgres 15,16,17,18] [--results file] [test/path …]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installVersion } from './install-version.mjs';
import { vitestRun } from './vitest-run.mjs';

/** The tests that lean on the database and on Node.js most. */
const integrationTests = [
  'test/store',
  'test/sql',
  'test/sync',
  'test/scheduler',
  'test/http',
  'test/system/e2e',
  'test/system/faults',
  'test/system/crash',
  'test/system/clients',
  'test/system/reporting',
  'test/system/dashboards',
  'test/system/operations',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: '20,22,24,26' },
    postgres: { type: 'string', default: '15,16,17,18' },
    results: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const outcomes = [];
for (const node of values.node.split(','))
  for (const postgres of values.postgres.split(',')) {
    const name = `Node.js ${node} with PostgreSQL ${postgres}`;
    console.log(`=== ${name}`);
    const began = Date.now();
    const status = runTests(node, postgres);
    outcomes.push({ name, status, seconds: Math.round((Date.now() - began) / 1000) });
  }
for (const { name, status, seconds } of outcomes)
  console.log(`=== ${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
process.exitCode = outcomes.find(({ status }) => status !== 0)?.status ?? 0;

function runTests(node, postgres) {
  const program = nodeProgram(node);
  const paths = positionals.length > 0 ? positionals : integrationTests;
  const { status } = spawnSync(program, [...vitestRun(values.results), '--testTimeout=900000', ...paths], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(program, '..')}${delimiter}${process.env.PATH}`,
      TEST_DATABASE: 'embedded',
      TEST_POSTGRES_VERSION: postgres,
      // What is sampled in `npm test` runs in full, unless somebody chose the tests.
      ...(positionals.length > 0 ? {} : { TEST_FORM: 'long' }),
    },
  });
  return status ?? 1;
}

function nodeProgram(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const installed = installVersion(`node-${major}`);
  const program = join(installed, 'node_modules', `node-${platform()}-${arch()}`, 'bin', 'node');
  if (!existsSync(program))
    throw new Error(
      `there is no Node.js ${major} for ${platform()} on ${arch()} to install; run this with it`,
    );
  return program;
}
