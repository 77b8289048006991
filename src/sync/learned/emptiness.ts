// Doubts the first run that finds a list empty, and believes the next: a service that has lost its data for a
// while, or a broken filter, answers like an empty account. A fact keeps which of the two it is.
import type { OpenRun } from '../run/run-job.ts';
import { type Verdict, withDoubts } from '../walk/verdict.ts';

const foundOnce = 'once';
const foundAgain = 'again';
const holdsRecords = 'no';

/**
 * The verdict, with the doubt `empty-once` if this run is the first that finds the list empty.
 *
 * @param list names the list, as in `ListSource`
 */
export async function doubtFirstEmptiness(
  { facts, lease }: OpenRun,
  list: string,
  verdict: Verdict,
): Promise<Verdict> {
  const fact = `empty:${list}`;
  const known = facts.known.get(fact);
  if (verdict.end !== 'empty') {
    if (known !== undefined)
      facts.learn({ fact, value: holdsRecords, evidence: 'the list was answered with records again' });
    return verdict;
  }
  const isFirst = known === undefined || known === holdsRecords;
  facts.learn({
    fact,
    value: isFirst ? foundOnce : foundAgain,
    evidence: `the service said ${isFirst ? 'for the first time' : 'in run after run'} that there are no records`,
  });
  // Saved at once, because a run that fails because of the doubt saves nothing at its end.
  await facts.save(lease);
  return isFirst ? withDoubts(verdict, ['empty-once']) : verdict;
}

/** Whether the list was found empty for the first time, so that nothing may be concluded from it. */
export function isFirstEmptiness({ doubts }: Verdict): boolean {
  return doubts.includes('empty-once');
}
