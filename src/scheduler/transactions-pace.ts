// The pauses between the runs of `transactions`, where their schedule is adaptive: by how these runs end, what they find, what is open
// in the mirror, and the rate that the service allows.
import type { AdaptiveSchedule } from '../base/config/adaptive-schedule.ts';
import { allowedRate } from '../custody/rate/known-rate.ts';
import { mirroredBy } from '../domain/jobs.ts';
import { isAnyOpen } from '../store/query/open-transactions.ts';
import type { JobContext } from '../sync/run/context.ts';
import type { JobOutcome } from '../sync/run/run-job.ts';
import { createAdaptivePace, type PauseReason } from './adaptive-pace.ts';

export interface TransactionsPace {
  /** Takes note of a run of any job. */
  note(outcome: JobOutcome): void;
  /** How long to wait before the next run of `transactions`, in milliseconds. */
  pauseMs(): Promise<number>;
  /** No more runs follow here: metrics tell no pause any more. */
  end(): void;
}

export function createTransactionsPace(
  { database, lease, config, facts, logger, metrics }: JobContext,
  schedule: AdaptiveSchedule,
): TransactionsPace {
  const pace = createAdaptivePace(schedule, performance.now());
  let told: PauseReason | null = null;
  return {
    note({ job, status, inserted, changed, requests, seconds, coverage }) {
      const now = performance.now();
      if (mirroredBy(job) === 'transactions' && inserted + changed > 0) pace.noteChange(now);
      if (job === 'transactions')
        pace.noteRun({ status, isSweep: coverage !== null, requests, seconds }, now);
    },
    async pauseMs() {
      const isOpen = await isAnyOpen(database, lease.account);
      const rate = allowedRate(config, facts.known, ['transactions', 'transaction']);
      const { ms, reason } = pace.next({ isAnyOpen: isOpen, rate }, performance.now());
      metrics.schedulePause.set({ mirror_job: 'transactions' }, ms / 1000);
      const fields = { job: 'transactions', pause_ms: Math.round(ms), reason, any_open: isOpen };
      logger[reason === told ? 'debug' : 'info'](fields, 'next run was timed');
      told = reason;
      return ms;
    },
    end: () => metrics.schedulePause.remove({ mirror_job: 'transactions' }),
  };
}
