// When a finding of a run becomes a fact. One answer may be wrong because the list changed meanwhile, or
// because the service lost its data for a while. So some values are believed after consecutive runs that
// agree (`<fact>:evidence` counts them), and an empty list when two runs an hour apart do.
import type { Fact } from '../../domain/endpoint.ts';
import { instantToIso } from '../../domain/instant.ts';
import type { OpenRun } from '../run/run-job.ts';
import { type Verdict, withDoubts } from '../walk/verdict.ts';

/**
 * Consecutive runs that have to agree on a value, by fact or by fact and value. Every other value is believed
 * at once: being wrong about it costs requests, and no record.
 */
const runsToBelieve: Readonly<Record<string, number>> = {
  status_filter: 3,
  'transactions_limit none': 3,
  'transactions_cut no': 2,
  'balances_cut no': 2,
  'transactions_grow_at head': 3,
  'transactions_grow_at tail': 3,
  // A list wrongly taken for unpaged would lack everything after its first page.
  'paging none': 3,
  'vault_list_is_thinner no': 3,
};

/**
 * Notes what this run found. A second finding of the same run replaces the first.
 *
 * @param isSure whether it is believed at once in any case
 * @returns whether it is believed
 */
export function noteEvidence(
  { facts, run }: Pick<OpenRun, 'facts' | 'run'>,
  { fact, value, evidence }: Fact,
  isSure = false,
): boolean {
  const pending = `${fact}:evidence`;
  const [kind = fact] = fact.split(':');
  const enough = isSure ? 1 : (runsToBelieve[`${kind} ${value}`] ?? runsToBelieve[kind] ?? 1);
  const [before, count = '0', runId] = (facts.known.get(pending) ?? '').split(' ');
  const agreeing = before === value ? Number(count) - (runId === run.runId ? 1 : 0) : 0;
  const runs = agreeing + 1;
  const isBelieved = facts.known.get(fact) === value || runs >= enough;
  if (!isBelieved) facts.learn({ fact: pending, value: `${value} ${runs} ${run.runId}`, evidence });
  else {
    facts.forget(pending);
    facts.learn({ fact, value, evidence: enough === 1 ? evidence : `${evidence}; ${runs} runs in a row` });
  }
  return isBelieved;
}

const believedEmpty = 'again';
const holdsRecords = 'no';
const hourMs = 3_600_000;

type Emptied = Pick<OpenRun, 'facts' | 'clock' | 'lease' | 'run' | 'trustEmptyLists'>;

const emptyFact = (list: string) => `empty:${list}`;

/**
 * The verdict, with the doubt `empty-once` until an empty list is confirmed: by a run that starts an hour
 * after the first one that found it empty, with no record seen in between, or by the operator. A service that
 * has lost its data for a while, or a broken filter, looks like an empty account.
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
  const evidence = 'the service reported no records';
  if (isBelieved) {
    const by = run.trustEmptyLists === true ? 'the operator confirmed it' : 'did so again an hour later';
    facts.learn({ fact, value: believedEmpty, evidence: `${evidence}, and ${by}` });
    return verdict;
  }
  // A future time does not come from this account's clock.
  if (!(foundAt <= clock.now())) {
    facts.learn({ fact, value: instantToIso(clock.now()), evidence: `${evidence}, for the first time` });
    // Saved at once, because a run that fails because of the doubt saves nothing at its end.
    await facts.save(lease);
  }
  return withDoubts(verdict, ['empty-once']);
}

/** Notes a page with records at once: if the list is empty later, that has to be confirmed again. */
export async function noteRecords(run: Pick<OpenRun, 'facts' | 'lease'>, list: string): Promise<void> {
  const { facts, lease } = run;
  const fact = emptyFact(list);
  if ((facts.known.get(fact) ?? holdsRecords) === holdsRecords) return;
  facts.learn({ fact, value: holdsRecords, evidence: 'the list was answered with records again' });
  await facts.save(lease);
}

/** Whether an empty list is unconfirmed, so that nothing may be concluded from it. */
export function isEmptinessDoubted({ doubts }: Verdict): boolean {
  return doubts.includes('empty-once');
}
