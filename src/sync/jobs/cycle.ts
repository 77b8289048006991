// Which job mirrors which resource, and one full cycle over several resources.
import { allSettled } from '../../base/waiting.ts';
import { type Resource, resources } from '../../domain/resource.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { snapshotBalances } from './balances.ts';
import { mirrorVaults, mirrorWhitelist } from './documents.ts';
import { type Repetition, syncTransactionsRepeatedly } from './repeat-sweeps.ts';
import { syncTransactions } from './transactions.ts';

export interface CycleOptions {
  /** Sweeps every transaction, whatever is known about the list. */
  readonly full: boolean;
  /** How a sweep of transactions with doubts is tried again; when absent, it is not. */
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
 * Mirrors the resources side by side; one that fails does not stop the others. Balances are read after the transactions, so
 * that they hold everything that the transactions showed: the reconciliation of a day relies on that.
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
