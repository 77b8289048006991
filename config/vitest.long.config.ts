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
      'packages/pages/test/{hostile-names,links,too-long}.pg.test.ts',
      'packages/pages/test/parts/sealed.pg.test.ts',
      'packages/sandbox/test/world/{lists,world}.test.ts',
      'test/api/{at,csv,hostile-readers,lists,paging,spec,xlsx}.pg.test.ts',
      'test/api/custody/{filters,odd-records}.pg.test.ts',
      'test/custody/http/deadlines.test.ts',
      'test/custody/rate/adaptive-rate.test.ts',
      'test/http/access/keys.pg.test.ts',
      'test/scheduler/daemon.pg.test.ts',
      'test/scheduler/schedule-times.test.ts',
      'test/seal/{checkpoints-file,damaged-log,forgeries,honest,kills,long-rows,mutations,parts,present,replicas}.pg.test.ts',
      'test/sql/{destination-totals,generated}.pg.test.ts',
      'test/store/postgres/{database,silence}.pg.test.ts',
      'test/store/read-api/report-pages.pg.test.ts',
      'test/store/schema/migrate.pg.test.ts',
      'test/sync/jobs/{cycle-cost,long-records,repeat-sweeps}.pg.test.ts',
      'test/sync/pages/slow-database.pg.test.ts',
      'test/sync/run/{clock-order,lease-holder}.pg.test.ts',
      'test/sync/walk/{budget,walk-list}.test.ts',
      'test/sync/walk/check/{exchanges,random,walk-check,whole}.test.ts',
      'test/system/clients/subscriber.test.ts',
      'test/system/crash/*.test.ts',
      'test/system/docs/commands.test.ts',
      'test/system/e2e/{account,broken-answers,clock-steps,custody-chain,daemon,database-full,database-offline,demo,doctor,failover,faults,hostile-answers,hostile,https,keys,least-privilege,moved-database,outputs,pause,proxy,rename,roll-out,seal,secrets,serve,stop-while-waiting,sync-request,tracing}.test.ts',
      'test/system/faults/{database-clock,database-states,full-disk,lists,others,settings,transactions}.test.ts',
      'test/system/harness/browser.test.ts',
      'test/system/model/interleavings.test.ts',
      'test/system/operations/{account-remedies,process-remedies,remedies,upgrade,worst-days}.test.ts',
      'test/system/pages/{balances,documents,hostile,morning,overview,reference,sync,transactions}.test.ts',
      'test/system/release/package.test.ts',
      'test/system/reporting/{calendar,known-prices,ledger,month,properties}.test.ts',
      'test/system/soak/*.test.ts',
    ],
  },
});
