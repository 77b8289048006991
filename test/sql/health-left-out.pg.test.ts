// What CUSTODY_RESOURCES leaves out after it was mirrored counts nowhere: health, its figures, freshness,
// status and metrics tell the same.
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';
import { observeStatus } from '../../src/server/metrics-source.ts';
import { account } from '../support/store.ts';
import { byDaemon, except, health, quarantined, withRuns } from './health-cases.ts';

const expectations = (off: readonly string[]) =>
  byDaemon.map((row) =>
    off.includes(row.job) ? { ...row, isMirrored: false, isScheduled: false, maxAgeMs: null } : row,
  );

/** Vaults fail and have findings; the whitelist was read last ten days ago, and has findings. */
async function trouble(off: readonly string[]) {
  const store = await withRuns(
    [
      ...except('vaults', 'whitelist'),
      { job: 'vaults', ago: '2 days', verified: true },
      { job: 'vaults', ago: '2 hours', status: 'failed', code: 'ERR-02' },
      { job: 'vaults', ago: '1 hour', status: 'failed', code: 'ERR-02' },
      { job: 'whitelist', ago: '10 days', verified: true },
    ],
    expectations(off),
  );
  await quarantined(store, 'vaults');
  await store.query(
    `insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
     values ($1, 'unknown-value', 'vaults', 'v1', '{}', now(), now()), ($1, 'too-many-missing', 'whitelist', '', '{}', now(), now())`,
    [account],
  );
  const [figures] = await store.query(
    `select failing_resources::int as failing, stale_resources::int as stale, open_anomalies::int as anomalies,
       quarantined_records::int as quarantined, runs_24h::int as runs, failed_runs_24h::int as failed,
       lag < interval '1 hour' as is_fresh
     from reporting.sync_health`,
  );
  const failing = await store.query(`select resource from reporting.data_freshness where is_failing`);
  const { codes, status } = await health(store);
  const metrics = createMetrics();
  observeStatus(metrics, status);
  const open = async (gauge: typeof metrics.anomaliesOpen | typeof metrics.quarantineOpen) =>
    (await gauge.get()).values.reduce((sum, { value }) => sum + value, 0);
  return {
    figures,
    codes,
    failing: failing.map(({ resource }) => resource),
    status: [status.anomalies.length, status.quarantine.length],
    metrics: [await open(metrics.anomaliesOpen), await open(metrics.quarantineOpen)],
  };
}

test('what is left out counts in no figure of health, freshness, status and metrics', async () => {
  expect(await trouble(['vaults', 'whitelist'])).toEqual({
    figures: { failing: 0, stale: 0, anomalies: 0, quarantined: 0, runs: 2, failed: 0, is_fresh: true },
    codes: [],
    failing: [],
    status: [0, 0],
    metrics: [0, 0],
  });
});

test('the same counts everywhere while it is mirrored', async () => {
  expect(await trouble([])).toEqual({
    figures: { failing: 1, stale: 2, anomalies: 2, quarantined: 1, runs: 4, failed: 2, is_fresh: false },
    codes: [
      'too-many-missing whitelist',
      'key-refused vaults',
      'stale vaults',
      'stale whitelist',
      'quarantine vaults',
      'anomaly unknown-value',
    ],
    failing: ['vaults'],
    status: [2, 1],
    metrics: [2, 1],
  });
});
