// The daemon's work: wait for the account's lease, mirror on schedule while holding it, start over when it is
// lost.
import type { Config } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { type BackoffBounds, runLoop, sleep } from '../base/loop.ts';
import { untilAborted } from '../base/waiting.ts';
import { errorCode, MirrorError } from '../domain/errors.ts';
import {
  forEachSchedule,
  hasWork,
  isReading,
  isSweeping,
  type JobName,
  jobOf,
  jobsOfSchedule,
  mirroredBy,
  type SweepingJob,
  sweepingJobs,
} from '../domain/jobs.ts';
import { type Sealing, sealHistory } from '../seal/seal.ts';
import { createProcessFacts, type ProcessFacts, shownFault } from '../status/process-facts.ts';
import { saveTimeZone } from '../store/run/accounts.ts';
import { saveExpectations } from '../store/run/expectations.ts';
import { readLastStarts } from '../store/run/runs.ts';
import { readVerifiedAt } from '../store/run/verifications.ts';
import { isSchemaNewer } from '../store/schema/migrations.ts';
import { nextTry, noTries, type Tries } from '../sync/jobs/repeat-sweeps.ts';
import { type JobOptions, runners } from '../sync/jobs/runners.ts';
import { createCommitPace } from '../sync/run/commit-pace.ts';
import type { JobContext, SyncTools } from '../sync/run/context.ts';
import { withLease } from '../sync/run/lease-holder.ts';
import type { JobOutcome } from '../sync/run/run-job.ts';
import { shareOf } from './due-times.ts';
import { expectedOfDaemon } from './expected.ts';
import { createJobSlots, type JobSlots } from './job-slots.ts';
import { answerRequests } from './requested-syncs.ts';
import { startScheduler } from './scheduler.ts';

// Sealing, which gives way to the jobs that mirror, and its verification in the daemon.

interface SealWork {
  /** Seals the history; left out if nothing is sealed. */
  readonly sealing?: Sealing | undefined;
  /** Verifies it and records what is found. */
  readonly verify?: ((context: JobContext) => Promise<void>) | undefined;
}

/** The longest pause between two steps: one without progress is aborted after much more. */
const longestPauseMs = 180_000;

/** They have no runs: a failure is a fact of this process. */
function createSealJobs(
  { sealing, verify, facts, endIfStalled }: Pick<WriterOptions, keyof SealWork | 'facts' | 'endIfStalled'>,
  context: JobContext,
  slots: JobSlots,
) {
  const { database, lease, logger, signal } = context;
  const unrecorded = async (subject: 'seal' | 'verify', work: () => Promise<unknown>) => {
    try {
      await work();
      facts.succeeded(subject);
    } catch (error) {
      // The next writer does the work that a stop leaves undone.
      if (signal.aborted) return;
      facts.failed(subject, ...shownFault(error));
      endIfStalled(...shownFault(error));
      throw error;
    }
  };
  const seal = async () => {
    if (sealing === undefined) return;
    // While other jobs run, this work takes a fortieth of the time, and continues after them.
    const afterPart = async (_sealed: number, ms: number) => {
      const until = performance.now() + Math.min(39 * ms, longestPauseMs);
      while (performance.now() < until && slots.isBusyBeside('seal')) await sleep(100, signal);
    };
    await unrecorded('seal', () => sealHistory({ ...sealing, database, lease, logger, signal, afterPart }));
  };
  const verifyInBackground = async () => {
    if (verify !== undefined) await unrecorded('verify', () => verify(context));
  };
  return { seal, verify: verifyInBackground };
}

export interface DaemonOptions extends SealWork {
  readonly config: Config;
  readonly tools: SyncTools;
  /** Names this process in the lease. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Called at each attempt to acquire or renew the lease, successful or not: the loop is alive. */
  readonly onTurn?: () => void;
  readonly onRole: (role: 'writer' | 'standby') => void;
  readonly onOutcome?: (outcome: JobOutcome) => void;
  /** Noted as it happens, for health and metrics of this process. */
  readonly facts?: ProcessFacts;
  /** Backoff between attempts at a sweep with doubts. */
  readonly againBackoff?: BackoffBounds;
}

const againBackoffDefault: BackoffBounds = { minMs: 5_000, maxMs: 600_000 };
const confirmEveryMs = 3_700_000;

