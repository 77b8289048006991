// Which job mirrors which resource, and one full cycle over several of them at once.

import { allSettled } from '../../base/waiting.ts';
import { type Resource, resources } from '../../domain/resource.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { snapshotBalances } from './balances.ts';
import { mirrorVaults, mirrorWhitelist } from './documents.ts';
import { type Repetition, syncTransactionsRepeatedly } from './repeat-sweeps.ts';
import { syncTransactions } from './transactions.ts';

export interface CycleOptions {
  /** Sweep every transaction, whatever is known of the list. */
  readonly full: boolean;
  /** How a sweep of transactions that left something open is tried again; left out for not at all. */
  readonly again?: Repetition;
}

const jobs: Readonly<Record<Resource, (context: JobContext, options: CycleOptions) => Promise<JobOutcome>>> =
  {
    transactions: (context, { full, again }) =>
      again === undefined
        ? syncTransactions(context, { full })
        : syncTransactionsRepeatedly(context, { full }, again),
    balances: snapshotBalances,
    vaults: mirrorVaults,
    whitelist: mirrorWhitelist,
  };

/**
 * Mirrors the resources side by side; one that fails does not stop the others. Balances are asked for when the transactions
 * have been read, so that they hold whatever these showed: else a day's last balances and last transactions would overlap.
 */
export function runCycle(
  context: JobContext,
  wanted: readonly Resource[],
  options: CycleOptions,
): Promise<readonly JobOutcome[]> {
  const started = new Map<Resource, Promise<JobOutcome>>();
  for (const resource of resources.filter((one) => wanted.includes(one))) {
    const before = resource === 'balances' ? started.get('transactions') : undefined;
    const job = () => jobs[resource](context, options);
    started.set(resource, before === undefined ? job() : before.then(job));
  }
  return allSettled(wanted.flatMap((resource) => started.get(resource) ?? []));
}
