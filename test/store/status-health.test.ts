import { expect, test } from 'vitest';
import type { StatusReport } from '../../src/store/status.ts';
import { isHealthy } from '../../src/store/status-health.ts';
import type { SweepStatus } from '../../src/store/status-sweep.ts';
import { job, lastRun, secondsAgo, statusReport, sweep } from '../support/status-report.ts';

const failed = lastRun({
  status: 'failed',
  verified: null,
  verdict: null,
  errorCode: 'TIMEOUT',
  errorMessage: 'transactions did not answer within 30000 ms.',
});

test('a mirror whose jobs succeeded and in which nothing is open is healthy', () => {
  expect(isHealthy(statusReport())).toEqual({ healthy: true, reasons: [] });
});

test('a mirror into which nothing was read is not, and the way to begin is told', () => {
  expect(isHealthy(statusReport({ jobs: [], baseUrl: null, lease: null }))).toEqual({
    healthy: false,
    reasons: [
      'Nothing was mirrored yet for the account treasury: start custody-mirror run, or run custody-mirror sync once.',
    ],
  });
});

test('a process that holds the lease and has mirrored nothing yet is named in place of the way to begin', () => {
  const report = statusReport({ jobs: [] });
  expect(isHealthy(report).reasons).toEqual([
    `Nothing was mirrored yet for the account treasury: see the log of ${report.lease?.holder}, which holds the lease.`,
  ]);
});

test('a first run that failed is told beside it', () => {
  const jobs = [job('transactions', { lastRun: failed, lastSucceededAt: null, lastVerifiedAt: null })];
  const { reasons } = isHealthy(statusReport({ jobs }));
  expect(reasons).toHaveLength(2);
  expect(reasons[0]).toContain('The last run of transactions failed');
});

const withSweep = (changes: Partial<SweepStatus> | null, more: Partial<StatusReport> = {}) => {
  const report = statusReport({ jobs: [job('transactions', { lastVerifiedAt: null })], ...more });
  const lastSweep = changes === null ? null : sweep({ verified: false, ...changes });
  return { ...report, transactions: { ...report.transactions, lastSweep } };
};

test('a mirror of which no sweep was ever verified is not healthy, and says how much was met and what to do', () => {
  const coverage = { met: 196, listLength: null, listShown: 200, isResumed: false };
  const shuffled = withSweep({ coverage, doubts: ['order-settled'] });
  expect(isHealthy(shuffled)).toEqual({
    healthy: false,
    reasons: [
      'No sweep of transactions has ever been verified: some may be missing from the mirror. The last one: met 196 of at least 200 records; the order of the list differs from one request to the next; the last of several sweeps found nothing new; not covered: what no pass through the list happened to show. The process host-1/4242 tries again, and if it stays so, ask the operator of the service for a list that keeps its order.',
    ],
  });
  const [stopped] = isHealthy({ ...shuffled, lease: null }).reasons;
  expect(stopped).toContain('Run custody-mirror sync --full, or start custody-mirror run');
  expect(isHealthy(withSweep(null)).reasons).toEqual([
    'No sweep of transactions has ever been verified: some may be missing from the mirror. The process host-1/4242 tries again.',
  ]);
});

test('one verified sweep of either job, or transactions that are not mirrored or not read yet, leave nothing to say', () => {
  const never = job('transactions', { lastVerifiedAt: null });
  const open = { doubts: ['order-settled'] } as const;
  expect(isHealthy(withSweep(open, { jobs: [never, job('reconcile')] })).healthy).toBe(true);
  const unverified = [never, job('balances'), job('reconcile', { lastVerifiedAt: null })];
  expect(isHealthy(withSweep(open, { jobs: unverified })).healthy).toBe(false);
  const others = { maxAgeMs: {}, resourcesOff: ['transactions'] } as const;
  expect(isHealthy(withSweep(open, { jobs: unverified }), others).healthy).toBe(true);
  const first = job('transactions', {
    lastRun: lastRun({ status: 'running' }),
    lastSucceededAt: null,
    lastVerifiedAt: null,
  });
  expect(isHealthy(withSweep(null, { jobs: [job('balances'), first] }), { maxAgeMs: {} }).healthy).toBe(true);
});

test('a last run that failed is told with its reason, its code and the mend', () => {
  const jobs = [job('transactions', { lastRun: failed, lastSucceededAt: secondsAgo(60) })];
  expect(isHealthy(statusReport({ jobs })).reasons).toEqual([
    'The last run of transactions failed 12 s ago: transactions did not answer within 30000 ms (TIMEOUT); the next run tries again, and CUSTODY_TIMEOUT_MS sets how long an answer is waited for.',
  ]);
});