/**
 * Works until the signal is aborted; resolves when everything it started has ended.
 *
 * @throws MirrorError `SCHEMA-NEWER` when a newer version migrated the database: this one must stop writing;
 * `ACCOUNT-MISSING` when the database was made again: a start prepares it; `JOB-STALLED` when a job hung
 */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const { config, tools, holder, onRole, onTurn = () => undefined, facts = createProcessFacts() } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const { logger } = tools;
  const { account } = config.custody;
  const retryMs = Math.min(5_000, Math.max(100, config.leaseTtlMs / 4));
  let standingBy = '';
  const onRenewal = (error: unknown) => {
    if (error === null) facts.succeeded('lease');
    else facts.failed('lease', ...shownFault(error));
  };
  /** Whatever hung may hang again, or still hold something: a new process is free of it. */
  const endIfStalled = (code: string | null, message: string | null) => {
    if (code === 'JOB-STALLED') ended.abort(new MirrorError(code, message ?? ''));
  };
  const failing = new Set<JobName>();
  const pace = createCommitPace();
  await runLoop({
    signal,
    // Processes that lost the database together do not retry together. The longest pause still allows writing
    // within ten seconds of its return.
    backoff: { minMs: 500 + shareOf(account) * 2_000, maxMs: 6_000 },
    onError: (error, failures) => {
      logger[failures > 3 ? 'error' : 'warn']({ err: error, failures }, 'daemon turn failed');
      facts.failed('lease', ...shownFault(error));
    },
    turn: async () => {
      onTurn();
      const result = await withLease(
        { ...tools, account, holder, ttlMs: config.leaseTtlMs, onTurn, onRenewal },
        signal,
        async (lease, held) => {
          standingBy = '';
          onRole('writer');
          facts.succeeded('lease');
          const context = { ...tools, lease, signal: held, failing, pace };
          await mirrorUntil({ ...options, facts, endIfStalled }, context);
        },
      ).catch((error: unknown) => {
        if (isSchemaNewer(error) || errorCode(error) === 'ACCOUNT-MISSING') ended.abort(error);
        throw error;
      });
      onRole('standby');
      if ('heldBy' in result && result.heldBy !== holder) facts.forget();
      const lockedBy = 'heldBy' in result ? result.lockedBy.join('; ') : '';
      if ('heldBy' in result && result.heldBy + lockedBy !== standingBy) {
        standingBy = result.heldBy + lockedBy;
        const fields = { account, held_by: result.heldBy };
        if (lockedBy !== '') logger.warn({ ...fields, locked_by: lockedBy }, 'lease is locked');
        else logger.info(fields, 'standing by while another process writes');
      }
      return retryMs;
    },
  });
  ended.signal.throwIfAborted();
}

interface WriterOptions extends DaemonOptions {
  readonly facts: ProcessFacts;
  readonly endIfStalled: (code: string | null, message: string | null) => void;
}

async function mirrorUntil(options: WriterOptions, context: JobContext): Promise<void> {
  const { config, facts } = options;
  const { database, lease, logger, signal } = context;
  const confirm = createConfirmation(context, config);
  await confirm.now();
  await saveTimeZone(context, config.schedule.timezone);
  const note = (outcome: JobOutcome) => {
    options.onOutcome?.(outcome);
    noteOutcome(facts, outcome);
    confirm.inTime();
  };
  const endIfStalled = ({ errorCode, errorMessage }: JobOutcome) =>
    options.endIfStalled(errorCode, errorMessage);
  const lastStarts = await readLastStarts(database, lease.account);
  const verifiedAt = await readVerifiedAt(database, lease.account);
  const slots = createJobSlots(context);
  const retrier = createSweepRetrier(slots, options.againBackoff ?? againBackoffDefault, logger);
  const runJob = async (job: JobName, jobOptions: JobOptions = {}): Promise<void> => {
    if (!canStart(options, job)) return;
    const outcome = await runners[job](context, jobOptions);
    if (isSweeping(job)) retrier.after(job, outcome, () => runJob(job, { full: true }));
    note(outcome);
    endIfStalled(outcome);
  };
  const { seal, verify } = createSealJobs(options, context, slots);
  const scheduler = startScheduler({
    schedule: config.schedule,
    jobs: forEachSchedule((schedule) => async () => {
      if (schedule === 'seal') await seal();
      if (schedule === 'verify') await verify();
      for (const job of jobsOfSchedule(schedule)) await runJob(job);
    }),
    slots,
    lastRuns: forEachSchedule((schedule) => {
      if (schedule === 'verify') return verifiedAt ?? new Date();
      const [first] = jobsOfSchedule(schedule).filter((job) => hasWork(job, config.resources));
      return first === undefined ? null : lastStartOf(first, lastStarts);
    }),
    logger,
    share: shareOf(lease.account),
  });
  const answering = answerRequests({
    ...{ context, mirrored: config.resources, slots, onOutcome: note },
    onAnswered: (outcomes) => outcomes.forEach(endIfStalled),
  });
  try {
    await untilAborted(signal);
  } finally {
    await scheduler.stop();
    await answering;
  }
}

function noteOutcome(facts: ProcessFacts, { job, status, errorCode, errorMessage }: JobOutcome): void {
  if (status === 'succeeded') facts.succeeded(job);
  else if (status === 'failed') facts.failed(job, errorCode ?? 'UNEXPECTED', errorMessage ?? '');
}

/** Whether the job has work and may succeed: while the key is rejected, a run could only fail. */
function canStart({ config, tools }: DaemonOptions, job: JobName): boolean {
  const resource = mirroredBy(job);
  return hasWork(job, config.resources) && (resource === null || !tools.client.isKeyBackedOff(resource));
}

/**
 * A job that fills an empty resource starts at once; others count from their resource's first run, or now.
 */
function lastStartOf(job: JobName, lastStarts: ReadonlyMap<string, Date>): Date | null {
  const own = lastStarts.get(job) ?? null;
  if (own !== null || isReading(job)) return own;
  return lastStarts.get(mirroredBy(job) ?? '') ?? new Date();
}

/** Saves what this daemon is expected to do, at startup and every hour: health is judged by it. */
function createConfirmation({ database, lease, logger }: JobContext, config: Config) {
  const expected = expectedOfDaemon(config);
  let savedAt = performance.now();
  const now = async () => {
    savedAt = performance.now();
    await saveExpectations(database, lease, 'daemon', expected);
  };
  const inTime = () => {
    if (performance.now() - savedAt < confirmEveryMs) return;
    void now().catch((error: unknown) => logger.debug({ err: error }, 'expectations were not confirmed'));
  };
  return { now, inTime };
}

// Retries a sweep of transactions with doubts, in the slot of its job, without waiting for its schedule. A
// verified sweep of either job settles both: they sweep the same list.

function createSweepRetrier(slots: JobSlots, backoff: BackoffBounds, logger: Logger) {
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
