// One tick of balances (interface.md 4.3 and 4.4): all, warm and cold are observed at one moment and each is kept as a
// snapshot, whole or not at all. What could not be observed gets no snapshot, so that a gap is never taken for a zero.
import { type Balance, type BalanceVaultType, balanceVaultTypes } from '../domain/balance.ts';
import { commitBalanceSnapshot } from '../store/balances.ts';
import { countBalances } from '../store/mirrored.ts';
import { allTogether } from './all-together.ts';
import { collectList } from './collect.ts';
import type { JobContext } from './context.ts';
import { isFirstEmptiness } from './emptiness.ts';
import { type JobOutcome, type OpenRun, runJob } from './job.ts';
import { combineVerdicts, type Verdict } from './walk/verdict.ts';

/** interface.md 4.3 and 8: the default of GET /balances. */
const pageLimit = 50;

export function snapshotBalances(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'balances', mode: 'full' }, async (run) => {
    const verdicts = await allTogether(balanceVaultTypes.map((vaultType) => snapshot(run, vaultType)));
    return combineVerdicts(verdicts);
  });
}

async function snapshot(run: OpenRun, vaultType: BalanceVaultType): Promise<Verdict> {
  const { client, database, lease, tally } = run;
  const mirrored = await countBalances(database, lease.account, vaultType);
  const { pages, verdict } = await collectList<Balance>(run, {
    name: vaultType === 'all' ? 'balances' : `balances/${vaultType}`,
    read: (request, signal) => client.balances(vaultType, request, { signal, priority: 'urgent', tally }),
    pagingDocumented: vaultType === 'all',
    limit: pageLimit,
    mirrored,
  });
  // Nothing was mirrored, and it is not yet believed that there is nothing: what follows would look like an inflow.
  if (isFirstEmptiness(verdict)) return verdict;
  const written = await commitBalanceSnapshot(database, lease, run.run, {
    vaultType,
    snapshotAt: run.run.startedAt,
    pages,
    tally,
  });
  run.count({
    inserted: mirrored === 0 ? written.changed : 0,
    changed: mirrored === 0 ? 0 : written.changed,
    unchanged: Math.max(0, written.assets - written.changed),
    quarantined: written.quarantined,
  });
  return verdict;
}