test('what is not mirrored, and a job that nothing starts, are not judged', () => {
  const rejected = lastRun({ status: 'failed', errorCode: 'ERR-02', errorMessage: 'whitelist: ERR-02: no' });
  const whitelist = job('whitelist', { lastRun: rejected, lastSucceededAt: null });
  const report = statusReport({
    jobs: [job('transactions'), whitelist],
    quarantine: [{ resource: 'whitelist', open: 1, lastObservedAt: secondsAgo(60) }],
  });
  const maxAgeMs = {};
  expect(isHealthy(report, { maxAgeMs }).reasons).toEqual([
    'The last run of whitelist failed 12 s ago: whitelist: ERR-02: no; check CUSTODY_API_KEY and that its role reaches whitelist, or leave whitelist out of CUSTODY_RESOURCES.',
    expect.stringContaining('1 record of whitelist could not be read'),
  ]);
  expect(isHealthy(report, { maxAgeMs, jobsOff: ['whitelist'] }).reasons).toHaveLength(1);
  expect(isHealthy(report, { maxAgeMs, resourcesOff: ['whitelist'] })).toEqual({
    healthy: true,
    reasons: [],
  });
  expect(isHealthy(statusReport(), { maxAgeMs, jobsOff: ['transactions', 'balances'] }).healthy).toBe(true);

  const others = { maxAgeMs, resourcesOff: ['transactions', 'balances', 'vaults'] } as const;
  expect(isHealthy(report, others).reasons).toContainEqual(
    expect.stringContaining('Nothing was mirrored yet'),
  );
  const vanished = [{ kind: 'too-many-vanished', open: 1, lastObservedAt: null }];
  expect(isHealthy(statusReport({ anomalies: vanished })).healthy).toBe(false);
  expect(isHealthy(statusReport({ anomalies: vanished }), others).healthy).toBe(true);
});

test('a code that nobody knows is told as it came', () => {
  for (const errorCode of ['XYZ-9', 'constructor', null]) {
    const run = { ...failed, errorCode };
    const jobs = [job('toString', { lastRun: run, lastSucceededAt: secondsAgo(60) })];
    expect(isHealthy(statusReport({ jobs })).reasons).toEqual([
      `The last run of toString failed 12 s ago: transactions did not answer within 30000 ms (${errorCode ?? 'UNEXPECTED'}).`,
    ]);
  }
});

test('a failure after which the job succeeded is over', () => {
  const jobs = [job('transactions', { lastRun: failed, lastSucceededAt: secondsAgo(5) })];
  expect(isHealthy(statusReport({ jobs })).healthy).toBe(true);
});

test('a run that was interrupted or is going on is no failure', () => {
  for (const status of ['abandoned', 'running']) {
    const run = lastRun({ status, verified: null, verdict: null, errorCode: 'STOPPED' });
    const jobs = [job('transactions', { lastRun: run, lastSucceededAt: secondsAgo(60) })];
    expect(isHealthy(statusReport({ jobs })).healthy).toBe(true);
  }
});

test('a job past its bound is told with how old it is, and one at its bound is not', () => {
  const bounds = { maxAgeMs: { balances: 600_000 } };
  const aged = (seconds: number) =>
    statusReport({ jobs: [job('balances', { lastSucceededAt: secondsAgo(seconds) })] });
  expect(isHealthy(aged(600), bounds).healthy).toBe(true);
  expect(isHealthy(aged(601), bounds).reasons).toEqual([
    'The last success of balances was 10 min ago, more than the 10 min allowed; see the log of host-1/4242, which holds the lease.',
  ]);
  expect(isHealthy({ ...aged(900), lease: null }, bounds).reasons).toEqual([
    'The last success of balances was 15 min ago, more than the 10 min allowed; no process holds the lease of this account: start custody-mirror run.',
  ]);
});

test('a job with a bound that never succeeded is told, and one without a bound may be of any age', () => {
  const bounds = { maxAgeMs: { transactions: 60_000 } };
  const jobs = [
    job('transactions', { lastSucceededAt: null, lastRun: lastRun({ status: 'running' }) }),
    job('vaults', { lastSucceededAt: secondsAgo(999_999) }),
  ];
  expect(isHealthy(statusReport({ jobs }), bounds).reasons).toEqual([
    'No run of transactions has succeeded yet: see the log of custody-mirror run.',
  ]);
});

test('records in quarantine are told with where to look', () => {
  const quarantine = [
    { resource: 'balances', open: 1, lastObservedAt: secondsAgo(1) },
    { resource: 'vaults', open: 0, lastObservedAt: secondsAgo(1) },
    { resource: 'transactions', open: 1200, lastObservedAt: secondsAgo(1) },
  ];
  expect(isHealthy(statusReport({ quarantine })).reasons).toEqual([
    '1 record of balances could not be read and lies in quarantine: sync.quarantine holds the text and the reason.',
    '1,200 records of transactions could not be read and lie in quarantine: sync.quarantine holds the text and the reason.',
  ]);
});

test('only an anomaly that puts the mirror in doubt makes it unhealthy', () => {
  const anomaly = (kind: string) => statusReport({ anomalies: [{ kind, open: 1, lastObservedAt: null }] });
  expect(isHealthy(anomaly('unknown-value')).healthy).toBe(true);
  expect(isHealthy(anomaly('constructor')).healthy).toBe(true);
  expect(isHealthy(anomaly('too-many-vanished')).reasons).toEqual([
    expect.stringContaining('check that CUSTODY_BASE_URL and the key still belong to this account'),
  ]);
});
