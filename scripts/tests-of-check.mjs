// Tests that npm test leaves out, unless a file is named: those of what is written here rather than of what it
// does, which npm run check runs, and long ones, which npm run test:long runs. CI runs all of them.
//
//   node scripts/tests-of-check.mjs    runs those that no other part of the check runs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Each compares a file with what it is generated from; scripts/generate.mjs runs them. */
export const comparisons = [
  'test/sql/schema.pg.test.ts',
  'test/sql/data-dictionary.pg.test.ts',
  'test/system/docs/generated.test.ts',
];

/** Layers, folders, lengths and words, and the scripts themselves. */
export const conventions = [
  'test/sql/generated.pg.test.ts',
  'test/system/architecture/',
  'test/system/docs/glossary.test.ts',
  'test/system/docs/lengths.test.ts',
  'test/system/release/release.test.ts',
];

/** Long tests, most of them of faults that a quicker one finds too: npm run test:long runs them. */
export const longFiles = [
  'packages/demo/test/embedded-postgres/',
  'packages/pages/test/links.pg.test.ts',
  'test/api/custody/long-lists.pg.test.ts',
  'test/api/half-erased.pg.test.ts',
  'test/api/hostile-readers.pg.test.ts',
  'test/custody/own-answers.pg.test.ts',
  'test/scheduler/stalled.pg.test.ts',
  'test/seal/balances.pg.test.ts',
  'test/seal/bent-database.pg.test.ts',
  'test/seal/kills.pg.test.ts',
  'test/seal/mutations.pg.test.ts',
  'test/store/postgres/silence.pg.test.ts',
  'test/sync/jobs/cycle-cost.pg.test.ts',
  'test/sync/learned/repeated-evidence.pg.test.ts',
  'test/system/docs/commands.test.ts',
  'test/system/e2e/broken-answers.test.ts',
  'test/system/e2e/daily-sync.test.ts',
  'test/system/e2e/hostile-answers.test.ts',
  'test/system/e2e/hostile.test.ts',
  'test/system/e2e/limited-addresses.test.ts',
  'test/system/e2e/outputs.test.ts',
  'test/system/e2e/terminal.test.ts',
  'test/system/e2e/tracing.test.ts',
  'test/system/faults/database-clock.test.ts',
  'test/system/faults/full-disk.test.ts',
  'test/system/faults/others.test.ts',
  'test/system/faults/settings.test.ts',
  'test/system/harness/browser.test.ts',
  'test/system/model/counterexamples.test.ts',
  'test/system/operations/account-remedies.test.ts',
  'test/system/operations/remedies.test.ts',
  'test/system/operations/worst-day.test.ts',
  'test/system/reporting/close-of-day.test.ts',
  'test/system/reporting/timing.test.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...conventions];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
