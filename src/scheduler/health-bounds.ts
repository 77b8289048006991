// What the schedule and the configuration mean for health: how old the last success of a job may be before the mirror is
// called unhealthy, several times its own schedule, and which jobs and resources are not judged.
import type { Config, ScheduledJob } from '../base/config.ts';
import { resources as allResources, type Resource } from '../domain/resource.ts';
import type { HealthBounds } from '../store/status-health.ts';
import { longestGapMs } from './schedule-times.ts';

const leastMs = 15 * 60_000;
/** Runs of a job that may be missed before anybody is called. A schedule of working hours counts by its longest gap. */
const missedRuns = 6;

/** The jobs of sync.runs that a schedule starts. */
export const jobsOfSchedule: Readonly<Record<ScheduledJob, readonly string[]>> = {
  transactions: ['transactions'],
  balances: ['balances'],
  documents: ['vaults', 'whitelist'],
  reconcile: ['reconcile'],
  maintenance: ['maintenance'],
};

const scheduledJobs = ['transactions', 'balances', 'documents', 'reconcile', 'maintenance'] as const;

/** @param resources what is mirrored */
export function healthBounds(
  { expressions }: Pick<Config['schedule'], 'expressions'>,
  resources: readonly Resource[] = allResources,
): HealthBounds {
  const maxAgeMs: Record<string, number> = {};
  for (const job of ['transactions', 'balances'] as const) {
    const expression = expressions[job];
    if (expression !== null) maxAgeMs[job] = Math.max(leastMs, missedRuns * longestGapMs(expression));
  }
  return {
    maxAgeMs,
    jobsOff: scheduledJobs.filter((job) => expressions[job] === null).flatMap((job) => jobsOfSchedule[job]),
    resourcesOff: allResources.filter((resource) => !resources.includes(resource)),
  };
}
