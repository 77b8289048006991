// Whether a sweep that read its list to the end may claim completeness: the list may have been cut. Compares
// it with its filters (cross-examination.ts), learns what it finds (docs/custody-service.md 4.1), and names
// the doubt. A list that is known to be cut is read in parts.
import type { ServiceFilter } from '../../custody/client.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { grouped } from '../../domain/words.ts';
import { readPresentIds } from '../../store/commit/mark-missing.ts';
import { hasWholeSweep } from '../../store/run/runs.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import { knownWindow, learnWindow, type ReadTransactions, repeatsLastRecord } from '../pages/list-window.ts';
import { createTransactionReader, createWitnessReader } from '../pages/page-reader.ts';
import { createKeySet, type KeySet } from '../run/key-set.ts';
import type { OpenRun } from '../run/run-job.ts';
import type { SeenKeys } from '../walk/state.ts';
import { coversWholeList, type Verdict, withDoubts } from '../walk/verdict.ts';
import { crossExamine, type Shares, unmetOn } from './cross-examination.ts';
import { newestFact, readParts } from './transactions-parts.ts';

/** Says that the list shows less than there is, and at what length it ended. */
const cutFact = 'transactions_cut';
const notCut = 'no';
const hiding = 'hides';
/** A filter showed a record that was not met, and no examination has explained it yet. */
const suspectFact = 'transactions_suspect';
/** Lists that end at a multiple of this have probably been cut, if no filter could contradict. */
const roundLength = 1_000;

export interface ExaminedSweep {
  readonly run: OpenRun;
  readonly verdict: Verdict;
  readonly met: KeySet;
  readonly shares: Shares;
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
  const { run, met, commit } = sweep;
  const read = createTransactionReader(run);
  const verdict = (await isRepeating(sweep, read)) ? await sweep.sweepAgain() : sweep.verdict;
  if (!coversWholeList(verdict)) return verdict;
  const wasSuspect = run.facts.known.has(suspectFact);
  const isDue = run.run.job === 'reconcile' || isListCut(run) || wasSuspect;
  if (!isDue && (await hasWholeSweep(run.database, run.lease.account))) return verdict;
  const length = verdict.length ?? met.size;
  const isResumed = verdict.evidence.resumed > 0;
  const testimony = await hearWitnesses(sweep, length, isResumed ? await readMirrored(run, met) : met);
  const { suspects, heard, couldContradict, failed } = testimony;
  const isShort =
    length === knownWindow(run.facts) || (!couldContradict && length > 0 && length % roundLength === 0);
  // To a resumed sweep, records mirrored by an interrupted examination would seem to have been met.
  const isUnexplained = wasSuspect && suspects.length === 0 && (isResumed || failed > 0 || heard.size === 0);
  if (!isUnexplained) run.facts.forget(suspectFact);
  if (suspects.length > 0 || isShort) {
    const filters = suspects.map(({ filter }) => filter);
    learnCut(run, length, filters);
  }
  // A resumed sweep does not know what it met, and an unheard filter may have contradicted it.
  else if (!isUnexplained && agrees(run, couldContradict && failed === 0 && !isResumed)) return verdict;
  if (heard.size === 0) return withDoubts(verdict, [failed === 0 ? 'filters-ignored' : 'list-cut']);
  const window = Math.max(length, ...heard.values(), knownWindow(run.facts) ?? 0);
  const parts = await readParts({ run, read, commit, met, testimony, window });
  const { covered, hasUndecodable, records } = parts;
  // No filter shows a record that only its id shows.
  const isCovered = covered && run.facts.known.get(cutFact) !== hiding;
  const doubts: DoubtCode[] = isCovered ? [] : ['list-cut'];
  if (hasUndecodable) doubts.push('undecodable');
  const listLength = isCovered ? records : null;
  const coverage = { met: records, listLength, listShown: null, isResumed: false };
  return withDoubts({ ...verdict, coverage }, doubts);
}

