// One slot per job: a job never overlaps itself, whether its schedule or a retry starts it. Work may wait for
// its time in a slot. Stopping drops it, and resolves when running work has ended.
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ScheduleName } from '../domain/jobs.ts';

export interface JobSlots {
  /** Starts the work unless the job is running. Resolves when the running work has ended; never rejects. */
  run(job: ScheduleName, work: () => Promise<void>): Promise<void>;
  /** Starts the work after whatever is running. Resolves when it has ended, or was not started: on a stop. */
  runNext(job: ScheduleName, work: () => Promise<void>): Promise<void>;
  /**
   * The work is due after a delay, and after whatever is running by then; it replaces work that is already
   * waiting.
   */
  runIn(job: ScheduleName, ms: number, work: () => Promise<void>): void;
  /** Starts the work whose time has come; called every second. */
  startDue(): void;
  /** Whether any other job is running. */
  isBusyBeside(job: ScheduleName): boolean;
  /** Cancels work that waits for the job. */
  cancel(job: ScheduleName): void;
  stop(): Promise<void>;
}

interface JobSlotsOptions {
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'consecutiveFailures'>;
}

export function createJobSlots({ logger, metrics }: JobSlotsOptions): JobSlots {
  const failures = metrics?.consecutiveFailures;
  const running = new Map<ScheduleName, Promise<void>>();
  const waiting = new Map<ScheduleName, { readonly dueAt: number; readonly work: () => Promise<void> }>();
  let isStopped = false;

  const run = async (job: ScheduleName, work: () => Promise<void>) => {
    if (isStopped) return;
    const before = running.get(job);
    if (before !== undefined) {
      logger.debug({ job }, 'job skipped because it was still running');
      return await before;
    }
    const ended = work()
      .then(() => failures?.set({ schedule: job }, 0))
      .catch((error: unknown) => {
        failures?.inc({ schedule: job });
        logger.error({ job, err: error }, 'job failed');
      })
      .finally(() => {
        running.delete(job);
        startDue();
      });
    running.set(job, ended);
    await ended;
  };
  const startDue = () => {
    for (const [job, { dueAt, work }] of waiting) {
      if (performance.now() < dueAt || running.has(job)) continue;
      waiting.delete(job);
      void run(job, work);
    }
  };

  return {
    run,
    async runNext(job, work) {
      while (running.has(job)) await running.get(job);
      await run(job, work);
    },
    runIn(job, ms, work) {
      waiting.set(job, { dueAt: performance.now() + ms, work });
    },
    startDue,
    isBusyBeside: (job) => [...running.keys()].some((other) => other !== job),
    cancel: (job) => void waiting.delete(job),
    async stop() {
      isStopped = true;
      await Promise.all(running.values());
      // Another process is responsible from now on.
      failures?.reset();
    },
  };
}
