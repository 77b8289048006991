// The gauges that tell what the database holds, set from a status report: a series whose subject is gone goes with it.
import type { Metrics } from '../base/metrics.ts';
import { isMirrored, sweepingJobs } from '../domain/jobs.ts';
import { resources } from '../domain/resource.ts';
import { leftOut, type StatusReport } from '../store/query/status.ts';
import { isHealthy } from '../store/query/status-health.ts';

/**
 * Takes back what is true only of the moment it was read at: while the status cannot be read nobody knows it. The moments of
 * the last success, verification and reading stay, for they tell their own age.
 */
export function forgetStatus(metrics: Metrics): void {
  metrics.healthy.set(Number.NaN);
  metrics.healthProblems.reset();
  metrics.quarantineOpen.reset();
  metrics.anomaliesOpen.reset();
}

/**
 * Sets the gauges of open quarantine and anomalies, and of each job's last success and verification, so that they tell
 * the truth on a standby and after a restart too. Nothing awaits in between: a scrape sees the old values or the new.
 * A job that something starts has its series before its first success, with 0: an alert cannot judge a series that is not
 * there. What is not mirrored has none, so that no alert judges it.
 */
export function observeStatus(metrics: Metrics, report: StatusReport): void {
  const resourcesOff = leftOut(report);
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
