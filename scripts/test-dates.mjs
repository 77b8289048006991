// Runs the tests at other dates, in other time zones and on a busy machine: the suite is to be green at each.
// Needs the build. Ends with the first exit code that is not 0, after all have run.
//
//   node scripts/test-dates.mjs [--short] [--at 2026-11-28T12:00:00Z] [--zone Pacific/Auckland] [--busy]
//     [--results file] [test/path …]
//
// Without --at, --zone and --busy: at every occasion below. --short takes some of them and of the tests, for
// CI. A library (shifted-clock.c) shifts the time of all processes, including PostgreSQL. Where there is no C
// compiler, only the tests of the project `unit` run at other dates, which need neither a database nor
// another process; that is told, with exit code 1 unless --short. It is not libfaketime: under that one
// PostgreSQL's timeouts never come, as a signal handler that interrupts a wait is told the real time.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { vitestRun } from './vitest-run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The clock goes on from `at`; where it changes then, it does two minutes after the start. */
const occasions = [
  { name: 'a Saturday', at: '2026-11-28T12:00:00Z', short: true },
  { name: '29 February', at: '2028-02-29T12:00:00Z' },
  { name: '28 February, the last of its month', at: '2027-02-28T23:55:00Z' },
  { name: 'the year ends', at: '2026-12-31T23:58:00Z' },
  { name: 'summer time begins in Berlin', at: '2027-03-28T00:58:00Z', zone: 'Europe/Berlin' },
  { name: 'summer time ends in Berlin', at: '2027-10-31T00:58:00Z', zone: 'Europe/Berlin' },
  { name: 'summer time ends in Auckland', at: '2027-04-03T13:58:00Z', zone: 'Pacific/Auckland' },
  { name: 'summer time begins in Auckland', at: '2027-09-25T13:58:00Z', zone: 'Pacific/Auckland' },
  { name: '29 February in Auckland', at: '2028-02-28T12:00:00Z', zone: 'Pacific/Auckland', short: true },
  { name: 'today in Auckland', zone: 'Pacific/Auckland' },
  { name: 'every processor busy', busy: true },
];

/** What reads the calendar, or drives what does: schedules, days of reports, ages, dates in requests. */
const shortTests = [
  'test/base/',
  'test/cli/',
  'test/domain/',
  'test/api/at',
  'test/api/custody/filters',
  'packages/pages/test/',
  'packages/sandbox/test/',
  'test/scheduler/',
  'test/sql/health-problems',
  'test/status/',
  'test/store/job-queries/',
  'test/store/upkeep/',
  'test/system/dashboards/',
  'test/system/harness/',
  'test/system/reporting/calendar',
  'test/system/reporting/health',
  'test/system/reporting/ledger',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string' },
    zone: { type: 'string' },
    busy: { type: 'boolean' },
    short: { type: 'boolean' },
    results: { type: 'string' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'custody-mirror-clock-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
// PostgreSQL runs as another account where we are root.
chmodSync(scratch, 0o755);
const library = compileClock();
const outcomes = chosenOccasions().map((occasion) => {
  const name = [occasion.name, occasion.at, occasion.zone].filter(Boolean).join(', ');
  console.log(`=== ${name}`);
  const began = performance.now();
  const { status, result } = run(occasion);
  const seconds = Math.round((performance.now() - began) / 1000);
  const only = isUnitOnly(occasion) ? '; only unit tests' : '';
  const told = `=== ${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s${only}`;
  return { status, result, told, only };
});
for (const { told } of outcomes) console.log(told);
const incomplete = outcomes.some(({ only }) => only);
const left = incomplete
  ? 'there is no C compiler (on Debian: apt-get install gcc libc6-dev), so only unit tests ran at other dates'
  : '';
if (values.results !== undefined)
  writeFileSync(values.results, JSON.stringify({ ...joined(outcomes.map(({ result }) => result)), left }));
if (incomplete) console.log(`=== NOT all was run: ${left}`);
process.exitCode =
  outcomes.find(({ status }) => status !== 0)?.status ?? (incomplete && !values.short ? 1 : 0);

function chosenOccasions() {
  const { at, zone, busy } = values;
  if (at === undefined && zone === undefined && !busy)
    return occasions.filter(({ short }) => short || !values.short);
  if (at !== undefined && Number.isNaN(Date.parse(at)))
    throw new Error(`--at must be a moment such as 2026-11-28T12:00:00Z, and not ${at}`);
  return [{ name: 'as asked', at, zone, busy }];
}

/** Without the library only this process can run at another date. */
function isUnitOnly({ at }) {
  return at !== undefined && library === null;
}

/** Runs the tests at the occasion. */
function run({ at, zone, busy }) {
  const tests = positionals.length > 0 || !values.short ? positionals : shortTests;
  const only = isUnitOnly({ at }) ? ['--project', 'unit', '--passWithNoTests'] : [];
  const written = join(scratch, 'results.json');
  writeFileSync(written, '{}');
  const burning = busy ? burn(availableParallelism()) : [];
  try {
    const env = { ...process.env, TEST_DATABASE: 'embedded', ...(zone ? { TZ: zone } : {}), ...clockOf(at) };
    checkClock(env, at);
    const args = [...vitestRun(written), ...only, ...tests];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
    return { status: status ?? 1, result: JSON.parse(readFileSync(written, 'utf8')) };
  } finally {
    for (const child of burning) child.kill();
  }
}

/** The results of several runs as those of one, as far as scripts/count-tests.mjs reads them. */
function joined(runs) {
  const sum = (count) => runs.reduce((total, run) => total + (run[count] ?? 0), 0);
  const counts = ['numPassedTests', 'numPendingTests', 'numTodoTests'].map((count) => [count, sum(count)]);
  const all = (key) => runs.flatMap((run) => run[key] ?? []);
  return { ...Object.fromEntries(counts), testResults: all('testResults'), outside: all('outside') };
}

/** The path of the compiled library; null if it is unavailable. */
function compileClock() {
  const path = join(scratch, 'clock.so');
  const source = join(root, 'scripts', 'shifted-clock.c');
  const { status } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', path, source], { stdio: 'inherit' });
  return status === 0 ? path : null;
}

/** Variables under which a process takes `at` for now. */
function clockOf(at) {
  if (at === undefined) return {};
  const shift = { CLOCK_SHIFT_MS: String(Date.parse(at) - Date.now()) };
  if (library !== null) return { ...shift, LD_PRELOAD: library };
  const preload = pathToFileURL(join(root, 'scripts', 'shifted-clock.mjs')).href;
  return { ...shift, NODE_OPTIONS: `--import=${preload}` };
}

/** A run that ignored the given time must not count. */
function checkClock(env, at) {
  if (at === undefined) return;
  const { stdout, stderr } = spawnSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' });
  if (!(Math.abs(Number(stdout) - Date.parse(at)) < 30_000))
    throw new Error(`the clock could not be set to ${at}: ${stdout}${stderr}`);
}

/** Processes that do nothing but work, until they are killed or we are gone. */
function burn(count) {
  const work = 'const parent = process.ppid; while (process.ppid === parent);';
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', work], { stdio: 'ignore' }));
}
