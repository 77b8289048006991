// The maintenance job: removes old runs, old resolved anomalies and, if configured, old snapshots. The
// verdict of its run holds how many rows it removed.
import { pruneAnomalies, pruneRuns } from '../../store/upkeep/prune.ts';
import { thinSnapshots } from '../../store/upkeep/thin-snapshots.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, runJob } from '../run/run-job.ts';

const keepRunsDays = 30;
/** Counted from when an anomaly was resolved. */
const keepResolvedDays = 90;

/** @param thinSnapshotsAfterDays the age from which snapshots of balances are thinned; null keeps them all */
export function maintain(context: JobContext, thinSnapshotsAfterDays: number | null): Promise<JobOutcome> {
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
