// Which job mirrors which resource, and one full cycle over several of them at once.
import type { Resource } from '../domain/resource.ts';
import { allTogether } from './all-together.ts';
import { snapshotBalances } from './balances.ts';
import type { JobContext } from './context.ts';
import { mirrorVaults, mirrorWhitelist } from './documents.ts';
import type { JobOutcome } from './job.ts';
import { syncTransactions } from './transactions.ts';

export interface CycleOptions {
  /** Sweep every transaction, whatever is known of the list. */
  readonly full: boolean;
}

const jobs: Readonly<Record<Resource, (context: JobContext, options: CycleOptions) => Promise<JobOutcome>>> =
  {
    transactions: syncTransactions,
    balances: snapshotBalances,
    vaults: mirrorVaults,
    whitelist: mirrorWhitelist,
  };

/** Mirrors the resources side by side; one that fails does not stop the others. */
export function runCycle(
  context: JobContext,
  wanted: readonly Resource[],
  options: CycleOptions,
): Promise<readonly JobOutcome[]> {
  return allTogether(wanted.map((resource) => jobs[resource](context, options)));
}
