// Whether a sweep that read its list to the end may claim completeness: the list may have been cut. Holds it
// against its filters (cross-examination.ts), learns what it finds (docs/custody-service.md 4.1), and names
// the doubt. A list that is known to be cut is read in parts.
import type { ServiceFilter } from '../../custody/client.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { grouped } from '../../domain/words.ts';
import { readPresentIds } from '../../store/commit/mark-missing.ts';
import { hasWholeSweep } from '../../store/run/runs.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import { knownWindow, learnWindow, repeatsLastRecord } from '../pages/list-window.ts';
import { createTransactionReader, createWitnessReader } from '../pages/page-reader.ts';
import { createKeySet, type KeySet } from '../run/key-set.ts';
import type { OpenRun } from '../run/run-job.ts';
import { coversWholeList, type Verdict, withDoubts } from '../walk/verdict.ts';
import { crossExamine } from './cross-examination.ts';
import { type NewestPart, readParts } from './transactions-parts.ts';

/** Says that the list shows less than there is, and at what length it ended. */
const cutFact = 'transactions_cut';
const notCut = 'no';
const hiding = 'hides';
/** A witness has shown more, and was not explained yet. */
const suspected = 'perhaps';
const newestFact = 'transactions_newest_part';
/** Lists that end at a multiple of this have probably been cut, if no filter could contradict. */
const roundLength = 1_000;

export interface ExaminedSweep {
  readonly run: OpenRun;
  readonly verdict: Verdict;
  readonly met: KeySet;
  readonly commit: (pages: readonly Page<Transaction>[]) => Promise<unknown>;
  /** Reads the list once more. */
  readonly sweepAgain: () => Promise<Verdict>;
}

/** Whether the list is known to show less than there is. */
export function isListCut({ facts }: Pick<OpenRun, 'facts'>): boolean {
  return facts.known.has(cutFact);
}

/** The verdict, with the doubt `list-cut` where the list shows less than there is. */
export async function examine(sweep: ExaminedSweep): Promise<Verdict> {
  const { run, met } = sweep;
  const priority = run.run.job === 'reconcile' ? 'background' : 'normal';
  const read = createTransactionReader(run, priority);
  const isRepeating =
    sweep.verdict.doubts.includes('offset-ignored') &&
    met.size > sweep.verdict.evidence.pageSize &&
    (await repeatsLastRecord(read, met.size, run.signal));
  if (isRepeating)
    learnWindow(run, met.size, `every offset from ${met.size} on was answered with the last records again`);
  const verdict = isRepeating ? await sweep.sweepAgain() : sweep.verdict;
  if (!coversWholeList(verdict) || met.size === 0) return verdict;
  const isDue = run.run.job === 'reconcile' || isListCut(run);
  if (!isDue && (await hasWholeSweep(run.database, run.lease.account))) return verdict;
  const length = verdict.length ?? met.size;
  const known = verdict.evidence.resumed > 0 ? await readMirrored(run, met) : met;
  const { commit } = sweep;
  const suspect = () => suspectCut(run);
  const witness = createWitnessReader(run, priority);
  const ask = (shown: number) =>
    crossExamine({ run, read: witness, met: known, length: shown, commit, suspect });
  let testimony = await ask(length);
  let contradicting = testimony.suspects;
  if (contradicting.length > 0) {
    // What was not met may have arrived in the middle of the list: it is read once more.
    const again = await sweep.sweepAgain();
    const most = Math.max(known.size, met.size, length, again.length ?? 0);
    contradicting = contradicting.filter(
      (one) => one.length > most || one.unmet.some((key) => !known.has(key) && !met.has(key)),
    );
    // It was explained before a filter was found that could contradict.
    if (contradicting.length === 0 && !testimony.couldContradict) {
      testimony = await ask(again.length ?? length);
      contradicting = testimony.suspects;
    }
  }
  const { heard, couldContradict, failed } = testimony;
  const isWitness = couldContradict || (heard.size > 0 && run.facts.known.get(cutFact) === suspected);
  const isShort = length === knownWindow(run.facts) || (!couldContradict && length % roundLength === 0);
  if (contradicting.length > 0 || isShort)
    learnCut(
      run,
      length,
      contradicting.map(({ filter }) => filter),
    );
  // A resumed sweep does not know what it met, and who was not heard may have contradicted.
  else if (agrees(run, isWitness && failed === 0 && verdict.evidence.resumed === 0)) return verdict;
  if (heard.size === 0) return withDoubts(verdict, [failed === 0 ? 'filters-ignored' : 'list-cut']);
  const parts = await readParts({ run, read, commit, met, testimony });
  learnNewest(run, parts.newest);
  // No filter shows what only its id shows.
  const isCovered = parts.covered && run.facts.known.get(cutFact) !== hiding;
  const { records } = parts;
  const coverage = {
    met: records,
    listLength: isCovered ? records : null,
    listShown: null,
    isResumed: false,
  };
  const doubts: DoubtCode[] = [];
  if (!isCovered) doubts.push('list-cut');
  if (parts.hasUndecodable) doubts.push('undecodable');
  return withDoubts({ ...verdict, coverage }, doubts);
}

