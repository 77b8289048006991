// How `sync` gets its work done where another process holds the lease: it asks that process, follows the runs
// that it begins for this, and does the work itself as soon as the lease is free. It waits at most twice the
// lease's time to live for a process that takes the request and keeps the lease.
import { hostname, userInfo } from 'node:os';
import { sleep } from '../../base/loop.ts';
import { within } from '../../base/waiting.ts';
import { isKeyRejection, MirrorError } from '../../domain/errors.ts';
import { type Resource, resources } from '../../domain/jobs.ts';
import { claimOf } from '../../store/job-queries/status.ts';
import { isDatabaseOffline } from '../../store/postgres/database-errors.ts';
import {
  followRequest,
  type RequestedRun,
  type RequestState,
  requestSync,
  type SyncWish,
  withdrawRequest,
} from '../../store/run/sync-requests.ts';
import type { Progress } from '../../sync/run/context.ts';
import { type LeaseHolderOptions, type LeaseRefusal, withLease } from '../../sync/run/lease-holder.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';

export interface Asking {
  /** Called at each look, until a process has taken the request. */
  readonly onWait: (heldBy: string, leftMs: number) => void;
  readonly onProgress: (progress: Iterable<Progress>) => void;
}

const lookEveryMs = 2_000;

/**
 * @returns what the work returned, or the outcomes of the process that was asked
 * @throws MirrorError `ACCOUNT-RETIRED`; `LEASE-HELD` when that process does not answer; `CONFIGURATION` when
 *   it refuses
 */
export async function doOrAsk<Value>(
  options: LeaseHolderOptions,
  wish: SyncWish,
  { onWait, onProgress }: Asking,
  signal: AbortSignal,
  work: Parameters<typeof withLease<Value>>[2],
): Promise<{ readonly value: Value } | { readonly outcomes: readonly JobOutcome[] }> {
  const { database, account, ttlMs } = options;
  let request: bigint | null = null;
  let state: RequestState | null = null;
  let deadline = performance.now() + 2 * ttlMs;
  const withdraw = async () => {
    if (request !== null) await withdrawRequest(database, account, request);
  };
  const look = async () => {
    // Looked at first, because a process may end, and free the lease, as soon as it has finished.
    if (request !== null) state = await followRequest(database, account, request);
    if (state?.refusal != null) throw new MirrorError('CONFIGURATION', state.refusal);
    const runs = state?.runs ?? [];
    const begun = resources.filter((job) => runs.some((run) => run.job === job));
    if (state?.finished != null) return { outcomes: state.finished.map((job) => outcomeOf(job, runs)) };
    const result = await withLease(options, signal, async (lease, held) => {
      await withdraw();
      request = null;
      return await work(lease, held);
    });
    if ('value' in result) return result;
    request ??= await requestSync(database, account, whereAsked(), wish);
    // A process in which a job hangs ends, and with it the lease.
    if (state?.takenBy === result.heldBy && result.expiresInMs > 0) deadline = performance.now() + 2 * ttlMs;
    const left = deadline - performance.now();
    if (left <= 0) throw unanswered(account, result, state);
    if (state?.takenBy == null) onWait(result.heldBy, left);
    else onProgress(begun.map((job) => outcomeOf(job, runs)));
    await sleep(Math.min(left, lookEveryMs, Math.max(50, result.expiresInMs)), signal);
    return null;
  };
  try {
    for (let offlineSince: number | null = null; ; ) {
      try {
        const done = await look();
        if (done !== null) return done;
        offlineSince = null;
      } catch (error) {
        // The database may be offline for a moment, or this process may have been frozen: the request stays.
        offlineSince ??= performance.now();
        const isOfflineForLong = performance.now() - offlineSince > 2 * ttlMs;
        if (request === null || !isDatabaseOffline(error) || isOfflineForLong) throw error;
        await sleep(lookEveryMs, signal);
      }
    }
  } catch (error) {
    await within(3_000, withdraw()).catch(() => undefined);
    throw error;
  }
}

const unrecorded = 'its end was not recorded; see the log of the process that writes for this account';

/** What the runs of a resource did together; the last of them says how it ended. */
function outcomeOf(job: Resource, runs: readonly RequestedRun[]): JobOutcome & Progress {
  const own = runs.filter((run) => run.job === job);
  const { status, verified, verdict, errorCode = null, errorMessage } = own.at(-1) ?? {};
  const sum = (count: (run: RequestedRun) => number) => own.reduce((total, run) => total + count(run), 0);
  const isRecorded = status === 'succeeded' || status === 'abandoned' || status === 'failed';
  return {
    job,
    status: isRecorded ? status : 'failed',
    ...claimOf(verified === true, verdict),
    verified: verified ?? null,
    records: sum((run) => run.recordsRead),
    inserted: sum((run) => run.recordsInserted),
    changed: sum((run) => run.recordsChanged),
    quarantined: Math.max(0, ...own.map((run) => run.quarantined)),
    requests: sum((run) => run.requests),
    retries: sum((run) => run.retries),
    rateLimited: sum((run) => run.rateLimited),
    attempts: own.filter((run) => run.mode === 'full').length,
    seconds: sum((run) => run.seconds),
    errorCode,
    errorMessage: isRecorded ? (errorMessage ?? null) : unrecorded,
    keyRejected: isKeyRejection(errorCode),
  };
}

function unanswered(account: string, { heldBy, lockedBy }: LeaseRefusal, state: RequestState | null) {
  if (lockedBy.length > 0)
    return new MirrorError(
      'LEASE-HELD',
      `the lease of account ${account} is locked by ${lockedBy.join('; ')}: let it finish, or end it in the database`,
    );
  return new MirrorError(
    'LEASE-HELD',
    state?.takenBy == null
      ? `another process writes for account ${account} and takes no requests: ${heldBy}. Stop it, or let it do the work`
      : `${state.takenBy} took the request and no longer writes for account ${account}; ${heldBy} does now, and has not taken it. See their logs, and run the command again`,
  );
}

/** `host (user)`; a user without a name is shown by number. */
export function whereAsked(): string {
  return `${hostname()} (${userName()})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
