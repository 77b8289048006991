// Tests of what is written here rather than of what it does: npm run check runs them, and so does CI; npm test
// leaves them out.
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

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...conventions];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