/** Verified sweeps did not meet transactions that their ids still show. */
export function cutByAbsence(run: OpenRun, verdict: Verdict): Verdict {
  const evidence = 'transactions that three sweeps did not meet were answered by their ids';
  run.facts.learn({ fact: cutFact, value: hiding, evidence });
  return withDoubts(verdict, ['list-cut']);
}

/** Whether the list is believed whole: one that was found cut is when its witnesses agree in several runs. */
function agrees(run: OpenRun, isWitnessed: boolean): boolean {
  const { facts } = run;
  const whole = { fact: cutFact, value: notCut, evidence: 'the filters agree with the list' };
  const isSuspected = facts.known.get(cutFact) === suspected;
  if (isListCut(run) && !(isWitnessed && noteEvidence(run, whole, isSuspected))) return false;
  for (const fact of [cutFact, newestFact]) facts.forget(fact);
  return true;
}

/** Saved at once: a run that is interrupted saves nothing at its end. */
async function suspectCut(run: OpenRun): Promise<void> {
  if (isListCut(run)) return;
  run.facts.learn({ fact: cutFact, value: suspected, evidence: 'a filter shows a record that was not met' });
  await run.facts.save(run.lease);
}

function learnNewest({ facts }: OpenRun, newest: NewestPart | null): void {
  if (newest === null) facts.forget(newestFact);
  else
    facts.learn({
      fact: newestFact,
      value: `${newest.start} ${newest.window}`,
      evidence: 'the list was read in ranges of dates',
    });
}

/** Where the newest range of dates begins, if the list is read in such; else null. */
export function newestPart({ facts }: Pick<OpenRun, 'facts'>): NewestPart | null {
  const [start = '', window] = facts.known.get(newestFact)?.split(' ') ?? [];
  return start === '' ? null : { start, window: Number(window) };
}

function learnCut({ facts }: OpenRun, length: number, filters: readonly ServiceFilter[]): void {
  const names = filters.flatMap((filter) =>
    Object.entries(filter).map(([name, value]) => `${name}=${value}`),
  );
  const shown = `the list ended at ${grouped(length)}`;
  const evidence =
    names.length === 0
      ? `${shown}, and no filter shows more`
      : `${shown}, and ${names.join(', ')} ${names.length === 1 ? 'shows' : 'show'} records that it does not hold`;
  facts.forget(`${cutFact}:evidence`);
  // The first finding stays: it says since when.
  if (facts.known.get(cutFact)?.startsWith('at ')) return;
  facts.learn({ fact: cutFact, value: `at ${length}`, evidence });
}

/** What a resumed sweep has met, with what was mirrored before: it does not know what its earlier part met. */
async function readMirrored(
  { database, lease, run }: OpenRun,
  met: KeySet,
): Promise<Pick<KeySet, 'has' | 'size'>> {
  const before = createKeySet();
  for await (const part of readPresentIds(database, lease.account, run.startedAt))
    for (const id of part) before.add(id);
  return { has: (key) => before.has(key) || met.has(key), size: before.size };
}
