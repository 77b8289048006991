// Runs that could not be recorded, because the database was away: this process keeps them in mind, one for
// each job, from the first to the last of an outage, and its next run writes them. Their times are counted
// back from the account's clock.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { RequestTally } from '../../domain/endpoint.ts';
import { errorCode, errorMessage } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JobName, RunMode } from '../../domain/jobs.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Lease } from '../../store/run/leases.ts';
import { finishRun, type Run } from '../../store/run/runs.ts';
import { recordUnrecorded, type UnrecordedRun } from '../../store/run/unrecorded.ts';

interface Under {
  readonly database: Database;
  readonly lease: Lease;
}

interface Failed {
  readonly job: JobName;
  readonly mode: RunMode;
  /** Null where not even its beginning was recorded. */
  readonly run: Run | null;
  /** By the monotonic clock of the process. */
  readonly beganMs: number;
  /** Why it could not be recorded. */
  readonly error: unknown;
}

export interface UnrecordedRuns {
  /** Keeps the run in mind, if it is not recorded because of an outage. */
  note(failed: Failed): void;
  /** The outage goes on. */
  extend(): void;
  /** Another process writes: it knows of the outage as well. */
  forget(): void;
  /** Writes those in mind, as the holder of the lease. */
  record(under: Under & { readonly clock: Clock }): Promise<void>;
}

type Kept = Omit<UnrecordedRun, 'startedAt' | 'finishedAt'> & {
  readonly beganMs: number;
  readonly endedMs: number;
  /** Counted once, so that a second attempt to write it finds the row of the first. */
  readonly startedAt?: Instant;
};

const outages: readonly string[] = ['DATABASE-UNREACHABLE', 'DATABASE-REFUSED'];

/** Whether the database was away, or refused to write. */
export function isOutage(error: unknown): boolean {
  return outages.includes(errorCode(error));
}

export function createUnrecordedRuns(): UnrecordedRuns {
  const kept = new Map<string, Kept>();
  return {
    note({ job, mode, run, beganMs, error }) {
      if (!isOutage(error)) return;
      const first = kept.get(job) ?? { job, mode, runId: run?.runId ?? null, beganMs };
      const why = { errorCode: errorCode(error), errorMessage: errorMessage(error) };
      kept.set(job, { ...why, ...first, endedMs: performance.now() });
    },
    extend() {
      for (const [job, run] of kept) kept.set(job, { ...run, endedMs: performance.now() });
    },
    forget: () => kept.clear(),
    async record({ database, lease, clock }) {
      const at = (ms: number) => clock.now() - (performance.now() - ms);
      const taken = [...kept.values()].map((run) => {
        const startedAt = run.startedAt ?? at(run.beganMs);
        return { ...run, startedAt, finishedAt: Math.max(startedAt, at(run.endedMs)) };
      });
      if (taken.length === 0) return;
      kept.clear();
      await recordUnrecorded(database, lease, taken).catch((error: unknown) => {
        // What the database will never take must not keep every later run from beginning.
        if (!isOutage(error) && errorCode(error) !== 'LEASE-LOST') throw error;
        for (const run of taken)
          kept.set(run.job, { ...run, endedMs: kept.get(run.job)?.endedMs ?? run.endedMs });
        throw error;
      });
    },
  };
}

/** Records how a run failed. @returns why that was not possible; null when it was */
export async function closeFailedRun(
  { database, lease, logger }: Under & { readonly logger: Logger },
  run: Run,
  status: 'failed' | 'abandoned',
  tally: RequestTally,
  error: unknown,
): Promise<unknown> {
  const failure = { errorCode: errorCode(error), errorMessage: errorMessage(error) };
  try {
    await finishRun(database, lease, run, { status, verified: null, verdict: null, tally, ...failure });
    return null;
  } catch (unrecorded) {
    // The run stays `running` until the next run of its job, or the next holder of the lease, abandons it.
    logger.debug({ err: unrecorded, run_id: run.runId }, 'end of a run was not recorded');
    return unrecorded;
  }
}
