// Sets the gauges about the database from a status report. A series is removed when its subject is gone.
import type { Metrics } from '../base/metrics.ts';
import { isMirrored, resources, sweepingJobs } from '../domain/jobs.ts';
import { isHealthy } from '../status/health.ts';
import { disabledResources, type StatusReport } from '../store/query/status.ts';

/**
 * Removes the values that are unknown while the status cannot be read. The times of the last success,
 * verification and reading stay, because they show their own age.
 */
export function forgetStatus(metrics: Metrics): void {
  metrics.healthy.set(Number.NaN);
  metrics.healthProblems.reset();
  metrics.quarantineOpen.reset();
  metrics.anomaliesOpen.reset();
}

/**
 * Sets the gauges of health, quarantine and anomalies, and of the last success and verification of each job.
 * They come from the database, so they are right on a standby and after a restart. Nothing awaits in between,
 * so a scrape sees the old values or the new ones. A scheduled job has the value 0 before its first success,
 * because an alert needs a series. A resource that is not mirrored has no series, so that no alert judges it.
 */
export function observeStatus(metrics: Metrics, report: StatusReport): void {
  const resourcesOff = disabledResources(report);
  const jobsOff = report.expected.filter(({ isScheduled }) => !isScheduled).map(({ job }) => job);
  metrics.statusRead.set(Date.parse(report.readAt) / 1000);
  metrics.healthProblems.reset();
  for (const { code, severity, subject } of report.problems)
    metrics.healthProblems.set({ code, severity, subject }, 1);
  metrics.healthy.set(isHealthy(report).healthy ? 1 : 0);

  for (const resource of resources)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource }, 0);
  for (const { resource, open } of report.quarantine)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource }, open);

  metrics.anomaliesOpen.reset();
  for (const { kind, open } of report.anomalies) metrics.anomaliesOpen.set({ kind }, open);

  const isJudged = (job: string) => isMirrored(job, resourcesOff) && !jobsOff.includes(job);
  const neverYet = (job: string, mark: 'lastSucceededAt' | 'lastVerifiedAt') =>
    isJudged(job) && report.jobs.every((known) => known.job !== job || known[mark] === null);
  for (const job of resources)
    if (neverYet(job, 'lastSucceededAt')) metrics.lastSuccess.set({ mirror_job: job }, 0);
  for (const job of sweepingJobs)
    if (neverYet(job, 'lastVerifiedAt')) metrics.lastVerified.set({ mirror_job: job }, 0);
  for (const { job, lastSucceededAt, lastVerifiedAt } of report.jobs) {
    if (!isMirrored(job, resourcesOff)) continue;
    if (lastSucceededAt !== null)
      metrics.lastSuccess.set({ mirror_job: job }, Date.parse(lastSucceededAt) / 1000);
    if (lastVerifiedAt !== null)
      metrics.lastVerified.set({ mirror_job: job }, Date.parse(lastVerifiedAt) / 1000);
  }
}
