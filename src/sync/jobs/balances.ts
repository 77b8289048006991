// One tick of balances (docs/custody-service.md 4.3 and 4.4): reads all, warm and cold in parallel and
// commits each as a whole snapshot. A list that could not be read gets no snapshot, so a gap never counts as
// zero.
import { allSettled } from '../../base/waiting.ts';
import { type Balance, type BalanceVaultType, balanceVaultTypes } from '../../domain/balance.ts';
import { commitBalanceSnapshot, compareTotals } from '../../store/commit/commit-balances.ts';
import { countBalances } from '../../store/job-queries/mirrored.ts';
import { isEmptinessDoubted } from '../learned/repeated-evidence.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, type OpenRun, runJob } from '../run/run-job.ts';
import { combineVerdicts } from '../walk/verdict.ts';
import { type CollectedList, collectList } from './collect-list.ts';
import { type BalanceLists, defaultPage, keptBackAssets, refuseCutList, withAssets } from './cut-balances.ts';

export function snapshotBalances(context: JobContext): Promise<JobOutcome> {
  return runJob(context, { job: 'balances', mode: 'full' }, async (run) => {
    const reading = {
      all: readBalances(run, 'all'),
      warm: readBalances(run, 'warm'),
      cold: readBalances(run, 'cold'),
    };
    const [all, warm, cold] = await Promise.all([
      unlessFailed(reading.all),
      unlessFailed(reading.warm),
      unlessFailed(reading.cold),
    ]);
    const lists: BalanceLists = { all, warm, cold };
    const keptBack = await keptBackAssets(run, all, () => readBalances(run, 'all'));
    const written = await allSettled(
      balanceVaultTypes.map(async (vaultType) => {
        const listed = await reading[vaultType];
        refuseCutList(vaultType, lists);
        const list = await withAssets(run, vaultType, listed, keptBack);
        await writeSnapshot(run, vaultType, list);
        return list;
      }),
    );
    await compareTotals(run.database, run.lease, run.run.startedAt);
    return combineVerdicts(written.map((list) => list.verdict));
  });
}

async function readBalances(run: OpenRun, vaultType: BalanceVaultType): Promise<CollectedList<Balance>> {
  const { client, database, lease, tally } = run;
  return await collectList<Balance>(run, {
    name: vaultType === 'all' ? 'balances' : `balances/${vaultType}`,
    read: (request, signal) => client.balances(vaultType, request, { signal, priority: 'urgent', tally }),
    pagingDocumented: vaultType === 'all',
    limit: defaultPage,
    mirrored: await countBalances(database, lease.account, vaultType),
  });
}

function unlessFailed<Value>(promise: Promise<Value>): Promise<Value | null> {
  return promise.catch(() => null);
}

async function writeSnapshot(
  run: OpenRun,
  vaultType: BalanceVaultType,
  { pages, verdict, observation }: CollectedList<Balance>,
): Promise<void> {
  const { database, lease, tally } = run;
  // A snapshot of an unconfirmed empty list would make the next one look like an inflow.
  if (isEmptinessDoubted(verdict)) return;
  const mirrored = await countBalances(database, lease.account, vaultType);
  const written = await commitBalanceSnapshot(database, lease, run.run, {
    vaultType,
    snapshotAt: run.run.startedAt,
    observation,
    pages,
    tally,
  });
  run.count({
    inserted: mirrored === 0 ? written.changed : 0,
    changed: mirrored === 0 ? 0 : written.changed,
    unchanged: written.stale ? 0 : Math.max(0, written.assets - written.changed),
    stale: written.stale ? written.assets : 0,
    quarantined: written.quarantined,
  });
}
