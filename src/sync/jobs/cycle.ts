// One full cycle over several resources at once.
import { allSettled } from '../../base/waiting.ts';
import { jobOf, type Resource } from '../../domain/jobs.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { type JobOptions, runners } from './runners.ts';

/** Mirrors the resources side by side, or one after the other where they say so; none stops the others. */
export function runCycle(
  context: JobContext,
  wanted: readonly Resource[],
  options: JobOptions,
): Promise<readonly JobOutcome[]> {
  const started = new Map<Resource, Promise<JobOutcome>>();
  const start = (resource: Resource): Promise<JobOutcome> => {
    const known = started.get(resource);
    if (known !== undefined) return known;
    const { after } = jobOf(resource);
    const run = () => runners[resource](context, options);
    const begun = after !== undefined && wanted.includes(after) ? start(after).then(run) : run();
    started.set(resource, begun);
    return begun;
  };
  return allSettled(wanted.map(start));
}
