// What is held of a list that a walk found empty. A service that has lost its data for a while says what an empty account
// would say, and so does a filter that broke. So the first run that finds a list empty is in doubt, however often it asked;
// the next one that finds the same is believed. Which it is stands in a fact, for as long as the list shows nothing.
import type { OpenRun } from '../run/run-job.ts';
import { type Verdict, withDoubts } from '../walk/verdict.ts';

const foundOnce = 'once';
const foundAgain = 'again';
const holdsRecords = 'no';

/**
 * The verdict, with the doubt `empty-once` where this run is the first to find the list empty.
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
  // Kept at once: a run that fails for the doubt keeps nothing at its end.
  await facts.save(lease);
  return isFirst ? withDoubts(verdict, ['empty-once']) : verdict;
}

/** Whether nothing may be concluded from the list being empty. */
export function isFirstEmptiness({ doubts }: Verdict): boolean {
  return doubts.includes('empty-once');
}
