// How `sync` gets its work done where another process holds the lease: it asks that process, follows its
// progress, and does the work itself as soon as the lease is free. It waits at most twice the lease's time to
// live without a sign of progress.
import { hostname, userInfo } from 'node:os';
import { sleep } from '../../base/loop.ts';
import { within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { isDatabaseOffline } from '../../store/postgres/database-errors.ts';
import {
  followRequest,
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
  readonly onProgress: (progress: readonly Progress[]) => void;
}

type State = RequestState<Progress, JobOutcome>;

const lookEveryMs = 1_000;

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
  let state: State | null = null;
  let deadline = performance.now() + 2 * ttlMs;
  const withdraw = async () => {
    if (request !== null) await withdrawRequest(database, account, request);
  };
  const look = async () => {
    const result = await withLease(options, signal, async (lease, held) => {
      await withdraw();
      request = null;
      return await work(lease, held);
    });
    if ('value' in result) return result;
    const before: State | null = state;
    request ??= await requestSync(database, account, whereAsked(), wish);
    state = await followRequest(database, account, request);
    if (state?.result != null) return outcomesOf(state.result);
    if (state !== null && state.progressAt !== (before?.progressAt ?? null))
      deadline = performance.now() + 2 * ttlMs;
    const left = deadline - performance.now();
    if (left <= 0) throw unanswered(account, result, state);
    if (state?.progress == null) onWait(result.heldBy, left);
    else onProgress(state.progress);
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

function outcomesOf(result: NonNullable<State['result']>) {
  if ('refused' in result) throw new MirrorError('CONFIGURATION', result.refused);
  return result;
}

function unanswered(account: string, { heldBy, lockedBy }: LeaseRefusal, state: State | null) {
  if (lockedBy.length > 0)
    return new MirrorError(
      'LEASE-HELD',
      `the lease of account ${account} is locked by ${lockedBy.join('; ')}: let it finish, or end it in the database`,
    );
  return new MirrorError(
    'LEASE-HELD',
    state?.takenBy == null
      ? `another process writes for account ${account} and takes no requests: ${heldBy}. Stop it, or let it do the work`
      : `${state.takenBy} took the request and has reported no progress since; ${heldBy} writes for account ${account} now. See its log, and run the command again`,
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
