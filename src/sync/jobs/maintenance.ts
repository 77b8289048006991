// The maintenance job: removes what is old and no longer says anything. What it did stands with its run, in the verdict.
import { pruneAnomalies, pruneRuns } from '../../store/upkeep/prune.ts';
import { thinSnapshots } from '../../store/upkeep/thin-snapshots.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, runJob } from '../run/run-job.ts';

/** Runs of finished jobs are kept this long. */
const keepRunsDays = 30;
/** Anomalies are kept this long after they were resolved. */
const keepResolvedDays = 90;

export interface MaintenanceOptions {
  /** The age from which on snapshots of balances are thinned, in days; null keeps them all. */
  readonly thinSnapshotsAfterDays: number | null;
}

export function maintain(
  context: JobContext,
  { thinSnapshotsAfterDays }: MaintenanceOptions,
): Promise<JobOutcome> {
  return runJob(
    context,
    { job: 'maintenance', mode: 'full' },
    async ({ database, lease, logger, signal }) => {
      const parts = { signal };
      const removed = {
        runs: await pruneRuns(database, lease, keepRunsDays, parts),
        anomalies: await pruneAnomalies(database, lease, keepResolvedDays, parts),
        balance_snapshots:
          thinSnapshotsAfterDays === null
            ? 0
            : await thinSnapshots(database, lease, thinSnapshotsAfterDays, parts),
      };
      if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'old rows removed');
      return { done: { removed } };
    },
  );
}
