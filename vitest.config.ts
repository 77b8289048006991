// Two projects. `unit` needs nothing but code. `system` has a real PostgreSQL, which test/support starts once
// per run (each test makes a database of its own), and starts processes. What takes long is sampled here;
// config/vitest.long.config.ts runs it in full.
import { defineConfig } from 'vitest/config';

const system = ['{test,packages/*/test}/**/*.pg.test.ts', 'test/system/**/*.test.ts'];
const shared = {
  setupFiles: ['test/support/setup-file.ts'],
  // A worker keeps what it has loaded for its next file: loading takes longer than most files.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 30_000,
};

export const systemOptions = { ...shared, globalSetup: ['test/support/global-setup.ts'] };

export default defineConfig({
  test: {
    // For two cores: a test waits much of the time, for a process or an answer.
    maxWorkers: 4,
    projects: [
      {
        test: { ...shared, name: 'unit', include: ['{test,packages/*/test}/**/*.test.ts'], exclude: system },
      },
      { test: { ...systemOptions, name: 'system', include: system } },
    ],
  },
});
