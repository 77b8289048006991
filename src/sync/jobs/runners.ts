// What each job does, by its name in the registry (domain/jobs.ts), and one full cycle over several resources
// at once.
import { allSettled } from '../../base/waiting.ts';
import { type JobName, jobOf, type Resource } from '../../domain/jobs.ts';
import { removeOld } from '../../store/upkeep/prune.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, runJob } from '../run/run-job.ts';
import { snapshotBalances } from './balances.ts';
import { mirrorVaults, mirrorWhitelist } from './documents.ts';
import { type Repetition, syncTransactionsRepeatedly } from './repeat-sweeps.ts';
import { syncTransactions } from './transactions.ts';
import { sweepTransactions } from './transactions-sweep.ts';

export interface JobOptions {
  /** Sweep every transaction, whatever is known about the list. */
  readonly full?: boolean;
  /** How a sweep of transactions with doubts is retried; omitted for no retries. */
  readonly again?: Repetition;
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
  maintenance: maintain,
};

/**
 * Mirrors the resources in parallel, or in sequence if the registry says so; a failure does not stop the
 * others.
 *
 * @param inTurn starts each job when its turn comes; at once by default
 */
export function runCycle(
  context: JobContext,
  wanted: readonly Resource[],
  options: JobOptions,
  inTurn: (resource: Resource, work: () => Promise<JobOutcome>) => Promise<JobOutcome> = (_, work) => work(),
): Promise<readonly JobOutcome[]> {
  const started = new Map<Resource, Promise<JobOutcome>>();
  const start = (resource: Resource): Promise<JobOutcome> => {
    const known = started.get(resource);
    if (known !== undefined) return known;
    const { after } = jobOf(resource);
    const run = () => inTurn(resource, () => runners[resource](context, options));
    const begun = after !== undefined && wanted.includes(after) ? start(after).then(run) : run();
    started.set(resource, begun);
    return begun;
  };
  return allSettled(wanted.map(start));
}

const keepRunsDays = 30;
/** Counted from when an anomaly was resolved. */
const keepResolvedDays = 90;

/** Removes old runs and old resolved anomalies. The verdict of its run holds how many rows it removed. */
function maintain(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'maintenance', mode: 'full' }, async (run) => {
    const { database, lease, logger } = run;
    const removed = {
      runs: await removeOld(database, lease, 'runs', keepRunsDays, run),
      anomalies: await removeOld(database, lease, 'anomalies', keepResolvedDays, run),
    };
    if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'old rows removed');
    return { done: { removed } };
  });
}
