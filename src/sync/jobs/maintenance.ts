// The maintenance job: removes old runs and old resolved anomalies. The verdict of its run holds how many
// rows it removed.
import { removeOld } from '../../store/upkeep/prune.ts';
import type { JobContext } from '../run/context.ts';
import { type JobOutcome, runJob } from '../run/run-job.ts';

const keepRunsDays = 30;
/** Counted from when an anomaly was resolved. */
const keepResolvedDays = 90;

export function maintain(context: JobContext): Promise<JobOutcome> {
  return runJob(
    context,
    { job: 'maintenance', mode: 'full' },
    async ({ database, lease, logger, signal }) => {
      const parts = { signal };
      const removed = {
        runs: await removeOld(database, lease, 'runs', keepRunsDays, parts),
        anomalies: await removeOld(database, lease, 'anomalies', keepResolvedDays, parts),
      };
      if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'old rows removed');
      return { done: { removed } };
    },
  );
}
