// When jobs run: each by its cron expression, never beside itself, and at the start when its time has passed meanwhile; or after the
// pauses of an adaptive schedule. Stopping takes the timers away and waits for what is running.
import { createTask, type ScheduledTask } from 'node-cron';
import { type AdaptiveSchedule, parseAdaptive } from '../base/config/adaptive-schedule.ts';
import type { ScheduleConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { runLoop, sleep } from '../base/loop.ts';
import { type ScheduleName, scheduleNames } from '../domain/jobs.ts';
import { createJobSlots, type JobSlots } from './job-slots.ts';
import { isDue } from './missed.ts';

export interface SchedulerOptions {
  readonly schedule: ScheduleConfig;
  readonly jobs: Readonly<Record<ScheduleName, () => Promise<void>>>;
  /** When each job last began; null when never. */
  readonly lastRuns: Readonly<Record<ScheduleName, Date | null>>;
  /** Milliseconds to wait after a run of a job whose schedule is adaptive. Asked only for those. */
  readonly pauseMs?: (() => Promise<number>) | undefined;
  readonly logger: Logger;
  /** Shared with what starts jobs otherwise. */
  readonly slots?: JobSlots;
  readonly now?: () => Date;
}

export interface Scheduler {
  /** Takes the timers away and resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

export function startScheduler(options: SchedulerOptions): Scheduler {
  const { schedule, jobs, lastRuns, logger, now = () => new Date() } = options;
  const slots = options.slots ?? createJobSlots(logger);
  const tasks: ScheduledTask[] = [];
  const stopped = new AbortController();
  const loops: Promise<void>[] = [];
  const run = (job: ScheduleName) => slots.run(job, jobs[job]);
  const runAdaptively = async (job: ScheduleName, { shortestMs, longestMs }: AdaptiveSchedule) => {
    const sinceMs = now().getTime() - (lastRuns[job]?.getTime() ?? 0);
    // A process that is started again and again does not ask more often for it.
    await sleep(Math.min(shortestMs, Math.max(0, shortestMs - sinceMs)), stopped.signal).catch(
      () => undefined,
    );
    await runLoop({
      signal: stopped.signal,
      backoff: { minMs: shortestMs, maxMs: longestMs - shortestMs },
      onError: (error, failures) => logger.warn({ job, err: error, failures }, 'next run could not be timed'),
      turn: async () => {
        await run(job);
        return (await options.pauseMs?.()) ?? longestMs;
      },
    });
  };

  for (const job of scheduleNames) {
    const expression = schedule.expressions[job];
    if (expression === null) continue;
    const adaptive = parseAdaptive(expression);
    if (adaptive !== null) {
      loops.push(runAdaptively(job, adaptive));
      continue;
    }
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
    async stop() {
      stopped.abort();
      const ended = slots.stop();
      for (const task of tasks) await task.destroy();
      await ended;
      await Promise.all(loops);
    },
  };
}

/** node-cron's own messages, such as that of a late timer, are logged at debug level. */
function quietLogger(logger: Logger) {
  const remark = (message: string | Error) => logger.debug({ remark: String(message) }, 'timer remarked');
  return { info: remark, warn: remark, error: remark, debug: remark };
}
