// What the configuration promises of each job, for the one definition of health in SQL (reporting.health_problems): whether it is
// mirrored, whether something starts it, and how old its last success may be, several times its own schedule.
import type { Config, ScheduledJob } from '../base/config.ts';
import { mirroredBy, resources } from '../domain/resource.ts';
import type { Expectation } from '../store/run/expectations.ts';
import { longestGapMs } from './schedule-times.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const leastAgeMs = 15 * minuteMs;
/** Runs of a job that may be missed before anybody is called. A schedule of working hours counts by its longest gap. */
const missedRuns = 6;
/** The same of sweeps that are verified: each may leave a doubt, and one night may fail. */
const missedSweeps = 3;
/** For who runs `sync` by cron and sweeps everything with `--full` once a week. */
const verifiedBySyncMs = 8 * dayMs;

/** The jobs of sync.runs that a schedule starts. */
export const jobsOfSchedule: Readonly<Record<ScheduledJob, readonly string[]>> = {
  transactions: ['transactions'],
  balances: ['balances'],
  documents: ['vaults', 'whitelist'],
  reconcile: ['reconcile'],
  maintenance: ['maintenance'],
};

const scheduledJobs = ['transactions', 'balances', 'documents', 'reconcile', 'maintenance'] as const;

type Expected = Pick<Config, 'resources'> & { readonly schedule: Pick<Config['schedule'], 'expressions'> };

/** What the daemon does by its schedules. */
export function expectedOfDaemon(config: Expected): readonly Expectation[] {
  return jobsOf(config).map(({ schedule, job, isMirrored, isReading }) => {
    const expression = config.schedule.expressions[schedule];
    const isScheduled = isMirrored && expression !== null;
    const gapMs = isScheduled ? longestGapMs(expression) : 0;
    return {
      job,
      isMirrored,
      isScheduled,
      maxAgeMs: isScheduled && isReading ? Math.max(leastAgeMs, missedRuns * gapMs) : null,
      maxVerifiedAgeMs: isScheduled && job === 'reconcile' ? Math.max(dayMs, missedSweeps * gapMs) : null,
    };
  });
}

/** What `sync` does whenever somebody starts it: how often that is, its runs tell. */
export function expectedOfSync(config: Pick<Config, 'resources'>): readonly Expectation[] {
  return jobsOf(config).map(({ job, isMirrored, isReading }) => ({
    job,
    isMirrored,
    isScheduled: isMirrored && isReading,
    maxAgeMs: null,
    maxVerifiedAgeMs: isMirrored && job === 'reconcile' ? verifiedBySyncMs : null,
  }));
}

/** Each job with the schedule that starts it, whether what it reads is mirrored, and whether it reads a resource by its own name. */
function jobsOf({ resources: mirrored }: Pick<Config, 'resources'>) {
  return scheduledJobs.flatMap((schedule) =>
    jobsOfSchedule[schedule].map((job) => {
      const resource = mirroredBy(job);
      const isMirrored = resource === null || mirrored.includes(resource);
      return { schedule, job, isMirrored, isReading: resources.some((one) => one === job) };
    }),
  );
}
