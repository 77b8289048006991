// Literal status reports for tests of what is made of them.
import type {
  HealthProblem,
  JobStatus,
  RunStatusReport,
  StatusReport,
  SweepStatus,
} from '../../src/store/job-queries/status.ts';
import type { JobOutcome } from '../../src/sync/run/run-job.ts';

export const readAt = '2026-07-01T12:00:00.000000Z';

/** A moment so many seconds before the report was read. */
export function secondsAgo(seconds: number): string {
  return new Date(Date.parse(readAt) - seconds * 1000).toISOString();
}

export function lastRun(changes: Partial<RunStatusReport> = {}): RunStatusReport {
  return {
    runId: '7',
    mode: 'full',
    status: 'succeeded',
    startedAt: secondsAgo(15),
    finishedAt: secondsAgo(12),
    requests: 9,
    recordsRead: 1234,
    recordsInserted: 5,
    recordsChanged: 2,
    statusChanges: 1,
    quarantined: 0,
    verified: true,
    verdict: { end: 'confirmed', doubts: [] },
    errorCode: null,
    errorMessage: null,
    ...changes,
  };
}

/** What a run of transactions came to: verified, with nothing new. */
export function outcome(changes: Partial<JobOutcome> = {}): JobOutcome {
  return {
    job: 'transactions',
    status: 'succeeded',
    verified: true,
    doubts: [],
    coverage: null,
    records: 1_234,
    inserted: 0,
    changed: 0,
    quarantined: 0,
    requests: 9,
    rateLimited: 0,
    attempts: 1,
    seconds: 1.25,
    errorCode: null,
    errorMessage: null,
    keyRejected: false,
    ...changes,
  };
}

export function job(name: string, changes: Partial<Omit<JobStatus, 'job'>> = {}): JobStatus {
  return {
    job: name,
    lastRun: lastRun(),
    lastSucceededAt: secondsAgo(12),
    lastVerifiedAt: secondsAgo(12),
    ...changes,
  };
}

/** A problem as reporting.health_problems tells it, with what the test changes. */
export function problem(changes: Partial<HealthProblem> = {}): HealthProblem {
  return {
    code: 'failing',
    severity: 'critical',
    subject: 'transactions',
    since: secondsAgo(3600),
    problem: 'The last run of transactions failed: no answer (TIMEOUT)',
    fix: 'the next run tries again',
    ...changes,
  };
}

/** A sweep that met everything, with what the test changes. */
function sweep(changes: Partial<SweepStatus> = {}): SweepStatus {
  return {
    job: 'transactions',
    finishedAt: secondsAgo(12),
    verified: true,
    coverage: { met: 12_345, listLength: 12_345, listShown: null, isResumed: false },
    doubts: [],
    notCovered: [],
    ...changes,
  };
}

/** A healthy mirror, with what the test changes. */
export function statusReport(changes: Partial<StatusReport> = {}): StatusReport {
  return {
    account: 'treasury',
    baseUrl: 'https://custody.example/api',
    readAt,
    problems: [],
    expected: [],
    transactions: {
      total: 12345,
      missing: 0,
      open: [
        { status: 'confirming', count: 14 },
        { status: 'pending', count: 3 },
      ],
      lastSweep: sweep(),
    },
    balances: [
      { vaultType: 'all', snapshotAt: secondsAgo(100), assets: 12, quarantined: 0, unreadableAssets: [] },
      { vaultType: 'cold', snapshotAt: secondsAgo(100), assets: 5, quarantined: 0, unreadableAssets: [] },
      { vaultType: 'warm', snapshotAt: secondsAgo(100), assets: 9, quarantined: 0, unreadableAssets: [] },
    ],
    vaults: { present: 6, missing: 0, changedAt: secondsAgo(86_400) },
    whitelist: { present: 40, missing: 1, changedAt: secondsAgo(86_400) },
    jobs: [job('balances'), job('transactions'), job('vaults'), job('whitelist')],
    anomalies: [],
    quarantine: [],
    sealed: null,
    lease: { holder: 'host-1/4242', acquiredAt: secondsAgo(7200), expiresAt: secondsAgo(-20) },
    learned: [
      {
        fact: 'transaction_path',
        value: 'singular',
        evidence: 'a transaction was answered by its id with the singular path',
        updatedAt: secondsAgo(172_800),
      },
    ],
    ...changes,
  };
}