/** Whether the sweep found that the service answers with the last records again behind a window. */
async function isRepeating({ run, verdict, met }: ExaminedSweep, read: ReadTransactions): Promise<boolean> {
  const { doubts, evidence } = verdict;
  if (!doubts.includes('offset-ignored') || met.size <= evidence.pageSize) return false;
  if (!(await repeatsLastRecord(read, met.size, run.signal))) return false;
  learnWindow(run, met.size, `every offset from ${met.size} on was answered with the last records again`);
  return true;
}

/** The testimony of the filters against the list, without what another sweep explains. */
async function hearWitnesses(
  { run, met, shares, commit, sweepAgain }: ExaminedSweep,
  length: number,
  known: SeenKeys,
) {
  const witness = createWitnessReader(run);
  // Every observed record is mirrored.
  const read: ReadTransactions = async (...asked) => {
    const page = await witness(...asked);
    if (unmetOn(page, known).length > 0) await suspect(run);
    if (page.items.length > 0) await commit([page]);
    return page;
  };
  const testimony = await crossExamine({ run, read, met: known, shares, length });
  if (testimony.suspects.length === 0) return testimony;
  // Unmet records may have arrived in the middle of the list, which is therefore read once more.
  const again = await sweepAgain();
  const most = Math.max(known.size, met.size, length, again.length ?? 0);
  const suspects = testimony.suspects.filter(
    (one) => one.length > most || one.unmet.some((key) => !known.has(key) && !met.has(key)),
  );
  // It was explained before a filter was found that could contradict.
  if (suspects.length === 0 && !testimony.couldContradict)
    return await crossExamine({ run, read, met: known, shares, length: again.length ?? length });
  return { ...testimony, suspects };
}

/** Saved at once: a run that is interrupted saves nothing at its end. */
async function suspect(run: OpenRun): Promise<void> {
  const { facts, lease } = run;
  if (isListCut(run) || facts.known.has(suspectFact)) return;
  const evidence = 'a filter showed a transaction that the sweep did not meet';
  facts.learn({ fact: suspectFact, value: 'yes', evidence });
  await facts.save(lease);
}

/** Verified sweeps did not meet transactions that their ids still show. */
export function cutByAbsence(run: OpenRun, verdict: Verdict): Verdict {
  const evidence = 'transactions that three sweeps did not meet were answered by their ids';
  run.facts.learn({ fact: cutFact, value: hiding, evidence });
  return withDoubts(verdict, ['list-cut']);
}

/** Whether the list is believed whole: after a cut, once its witnesses agree in several runs. */
function agrees(run: OpenRun, isWitnessed: boolean): boolean {
  const whole = { fact: cutFact, value: notCut, evidence: 'the filters agree with the list' };
  if (isListCut(run) && !(isWitnessed && noteEvidence(run, whole))) return false;
  for (const fact of [cutFact, newestFact]) run.facts.forget(fact);
  return true;
}

function learnCut({ facts }: OpenRun, length: number, filters: readonly ServiceFilter[]): void {
  const names = filters.flatMap((filter) =>
    Object.entries(filter).map(([name, value]) => `${name}=${value}`),
  );
  const more = `${names.join(', ')} ${names.length === 1 ? 'shows' : 'show'} records that it does not hold`;
  const evidence = `the list ended at ${grouped(length)}, and ${names.length === 0 ? 'no filter shows more' : more}`;
  facts.forget(`${cutFact}:evidence`);
  // The first finding stays: it says since when.
  if (facts.known.get(cutFact)?.startsWith('at ')) return;
  facts.learn({ fact: cutFact, value: `at ${length}`, evidence });
}

/** Keys that a resumed sweep has met or that were mirrored before: it does not know its earlier part. */
async function readMirrored({ database, lease, run }: OpenRun, met: KeySet): Promise<SeenKeys> {
  const before = createKeySet();
  for await (const part of readPresentIds(database, lease.account, run.startedAt))
    for (const id of part) before.add(id);
  return { has: (key) => before.has(key) || met.has(key), size: before.size };
}
