// One answer may be wrong because the list changed meanwhile, or because the service lost its data for a
// while. So a value is believed after three runs in a row (until then `<fact>:evidence` counts them), and an
// empty list after two.
import type { Fact } from '../../domain/endpoint.ts';
import type { OpenRun } from '../run/run-job.ts';
import { type Verdict, withDoubts } from '../walk/verdict.ts';

/** Runs in a row that have to agree. */
const enoughRuns = 3;

/** Notes what this run found. A second finding of the same run replaces the first. */
export function noteEvidence(
  { facts, run }: Pick<OpenRun, 'facts' | 'run'>,
  { fact, value, evidence }: Fact,
): void {
  const pending = `${fact}:evidence`;
  if (facts.known.get(fact) === value) {
    facts.forget(pending);
    return;
  }
  const [before, count = '0', runId] = (facts.known.get(pending) ?? '').split(' ');
  const agreeing = before === value ? Number(count) - (runId === run.runId ? 1 : 0) : 0;
  const runs = agreeing + 1;
  if (runs < enoughRuns) {
    facts.learn({ fact: pending, value: `${value} ${runs} ${run.runId}`, evidence });
    return;
  }
  facts.forget(pending);
  facts.learn({ fact, value, evidence: `${evidence}; ${runs} runs in a row` });
}

const foundOnce = 'once';
const foundAgain = 'again';
const holdsRecords = 'no';

/**
 * The verdict, with the doubt `empty-once` if this run is the first that finds the list empty; the next is
 * believed. A service that has lost its data for a while, or a broken filter, answers like an empty account.
 * A fact keeps which of the two it is.
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
