// Runs jobs on schedule: each by its cron expression, delayed by the account's share, never overlapping
// itself, and at startup if its time has passed meanwhile. Due times, also of retries in their slots, are
// polled every second of monotonic time. Stopping ends that and waits for running jobs.
import type { ScheduleConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { sleep as realSleep, runLoop, type Sleep } from '../base/loop.ts';
import { type ScheduleName, scheduleNames } from '../domain/jobs.ts';
import { createAlarm, createDueTimes, spreadMs } from './due-times.ts';
import { createJobSlots, type JobSlots } from './job-slots.ts';

export interface SchedulerOptions {
  readonly schedule: ScheduleConfig;
  readonly jobs: Readonly<Record<ScheduleName, () => Promise<void>>>;
  /** When each job last started; null for never. */
  readonly lastRuns: Readonly<Record<ScheduleName, Date | null>>;
  readonly logger: Logger;
  /** Its share of each spread, that of the start included: `shareOf` the account. Default 0. */
  readonly share?: number;
  /** Shared with other code that starts jobs. */
  readonly slots?: JobSlots;
  readonly now?: () => Date;
  readonly sleep?: Sleep;
}

/** The spread of jobs that are due at startup. */
const startSpreadMs = 10_000;

export function startScheduler(options: SchedulerOptions) {
  const { schedule, jobs, lastRuns, logger, share = 0, now = () => new Date(), sleep = realSleep } = options;
  const slots = options.slots ?? createJobSlots({ logger });
  const stopped = new AbortController();
  const runAfter = async (ms: number, job: ScheduleName) => {
    if (ms > 0) await sleep(ms, stopped.signal).catch(() => undefined);
    if (!stopped.signal.aborted) await slots.run(job, jobs[job]);
  };

  const startedAt = now().getTime();
  const timers = scheduleNames.flatMap((job) => {
    const expression = schedule.expressions[job];
    if (expression === null) return [];
    const times = { expression, timezone: schedule.timezone };
    const last = lastRuns[job]?.getTime();
    if (last === undefined || createDueTimes(times)(last, startedAt))
      void runAfter(share * startSpreadMs, job);
    return [{ job, delayMs: share * spreadMs(expression), isDue: createAlarm(times, startedAt) }];
  });
  const asking = runLoop({
    signal: stopped.signal,
    backoff: { minMs: 1_000, maxMs: 1_000 },
    onError: (err) => logger.error({ err }, 'schedules could not be evaluated'),
    turn: async () => {
      const wallMs = now().getTime();
      slots.startDue();
      for (const { job, delayMs, isDue } of timers)
        if (isDue(wallMs, performance.now())) void runAfter(delayMs, job);
      // Waits in monotonic time, until the end of the second.
      return 1_000 - (wallMs % 1_000);
    },
  });

  return {
    /** Resolves when the running jobs have ended; no other starts. */
    async stop() {
      stopped.abort();
      const ended = slots.stop();
      await asking;
      await ended;
    },
  };
}
