// Lets an hour pass for what waits for it: whether a list that was found empty is believed to be.
import { instantToIso } from '../../src/domain/instant.ts';
import type { JobContext } from '../../src/sync/run/context.ts';

/** Moves the times at which lists were first found empty an hour into the past. */
export function letAnHourPass({ facts }: Pick<JobContext, 'facts'>): void {
  for (const [fact, value] of [...facts.known]) {
    const foundAt = fact.startsWith('empty:') ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(foundAt))
      facts.learn({ fact, value: instantToIso(foundAt - 3_600_000), evidence: 'told by the test' });
  }
}
