// The command that runs tests, from the root of the repository.
const reporters = ['--reporter=default', '--reporter=./scripts/json-reporter.mjs'];

/** @param results the file that gets vitest's report as JSON; none if it is left out */
export function vitestRun(results) {
  const report = results ? [...reporters, `--outputFile.json=${results}`] : [];
  return ['node_modules/vitest/vitest.mjs', 'run', ...report];
}
