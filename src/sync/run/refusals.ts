// Tells that answers were refused for a time that is still to come. It is said louder the longer it lasts.
import type { Refusal } from '../../store/run/refusals.ts';
import type { OpenRun } from './run-job.ts';

/** Commits after which it is no passing matter. */
const passing = 5;

export function tellRefusal({ logger, run }: OpenRun, refusal: Refusal | null): void {
  if (refusal === null) return;
  const { until, occurrences } = refusal;
  const fields = { job: run.job, until, occurrences };
  const message = 'answers were refused: what is mirrored is of a later time';
  if (occurrences > passing) logger.error(fields, message);
  else logger.warn(fields, message);
}
