// What to expect of each job by the configuration: whether it is mirrored, whether a schedule starts it, and
// how old its last success may be. reporting.health_problems judges by it.
import type { Config } from '../base/config/config.ts';
import { hasWork, isReading, jobNames, jobOf } from '../domain/jobs.ts';
import type { Expectation } from '../store/run/expectations.ts';
import { longestGapMs } from './due-times.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const leastAgeMs = 15 * minuteMs;
/**
 * Runs that a job may miss before it is overdue. A schedule with pauses, such as working hours, counts by its
 * longest gap.
 */
const missedRuns = 6;
/** The same for verified sweeps: one may fail or leave a doubt. */
const missedSweeps = 3;
/** `sync` by cron, with `--full` once a week, satisfies it. */
const verifiedBySyncMs = 8 * dayMs;

type Expected = Pick<Config, 'resources'> & { readonly schedule: Pick<Config['schedule'], 'expressions'> };

/** What the daemon is expected to do, by its schedules. */
export function expectedOfDaemon(config: Expected): readonly Expectation[] {
  return jobsOf(config).map(({ schedule, job, isMirrored }) => {
    const expression = config.schedule.expressions[schedule];
    const isScheduled = isMirrored && expression !== null;
    const gapMs = isScheduled ? longestGapMs(expression) : 0;
    return {
      job,
      isMirrored,
      isScheduled,
      maxAgeMs: isScheduled && isReading(job) ? Math.max(leastAgeMs, missedRuns * gapMs) : null,
      maxVerifiedAgeMs: isScheduled && job === 'reconcile' ? Math.max(dayMs, missedSweeps * gapMs) : null,
    };
  });
}

/** What `sync` is expected to do; its past runs show how often it is started. */
export function expectedOfSync(config: Pick<Config, 'resources'>): readonly Expectation[] {
  return jobsOf(config).map(({ job, isMirrored }) => ({
    job,
    isMirrored,
    isScheduled: isMirrored && isReading(job),
    maxAgeMs: null,
    maxVerifiedAgeMs: isMirrored && job === 'reconcile' ? verifiedBySyncMs : null,
  }));
}

/** Each job with the schedule that starts it, and whether what it reads is mirrored. */
function jobsOf({ resources: mirrored }: Pick<Config, 'resources'>) {
  return jobNames.map((job) => {
    const { schedule } = jobOf(job);
    return { schedule, job, isMirrored: hasWork(job, mirrored) };
  });
}
