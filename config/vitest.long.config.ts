// The long forms, in full: npm run test:long. Each file also runs in `npm test`, with a sample of it or with
// tests that are skipped by name (test/support/form.ts).
import { defineConfig } from 'vitest/config';
import { systemOptions } from '../vitest.config.ts';

export default defineConfig({
  test: {
    ...systemOptions,
    name: 'long',
    // For two cores, as in vitest.config.ts.
    maxWorkers: 3,
    testTimeout: 900_000,
    env: { TEST_FORM: 'long' },
    include: [
      'packages/client/test/api.pg.test.ts',
      'packages/pages/test/links.pg.test.ts',
      'test/custody/rate/adaptive-rate.test.ts',
      'test/api/{lists,paging,spec}.pg.test.ts',
      'test/api/custody/{filters,odd-records}.pg.test.ts',
      'packages/sandbox/test/world/{lists,world}.test.ts',
      'test/custody/own-answers.pg.test.ts',
      'test/scheduler/schedule-times.test.ts',
      'test/sync/jobs/cycle-cost.pg.test.ts',
      'test/sync/walk/{budget,walk-list}.test.ts',
      'test/sync/walk/check/{exchanges,random,walk-check,whole}.test.ts',
      'test/seal/{honest,kills,mutations,present}.pg.test.ts',
      'test/system/crash/*.test.ts',
      'test/system/docs/commands.test.ts',
      'test/system/clients/subscriber.test.ts',
      'test/system/e2e/{broken-answers,custody-chain,daemon,database-offline,demo,failover,faults,hostile-answers,https,least-privilege,moved-database,secrets,serve,tracing}.test.ts',
      'test/system/harness/browser.test.ts',
      'test/system/operations/{upgrade,worst-days}.test.ts',
      'test/system/pages/{balances,documents,overview,reference,sync,transactions}.test.ts',
      'test/system/faults/{database-clock,full-disk,lists,others,settings,transactions}.test.ts',
      'test/system/model/interleavings.test.ts',
      'test/system/release/package.test.ts',
      'test/system/reporting/{calendar,known-prices,ledger,month,properties}.test.ts',
      'test/system/soak/*.test.ts',
      'test/sql/destination-totals.pg.test.ts',
    ],
  },
});
