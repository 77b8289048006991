// Retries a sweep of transactions with doubts, in the slot of its job, without waiting for its schedule. A
// verified sweep of either job settles both: they sweep the same list.
import type { Logger } from '../base/logger.ts';
import type { BackoffBounds } from '../base/loop.ts';
import { jobOf, type SweepingJob, sweepingJobs } from '../domain/jobs.ts';
import { nextTry, noTries, type Tries } from '../sync/jobs/repeat-sweeps.ts';
import type { JobOutcome } from '../sync/run/run-job.ts';
import type { JobSlots } from './job-slots.ts';

export function createSweepRetrier(slots: JobSlots, backoff: BackoffBounds, logger: Logger) {
  const triesOf = new Map<SweepingJob, Tries>();
  return {
    /** Takes the outcome of a run, and schedules the next attempt if needed. */
    after(job: SweepingJob, outcome: JobOutcome, sweep: () => Promise<void>) {
      const { schedule } = jobOf(job);
      const next = nextTry(triesOf.get(job) ?? noTries, outcome, backoff);
      if (next === null) return;
      if (outcome.verified === true) {
        triesOf.clear();
        for (const sweeping of sweepingJobs) slots.cancel(jobOf(sweeping).schedule);
        return;
      }
      triesOf.set(job, next.tries);
      if (next.againInMs === null) return slots.cancel(schedule);
      const fields = { job, in_ms: next.againInMs, again: next.tries.again, doubts: outcome.doubts };
      logger.info(fields, 'sweep left doubts and will be retried');
      slots.runIn(schedule, next.againInMs, sweep);
    },
  };
}
