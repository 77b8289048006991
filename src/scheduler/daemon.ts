// The daemon's work: wait for the account's lease, mirror on schedule while it is held, begin again when it is lost.
import type { Config, ScheduledJob } from '../base/config.ts';
import { type BackoffBounds, runLoop } from '../base/loop.ts';
import type { Resource } from '../domain/resource.ts';
import { saveExpectations } from '../store/run/expectations.ts';
import { readLastStarts } from '../store/run/past-runs.ts';
import { isSchemaNewer } from '../store/schema/migrations.ts';
import { snapshotBalances } from '../sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../sync/jobs/documents.ts';
import { maintain } from '../sync/jobs/maintenance.ts';
import { syncTransactions } from '../sync/jobs/transactions.ts';
import { sweepTransactions } from '../sync/jobs/transactions-sweep.ts';
import type { JobContext, JobName, SyncTools } from '../sync/run/context.ts';
import { withLease } from '../sync/run/lease-holder.ts';
import type { JobOutcome } from '../sync/run/run-job.ts';
import { expectedOfDaemon } from './expected.ts';
import { createJobSlots } from './job-slots.ts';
import { startScheduler } from './scheduler.ts';
import { createSweepsAgain } from './sweeps-again.ts';

export interface DaemonOptions {
  readonly config: Config;
  readonly tools: SyncTools;
  /** Names this process in the lease. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** The daemon still turns: it tried for the lease, or to renew it, whatever came of that. */
  readonly onTurn?: () => void;
  readonly onRole: (role: 'writer' | 'standby') => void;
  readonly onOutcome?: (outcome: JobOutcome) => void;
  /** Between attempts at a sweep that left something open. */
  readonly againBackoff?: BackoffBounds;
}

const againBackoffDefault: BackoffBounds = { minMs: 5_000, maxMs: 600_000 };
const confirmEveryMs = 3_700_000;

/**
 * Works until the signal is aborted; resolves when everything it began has ended.
 *
 * @throws MirrorError `SCHEMA-NEWER` when a newer version migrated the database: this process can do nothing for it any more
 */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const { config, tools, holder, onRole, onTurn = () => undefined } = options;
  const outdated = new AbortController();
  const signal = AbortSignal.any([options.signal, outdated.signal]);
  const { database, facts, logger, metrics } = tools;
  const { account } = config.custody;
  const retryMs = Math.min(5_000, Math.max(100, config.leaseTtlMs / 4));
  let standingBy = '';
  const failing = new Set<JobName>();
  await runLoop({
    signal,
    backoff: { minMs: 500, maxMs: 30_000 },
    onError: (error, failures) =>
      logger[failures > 3 ? 'error' : 'warn']({ err: error, failures }, 'daemon turn failed'),
    turn: async () => {
      onTurn();
      const result = await withLease(
        { database, account, holder, ttlMs: config.leaseTtlMs, facts, logger, metrics, onTurn },
        signal,
        async (lease, held) => {
          standingBy = '';
          onRole('writer');
          await mirrorUntil(options, { ...tools, lease, signal: held, failing });
        },
      ).catch((error: unknown) => {
        if (isSchemaNewer(error)) outdated.abort(error);
        throw error;
      });
      onRole('standby');
      if ('heldBy' in result && result.heldBy !== standingBy) {
        standingBy = result.heldBy;
        logger.info({ account, held_by: result.heldBy }, 'stood by while another process writes');
      }
      return retryMs;
    },
  });
  outdated.signal.throwIfAborted();
}

async function mirrorUntil(options: DaemonOptions, context: JobContext): Promise<void> {
  const { config } = options;
  const { database, lease, logger, signal } = context;
  const confirm = createConfirmation(context, config);
  await confirm.now();
  const report = (outcome: JobOutcome) => {
    options.onOutcome?.(outcome);
    confirm.inTime();
  };
  const lastRuns = await readLastStarts(database, lease.account);
  /** While the key is rejected, a run that could only fail is not begun; the client says when to try again. */
  const unlessRejected = async (resource: Resource, job: () => Promise<JobOutcome>) => {
    if (!context.client.restsFor(resource)) report(await job());
  };
  const isMirrored = (resource: Resource) => config.resources.includes(resource);
  const slots = createJobSlots(logger);
  const again = createSweepsAgain({ slots, logger, backoff: options.againBackoff ?? againBackoffDefault });
  const transactions = async (full: boolean) => {
    await unlessRejected('transactions', async () => {
      const outcome = await syncTransactions(context, { full });
      again.after('transactions', outcome, () => transactions(true));
      return outcome;
    });
  };
  const reconcile = () =>
    unlessRejected('transactions', async () => {
      const outcome = await sweepTransactions(context, { job: 'reconcile' });
      again.after('reconcile', outcome, reconcile);
      return outcome;
    });
  const jobs: Record<ScheduledJob, () => Promise<void>> = {
    transactions: () => transactions(false),
    balances: () => unlessRejected('balances', () => snapshotBalances(context)),
    documents: async () => {
      if (isMirrored('vaults')) await unlessRejected('vaults', () => mirrorVaults(context));
      if (isMirrored('whitelist')) await unlessRejected('whitelist', () => mirrorWhitelist(context));
    },
    reconcile,
    maintenance: async () => report(await maintain(context, config)),
  };
  const last = (job: string) => lastRuns.get(job) ?? null;
  const scheduler = startScheduler({
    schedule: config.schedule,
    jobs,
    slots,
    lastRuns: {
      transactions: last('transactions'),
      balances: last('balances'),
      documents: last(isMirrored('vaults') ? 'vaults' : 'whitelist'),
      // The first sweep of transactions is a reconciliation already.
      reconcile: last('reconcile') ?? last('transactions') ?? new Date(),
      maintenance: last('maintenance') ?? new Date(),
    },
    logger,
  });
  try {
    await aborted(signal);
  } finally {
    await scheduler.stop();
  }
}

/** Says what this daemon does when it begins, and again every hour, so that whoever judges knows that a daemon is meant to run. */
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
