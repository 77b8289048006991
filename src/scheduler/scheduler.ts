// When jobs run: each by its cron expression, never beside itself, and at the start when its time has passed
// meanwhile. Stopping takes the timers away and waits for what is running.
import { createTask, type ScheduledTask } from 'node-cron';
import type { ScheduleConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { type ScheduleName, scheduleNames } from '../domain/jobs.ts';
import { createJobSlots, type JobSlots } from './job-slots.ts';
import { isDue } from './schedule-times.ts';

export interface SchedulerOptions {
  readonly schedule: ScheduleConfig;
  readonly jobs: Readonly<Record<ScheduleName, () => Promise<void>>>;
  /** When each job last began; null when never. */
  readonly lastRuns: Readonly<Record<ScheduleName, Date | null>>;
  readonly logger: Logger;
  /** Shared with what starts jobs otherwise. */
  readonly slots?: JobSlots;
  readonly now?: () => Date;
}

export function startScheduler(options: SchedulerOptions) {
  const { schedule, jobs, lastRuns, logger, now = () => new Date() } = options;
  const slots = options.slots ?? createJobSlots(logger);
  const tasks: ScheduledTask[] = [];
  const run = (job: ScheduleName) => slots.run(job, jobs[job]);

  for (const job of scheduleNames) {
    const expression = schedule.expressions[job];
    if (expression === null) continue;
    const task = createTask(expression, () => void run(job), {
      name: job,
      timezone: schedule.timezone,
      suppressMissedWarning: true,
      logger: quietLogger(logger),
    });
    tasks.push(task);
    void task.start();
    if (isDue({ expression, match: (date) => task.match(date) }, lastRuns[job], now())) void run(job);
  }

  return {
    /** Takes the timers away and resolves when the running jobs have ended. */
    async stop() {
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
