// When jobs run: each by its cron expression, a little later by the account's share, never beside itself, and
// at the start when its time has passed meanwhile. Stopping takes the timers away and waits for what is
// running.
import { createTask, type ScheduledTask } from 'node-cron';
import type { ScheduleConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { sleep as realSleep, type Sleep } from '../base/loop.ts';
import { type ScheduleName, scheduleNames } from '../domain/jobs.ts';
import { createJobSlots, type JobSlots } from './job-slots.ts';
import { isDue } from './schedule-times.ts';
import { spreadMs } from './spread.ts';

export interface SchedulerOptions {
  readonly schedule: ScheduleConfig;
  readonly jobs: Readonly<Record<ScheduleName, () => Promise<void>>>;
  /** When each job last began; null when never. */
  readonly lastRuns: Readonly<Record<ScheduleName, Date | null>>;
  readonly logger: Logger;
  /** Of the spread of each expression, and of that of the start: `shareOf` the account. Default 0. */
  readonly share?: number;
  /** Shared with what starts jobs otherwise. */
  readonly slots?: JobSlots;
  readonly now?: () => Date;
  readonly sleep?: Sleep;
}

/** How far what is due at the start is spread. */
const startSpreadMs = 10_000;

export function startScheduler(options: SchedulerOptions) {
  const { schedule, jobs, lastRuns, logger, share = 0, now = () => new Date(), sleep = realSleep } = options;
  const slots = options.slots ?? createJobSlots({ logger });
  const tasks: ScheduledTask[] = [];
  const stopped = new AbortController();
  const runAfter = async (ms: number, job: ScheduleName) => {
    if (ms > 0) await sleep(ms, stopped.signal).catch(() => undefined);
    if (!stopped.signal.aborted) await slots.run(job, jobs[job]);
  };

  for (const job of scheduleNames) {
    const expression = schedule.expressions[job];
    if (expression === null) continue;
    const delayMs = share * spreadMs(expression);
    const task = createTask(expression, () => void runAfter(delayMs, job), {
      name: job,
      timezone: schedule.timezone,
      suppressMissedWarning: true,
      logger: quietLogger(logger),
    });
    tasks.push(task);
    void task.start();
    if (isDue({ expression, match: (date) => task.match(date) }, lastRuns[job], now()))
      void runAfter(share * startSpreadMs, job);
  }

  return {
    /** Takes the timers away and resolves when the running jobs have ended. */
    async stop() {
      stopped.abort();
      const ended = slots.stop();
      for (const task of tasks) await task.destroy();
      await ended;
    },
  };
}

/** node-cron's own messages, such as that of a late timer, are logged at debug level. */
function quietLogger(logger: Logger) {
  const remark = (message: string | Error) => logger.debug({ remark: String(message) }, 'timer remarked');
  return { info: remark, warn: remark, error: remark, debug: remark };
}
