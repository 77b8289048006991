// Two projects. `unit` needs nothing but code. `system` has a real PostgreSQL, which test/support starts once
// per run (each test makes a database of its own), and starts processes. What takes long is sampled here;
// `npm run test:long` runs it in full (test/support/form.ts).
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isLong = process.env['TEST_FORM'] === 'long';
const system = ['{test,packages/*/test}/**/*.pg.test.ts', 'test/system/**/*.test.ts'];
const shared = {
  setupFiles: ['test/support/setup-file.ts'],
  // A worker keeps what it has loaded for its next file: loading takes longer than most files.
  isolate: false,
  testTimeout: isLong ? 900_000 : 180_000,
  // A hook makes a mirror of many days.
  hookTimeout: isLong ? 900_000 : 180_000,
  // A machine that is busy with other tests answers late; vitest's own second is of no use there.
  expect: { poll: { timeout: 60_000 } },
  teardownTimeout: 30_000,
};

export const systemOptions = { ...shared, globalSetup: ['test/support/global-setup.ts'] };

/** Kinds of files, by how long they take. */
const longestFirst = [
  /system\/(e2e|faults|operations)\//,
  /system\//,
  /seal\/.*\.pg\.test/,
  /\.pg\.test/,
  /./,
];

/** The longest files first, so that none is left alone at the end; in a fresh clone by their kind and size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const { cache, config } = this.ctx;
    const keyOf = ({ project, moduleId }: TestSpecification) =>
      `${project.name}:${relative(config.root, moduleId)}`;
    if (files.some((file) => cache.getFileTestResults(keyOf(file)) !== undefined)) return sorted;
    const rank = ({ moduleId }: TestSpecification) => longestFirst.findIndex((kind) => kind.test(moduleId));
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // For two cores: a test waits much of the time, for a process or an answer. In full, tests do more of it.
    maxWorkers: isLong ? 3 : 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: { ...shared, name: 'unit', include: ['{test,packages/*/test}/**/*.test.ts'], exclude: system },
      },
      { test: { ...systemOptions, name: 'system', include: system } },
    ],
  },
});
