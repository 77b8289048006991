// One slot per job: a job never overlaps itself, whether its schedule or a retry starts it. Stopping cancels
// waits and resolves when running work has ended.
import type { Logger } from '../base/logger.ts';
import { sleep as realSleep, type Sleep } from '../base/loop.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ScheduleName } from '../domain/jobs.ts';

export interface JobSlots {
  /** Starts the work unless the job is running. Resolves when the running work has ended; never rejects. */
  run(job: ScheduleName, work: () => Promise<void>): Promise<void>;
  /** Starts the work after whatever is running. Resolves when it has ended, or was not started: on a stop. */
  runNext(job: ScheduleName, work: () => Promise<void>): Promise<void>;
  /**
   * Starts the work after a delay, and after whatever is running by then; it replaces work that is already
   * waiting.
   */
  runIn(job: ScheduleName, ms: number, work: () => Promise<void>): void;
  /** Whether any other job is running. */
  isBusyBeside(job: ScheduleName): boolean;
  /** Cancels work that waits for the job. */
  cancel(job: ScheduleName): void;
  stop(): Promise<void>;
}

interface JobSlotsOptions {
  readonly logger: Logger;
  /** Called with the number of consecutive failures. */
  readonly metrics?: Pick<Metrics, 'consecutiveFailures'>;
  readonly sleep?: Sleep;
}

interface Waiting {
  readonly cancelled: AbortController;
  readonly ended: Promise<void>;
}

export function createJobSlots({ logger, metrics, sleep = realSleep }: JobSlotsOptions): JobSlots {
  const failures = metrics?.consecutiveFailures;
  const running = new Map<ScheduleName, Promise<void>>();
  const waiting = new Map<ScheduleName, Waiting>();
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
      .finally(() => running.delete(job));
    running.set(job, ended);
    await ended;
  };
  const cancel = (job: ScheduleName) => {
    waiting.get(job)?.cancelled.abort();
    waiting.delete(job);
  };
  const wait = async (job: ScheduleName, ms: number, signal: AbortSignal, work: () => Promise<void>) => {
    await sleep(ms, signal).catch(() => undefined);
    while (!signal.aborted && running.has(job)) await running.get(job);
    if (signal.aborted) return;
    waiting.delete(job);
    void run(job, work);
  };

  return {
    run,
    async runNext(job, work) {
      while (running.has(job)) await running.get(job);
      await run(job, work);
    },
    runIn(job, ms, work) {
      cancel(job);
      if (isStopped) return;
      const cancelled = new AbortController();
      waiting.set(job, { cancelled, ended: wait(job, ms, cancelled.signal, work) });
    },
    isBusyBeside: (job) => [...running.keys()].some((other) => other !== job),
    cancel,
    async stop() {
      isStopped = true;
      const waits = [...waiting.values()].map(({ ended }) => ended);
      for (const job of [...waiting.keys()]) cancel(job);
      await Promise.all([...waits, ...running.values()]);
      // Another process is responsible from now on.
      failures?.reset();
    },
  };
}
