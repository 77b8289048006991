// Logs that answers were refused because the mirror holds a time that is still to come: a warning first, then
// an error.
import type { ClockRefusal } from '../../store/run/refusals.ts';
import type { OpenRun } from './run-job.ts';

/** Up to so many commits with refusals are a warning. */
const maxWarnings = 5;

export function logRefusal({ logger, run }: OpenRun, refusal: ClockRefusal | null): void {
  if (refusal === null) return;
  const { until, occurrences } = refusal;
  const fields = { job: run.job, until, occurrences };
  const message = 'answers were refused: the mirror holds a later time';
  if (occurrences > maxWarnings) logger.error(fields, message);
  else logger.warn(fields, message);
}
