// Holds the account's lease during some work: renews it on time, and aborts the work when the lease may be
// lost. The fence in the database (store/run/leases.ts) makes late commits impossible; this makes them rare.
import type { Logger } from '../../base/logger.ts';
import { sleep } from '../../base/loop.ts';
import type { Metrics } from '../../base/metrics.ts';
import { unlessStopped, withLinkedSignal } from '../../base/waiting.ts';
import { errorMessage, MirrorError } from '../../domain/errors.ts';
import type { Database } from '../../store/postgres/database.ts';
import { refuseEnded } from '../../store/run/accounts.ts';
import {
  acquireLease,
  type Lease,
  type LeaseAttempt,
  type LeaseRequest,
  releaseLease,
  renewLease,
} from '../../store/run/leases.ts';
import { abandonRuns } from '../../store/run/runs.ts';
import { isSchemaNewer } from '../../store/schema/migrations.ts';
import type { FactKeeper } from './fact-keeper.ts';

export interface LeaseHolderOptions extends LeaseRequest {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Reloaded before the work, because the last holder of the lease has learned since. */
  readonly facts: Pick<FactKeeper, 'reload'>;
  /** Called before each attempt to renew. */
  readonly onTurn?: () => void;
  /** Called after each attempt to renew that was answered: with its error, or null. */
  readonly onRenewal?: (error: unknown) => void;
}

export type LeaseRefusal = Extract<LeaseAttempt, { readonly heldBy: string }>;

/**
 * Tries once to take the lease and does the work while holding it.
 *
 * @param work gets a signal that is aborted when `signal` is or when the lease is lost; the lease is released
 *   after it
 * @returns what the work returned, or who holds the lease
 * @throws MirrorError `SCHEMA-NEWER` when a newer version migrated the database, before or during the work:
 *   the work is aborted, and the lease is released for the newer version; `CONFIGURATION` when the account
 *   was erased; `ACCOUNT-RETIRED`
 */
export async function withLease<Value>(
  options: LeaseHolderOptions,
  signal: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<Value>,
): Promise<{ readonly value: Value } | LeaseRefusal> {
  const { database, account, holder, ttlMs, clock, logger, metrics } = options;
  const askedAt = performance.now();
  const attempt = await acquireLease(database, { account, holder, ttlMs, clock });
  if ('heldBy' in attempt) return attempt;
  const { lease } = attempt;
  try {
    await refuseEnded(database, account);
  } catch (error) {
    await releaseLease(database, lease).catch(() => undefined);
    throw error;
  }
  const lost = new AbortController();
  const stopRenewing = new AbortController();
  logger.info({ account, holder, token: lease.token }, 'lease acquired');
  metrics.leaseHeld.set(1);
  const renewing = renewUntil(options, lease, askedAt, stopRenewing.signal, lost);
  try {
    const abandoned = await abandonRuns(database, lease);
    if (abandoned > 0) logger.info({ account, runs: abandoned }, 'runs of an earlier holder abandoned');
    await options.facts.reload();
    const value = await work(lease, AbortSignal.any([signal, lost.signal]));
    if (isSchemaNewer(lost.signal.reason)) throw lost.signal.reason;
    return { value };
  } finally {
    stopRenewing.abort();
    await renewing;
    metrics.leaseHeld.set(0);
    if (!lost.signal.aborted || isSchemaNewer(lost.signal.reason)) await handBack(options, lease);
  }
}

/**
 * Releases the lease. Runs that still count as running could not record their end, and are abandoned first;
 * in tables of a newer version the next holder does that.
 */
async function handBack({ database, account, logger }: LeaseHolderOptions, lease: Lease): Promise<void> {
  try {
    await abandonRuns(database, lease).catch((error: unknown) => {
      if (!isSchemaNewer(error)) throw error;
    });
    await releaseLease(database, lease);
  } catch (error) {
    logger.warn({ err: error, account }, 'lease was not released; it will expire');
  }
}

const notInTime = 'the database did not answer in time to renew it';

/** Renews after each third of the lease's time; gives it up when no renewal succeeded for all of it. */
async function renewUntil(
  { database, account, ttlMs, logger, onTurn, onRenewal }: LeaseHolderOptions,
  lease: Lease,
  acquiredAt: number,
  stopped: AbortSignal,
  lost: AbortController,
): Promise<void> {
  let sureUntil = acquiredAt + ttlMs;
  let why = notInTime;
  const giveUp = (reason: string) => {
    const error = new MirrorError('LEASE-LOST', `the lease of account ${account} was lost: ${reason}`);
    logger.error({ account, code: error.code, reason }, 'lease lost');
    lost.abort(error);
  };
  while (!stopped.aborted) {
    const pause = Math.min(ttlMs / 3, Math.max(0, sureUntil - performance.now()));
    await sleep(pause, stopped).catch(() => undefined);
    if (stopped.aborted) return;
    onTurn?.();
    const askedAt = performance.now();
    if (askedAt >= sureUntil) return giveUp(why);
    const late = AbortSignal.timeout(Math.ceil(sureUntil - askedAt));
    try {
      // Where it is late it may still be queued: an abandoned lease must not be renewed.
      const renewed = await withLinkedSignal([late, stopped], (over) =>
        unlessStopped(over, () => renewLease(database, lease, over)),
      );
      if (!renewed) return giveUp('it expired by the clock of the database, or another process took it');
      sureUntil = askedAt + ttlMs;
      why = notInTime;
      onRenewal?.(null);
    } catch (error) {
      if (isSchemaNewer(error)) {
        logger.error({ account, code: error.code }, 'lease given up to a newer version');
        return lost.abort(error);
      }
      if (stopped.aborted) return;
      if (late.aborted) return giveUp(why);
      why = errorMessage(error);
      onRenewal?.(error);
      logger.warn({ err: error, account }, 'lease renewal failed');
      await sleep(Math.min(1_000, ttlMs / 10), stopped).catch(() => undefined);
    }
  }
}
