// The command that runs tests, from the root of the repository.

/** @param results the file that gets vitest's report as JSON; none if it is left out */
export function vitestRun(results) {
  const report = ['--reporter=default', '--reporter=./scripts/json-reporter.mjs', `--outputFile.json=${results}`];
  return ['node_modules/vitest/vitest.mjs', 'run', ...(results ? report : [])];
}
