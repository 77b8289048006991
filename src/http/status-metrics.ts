// The gauges that tell what the database holds, set from a status report: a series whose subject is gone goes with it.
import type { Metrics } from '../base/metrics.ts';
import { isMirrored, type Resource, resources } from '../domain/resource.ts';
import type { StatusReport } from '../store/status.ts';

/**
 * Sets the gauges of open quarantine and anomalies, and of each job's last success and verification, so that they tell
 * the truth on a standby and after a restart too. Nothing awaits in between: a scrape sees the old values or the new.
 * What is not mirrored has no series, so that no alert judges it.
 */
export function observeStatus(
  metrics: Metrics,
  report: StatusReport,
  resourcesOff: readonly Resource[] = [],
): void {
  for (const resource of resources)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource }, 0);
  for (const { resource, open } of report.quarantine)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource }, open);

  metrics.anomaliesOpen.reset();
  for (const { kind, open } of report.anomalies) metrics.anomaliesOpen.set({ kind }, open);

  for (const { job, lastSucceededAt, lastVerifiedAt } of report.jobs) {
    if (!isMirrored(job, resourcesOff)) continue;
    if (lastSucceededAt !== null)
      metrics.lastSuccess.set({ mirror_job: job }, Date.parse(lastSucceededAt) / 1000);
    if (lastVerifiedAt !== null)
      metrics.lastVerified.set({ mirror_job: job }, Date.parse(lastVerifiedAt) / 1000);
  }
}
