// While the database is away nobody holds the lease and no job runs: notes which would have begun, so that
// they are recorded as failed once it is back.
import type { Config } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { forEachSchedule, type JobName, jobsOfSchedule } from '../domain/jobs.ts';
import { isOutage, type UnrecordedRuns } from '../sync/run/unrecorded-runs.ts';
import { startScheduler } from './scheduler.ts';

export function createMissedRuns(
  { schedule }: Pick<Config, 'schedule'>,
  { logger, unrecorded }: { readonly logger: Logger; readonly unrecorded: UnrecordedRuns },
  mayBegin: (job: JobName) => boolean,
) {
  let scheduler: ReturnType<typeof startScheduler> | null = null;
  return {
    /** The lease could not be taken because of the error. */
    stillAway(error: unknown): void {
      if (!isOutage(error)) return;
      unrecorded.extend();
      const jobs = forEachSchedule((name) => async () => {
        const beganMs = performance.now();
        for (const job of jobsOfSchedule(name).filter(mayBegin)) {
          const mode = job === 'transactions' ? 'incremental' : 'full';
          unrecorded.note({ job, mode, run: null, beganMs, error });
        }
      });
      scheduler ??= startScheduler({ schedule, jobs, lastRuns: forEachSchedule(() => new Date()), logger });
    },
    async end(): Promise<void> {
      await scheduler?.stop();
      scheduler = null;
    },
  };
}
