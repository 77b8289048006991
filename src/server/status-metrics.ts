// Sets the gauges about accounts from what the database says of them. A series is removed when its subject is
// gone.
import type { Metrics } from '../base/metrics.ts';
import { isMirrored, resources, sweepingJobs } from '../domain/jobs.ts';
import type { ProcessFacts } from '../status/process-facts.ts';
import { figureNames } from '../store/job-queries/account-figures.ts';
import { disabledResources, type StatusReport } from '../store/job-queries/status.ts';

const ofStatus = ['healthProblems', 'quarantineOpen', 'anomaliesOpen'] as const;

/**
 * Removes the values that are unknown while the status cannot be read. The times of the last success,
 * verification and reading stay, because they show their own age.
 */
export function forgetStatus(metrics: Metrics, accounts: readonly string[]): void {
  for (const account of accounts) metrics.healthy.set({ account }, Number.NaN);
  for (const name of [...ofStatus, ...figureNames]) metrics[name].reset();
}

/** Nobody is called for what such an account has left open. */
function isRetired({ problems }: Pick<StatusReport, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'retired');
}

/** A replica that is behind knows all else as it was. */
export function isBehind({ problems }: Pick<StatusReport, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'replica-behind');
}

/**
 * Sets the gauges of health, quarantine and anomalies, and of the last success and verification of each job,
 * of these accounts and no others. They come from the database, so they are right on a standby and after a
 * restart. Nothing awaits in between, so a scrape sees the old values or the new ones.
 */
export function observeStatus(metrics: Metrics, ...all: readonly StatusReport[]): void {
  for (const name of ofStatus) metrics[name].reset();
  // Beside processes that read the primary, what is out of date must neither raise an alert nor hide that
  // nobody knows better.
  if (all.some(isBehind)) {
    observeBehind(metrics, all);
    return;
  }
  for (const name of ['healthy', 'statusRead', 'lastSuccess', 'lastVerified'] as const) metrics[name].reset();
  for (const status of all) {
    const { account, readAt, problems, anomalies } = status;
    metrics.statusRead.set({ account }, Date.parse(readAt) / 1000);
    for (const { code, severity, subject } of problems)
      metrics.healthProblems.set({ code, severity, subject, account }, 1);
    metrics.healthy.set({ account }, problems.every(({ severity }) => severity === 'note') ? 1 : 0);
    if (!isRetired(status))
      for (const { kind, open } of anomalies) metrics.anomaliesOpen.set({ kind, account }, open);
    observeJobs(metrics, status);
  }
}

/** Sets what the process knows of its own work, whether or not the database answers. */
export function observeProcess(metrics: Metrics, facts: ProcessFacts): void {
  const { workFailures, workSuccessAge } = metrics;
  workFailures.reset();
  workSuccessAge.reset();
  for (const [subject, ms] of facts.sinceSuccess()) {
    workFailures.set({ subject }, 0);
    workSuccessAge.set({ subject }, ms / 1000);
  }
  for (const { subject, failures } of facts.failing()) workFailures.set({ subject }, failures);
}

function observeBehind(metrics: Metrics, all: readonly StatusReport[]): void {
  for (const name of figureNames) metrics[name].reset();
  for (const { account, problems } of all) {
    metrics.healthy.set({ account }, 0);
    for (const { code, severity, subject } of problems)
      if (code === 'replica-behind') metrics.healthProblems.set({ code, severity, subject, account }, 1);
  }
}

/**
 * A scheduled job has the value 0 before its first success, because an alert needs a series. A resource that
 * is not mirrored has no series, so that no alert judges it.
 */
function observeJobs(metrics: Metrics, status: StatusReport): void {
  const { account, expected, jobs, quarantine } = status;
  const resourcesOff = disabledResources(status);
  for (const resource of resources)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource, account }, 0);
  for (const { resource, open } of isRetired(status) ? [] : quarantine)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource, account }, open);

  const jobsOff = expected.filter(({ isScheduled }) => !isScheduled).map(({ job }) => job);
  const isJudged = (job: string) => isMirrored(job, resourcesOff) && !jobsOff.includes(job);
  const neverYet = (job: string, mark: 'lastSucceededAt' | 'lastVerifiedAt') =>
    isJudged(job) && jobs.every((known) => known.job !== job || known[mark] === null);
  for (const job of resources)
    if (neverYet(job, 'lastSucceededAt')) metrics.lastSuccess.set({ mirror_job: job, account }, 0);
  for (const job of sweepingJobs)
    if (neverYet(job, 'lastVerifiedAt')) metrics.lastVerified.set({ mirror_job: job, account }, 0);
  for (const { job, lastSucceededAt, lastVerifiedAt } of jobs) {
    if (!isMirrored(job, resourcesOff)) continue;
    if (lastSucceededAt !== null)
      metrics.lastSuccess.set({ mirror_job: job, account }, Date.parse(lastSucceededAt) / 1000);
    if (lastVerifiedAt !== null)
      metrics.lastVerified.set({ mirror_job: job, account }, Date.parse(lastVerifiedAt) / 1000);
  }
}
