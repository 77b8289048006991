// What each job does, by its name in the registry (domain/jobs.ts).
import type { JobName } from '../../domain/jobs.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { snapshotBalances } from './balances.ts';
import { mirrorVaults, mirrorWhitelist } from './documents.ts';
import { maintain } from './maintenance.ts';
import { type Repetition, syncTransactionsRepeatedly } from './repeat-sweeps.ts';
import { syncTransactions } from './transactions.ts';
import { sweepTransactions } from './transactions-sweep.ts';

export interface JobOptions {
  /** Sweep every transaction, whatever is known of the list. */
  readonly full?: boolean;
  /** How a sweep of transactions that left something open is tried again; left out for not at all. */
  readonly again?: Repetition;
  /** The age from which on snapshots of balances are thinned, in days; null or left out keeps them all. */
  readonly thinSnapshotsAfterDays?: number | null;
}

export const runners: Readonly<
  Record<JobName, (context: JobContext, options: JobOptions) => Promise<JobOutcome>>
> = {
  transactions: (context, { full = false, again }) =>
    again === undefined
      ? syncTransactions(context, { full })
      : syncTransactionsRepeatedly(context, { full }, again),
  balances: snapshotBalances,
  vaults: mirrorVaults,
  whitelist: mirrorWhitelist,
  reconcile: (context) => sweepTransactions(context, { job: 'reconcile' }),
  maintenance: (context, { thinSnapshotsAfterDays = null }) => maintain(context, thinSnapshotsAfterDays),
};
