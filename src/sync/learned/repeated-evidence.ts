// One answer may be wrong because the list changed meanwhile. So a value is believed after three runs in a
// row; until then `<fact>:evidence` counts them.
import type { OpenRun } from '../run/run-job.ts';

interface RunEvidence {
  readonly fact: string;
  readonly value: string;
  /** What this run saw. */
  readonly evidence: string;
}

/** Runs in a row that have to agree. */
const enoughRuns = 3;

/** Notes what this run found. A second finding of the same run replaces the first. */
export function noteEvidence(
  { facts, run }: Pick<OpenRun, 'facts' | 'run'>,
  { fact, value, evidence }: RunEvidence,
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
