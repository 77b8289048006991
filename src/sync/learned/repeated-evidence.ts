// One answer may be wrong because the list changed meanwhile, or because the service lost its data for a
// while. So a value is believed after three runs in a row (until then `<fact>:evidence` counts them), and an
// empty list when two runs an hour apart agree.
import type { Fact } from '../../domain/endpoint.ts';
import { instantToIso } from '../../domain/instant.ts';
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

const believedEmpty = 'again';
const holdsRecords = 'no';
const hourMs = 3_600_000;

type Emptied = Pick<OpenRun, 'facts' | 'clock' | 'lease' | 'run' | 'trustEmptyLists'>;

const emptyFact = (list: string) => `empty:${list}`;

/**
 * The verdict, with the doubt `empty-once` while an empty list is not believed: until a run that begins an
 * hour after the first that found it empty finds the same, no record was seen meanwhile, or the operator says
 * so. A service that has lost its data for a while, or a broken filter, answers like an empty account.
 *
 * @param list names the list, as in `ListSource`
 */
export async function requireConfirmedEmpty(run: Emptied, list: string, verdict: Verdict): Promise<Verdict> {
  if (verdict.end !== 'empty') return verdict;
  const { facts, clock, lease } = run;
  const fact = emptyFact(list);
  const known = facts.known.get(fact);
  const foundAt = Date.parse(known ?? holdsRecords);
  const isLater = run.run.startedAt - foundAt >= hourMs;
  const isBelieved = known === believedEmpty || run.trustEmptyLists === true || isLater;
  const evidence = 'the service said that there are no records';
  if (isBelieved) {
    const by = run.trustEmptyLists === true ? 'the operator believes it' : 'so it did an hour later';
    facts.learn({ fact, value: believedEmpty, evidence: `${evidence}, and ${by}` });
    return verdict;
  }
  // A time that is still to come is none that this account's clock told.
  if (!(foundAt <= clock.now())) {
    facts.learn({ fact, value: instantToIso(clock.now()), evidence: `${evidence}, for the first time` });
    // Saved at once, because a run that fails because of the doubt saves nothing at its end.
    await facts.save(lease);
  }
  return withDoubts(verdict, ['empty-once']);
}

/** Takes note of a page with records, at once: a list that is found empty after it is doubted anew. */
export async function noteRecords(run: Pick<OpenRun, 'facts' | 'lease'>, list: string): Promise<void> {
  const { facts, lease } = run;
  const fact = emptyFact(list);
  if ((facts.known.get(fact) ?? holdsRecords) === holdsRecords) return;
  facts.learn({ fact, value: holdsRecords, evidence: 'the list was answered with records again' });
  await facts.save(lease);
}

/** Whether the list was found empty and that is not believed, so that nothing may be concluded from it. */
export function isEmptinessDoubted({ doubts }: Verdict): boolean {
  return doubts.includes('empty-once');
}
