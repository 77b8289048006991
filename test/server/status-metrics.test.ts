import { expect, test } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';
import { observeStatus } from '../../src/server/metrics-source.ts';
import { job, secondsAgo, statusReport } from '../support/status-report.ts';

interface Series {
  readonly value: number;
  readonly labels: { readonly account?: string | number };
}

/** The other labels and the value of each series, which all are of the account of the report. */
async function valuesOf(gauge: { get(): Promise<{ readonly values: readonly Series[] }> }) {
  const { values } = await gauge.get();
  return values.map(({ value, labels: { account, ...labels } }) => {
    expect(account).toBe('treasury');
    return [...Object.values(labels), value];
  });
}

const off = (...jobs: readonly string[]) =>
  jobs.map((name) => ({ job: name, startedBy: 'daemon', isMirrored: false, isScheduled: false }));
const notScheduled = (...jobs: readonly string[]) =>
  off(...jobs).map((one) => ({ ...one, isMirrored: true }));

test('what is not mirrored has no series', async () => {
  const metrics = createMetrics();
  const at = { lastSucceededAt: secondsAgo(10), lastVerifiedAt: secondsAgo(10) };
  const jobs = ['transactions', 'reconcile', 'balances', 'maintenance'].map((name) => job(name, at));
  const quarantine = [{ resource: 'transactions', open: 3, lastObservedAt: secondsAgo(5) }];
  observeStatus(
    metrics,
    statusReport({ jobs, quarantine, expected: off('transactions', 'reconcile', 'whitelist') }),
  );
  const told = (await valuesOf(metrics.lastSuccess)).map(([name]) => name);
  expect(told).toEqual(['vaults', 'balances', 'maintenance']);
  expect(await valuesOf(metrics.lastVerified)).toEqual(
    ['balances', 'maintenance'].map((name) => [name, Date.parse(secondsAgo(10)) / 1000]),
  );
  expect(await valuesOf(metrics.quarantineOpen)).toEqual([
    ['balances', 0],
    ['vaults', 0],
  ]);
});

test('what never succeeded or was never verified has its series from the start, with 0', async () => {
  const metrics = createMetrics();
  observeStatus(metrics, statusReport({ jobs: [] }));
  const never = (...jobs: string[]) => jobs.map((name) => [name, 0]);
  expect(await valuesOf(metrics.lastSuccess)).toEqual(
    never('transactions', 'balances', 'vaults', 'whitelist'),
  );
  expect(await valuesOf(metrics.lastVerified)).toEqual(never('transactions', 'reconcile'));

  const at = Date.parse(secondsAgo(10)) / 1000;
  const jobs = [
    job('transactions', { lastSucceededAt: secondsAgo(10), lastVerifiedAt: null }),
    job('reconcile', { lastSucceededAt: secondsAgo(10), lastVerifiedAt: secondsAgo(10) }),
  ];
  observeStatus(metrics, statusReport({ jobs }));
  expect(await valuesOf(metrics.lastSuccess)).toContainEqual(['transactions', at]);
  expect(await valuesOf(metrics.lastVerified)).toEqual([
    ['transactions', 0],
    ['reconcile', at],
  ]);

  const idle = createMetrics();
  observeStatus(
    idle,
    statusReport({ jobs: [], expected: [...off('vaults'), ...notScheduled('balances', 'reconcile')] }),
  );
  expect(await valuesOf(idle.lastSuccess)).toEqual(never('transactions', 'whitelist'));
  expect(await valuesOf(idle.lastVerified)).toEqual(never('transactions'));
});
