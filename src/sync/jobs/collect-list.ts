// Reads a small list whole before anything is written: balances, vaults, whitelist. An unverified walk is
// repeated; if none is verified, that is an error. A list that is suddenly empty, or suddenly unpaged, is
// accepted only when later runs confirm it. The list is in memory until it is written, so it is bounded.
import type { Balance } from '../../domain/balance.ts';
import type { Vault, WhitelistEntry } from '../../domain/document.ts';
import { type DoubtCode, doubtSentences } from '../../domain/doubts.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/instant.ts';
import type { ListItem, Page, PageRequest } from '../../domain/page.ts';
import {
  isEmptinessDoubted,
  noteEvidence,
  noteRecords,
  requireConfirmedEmpty,
} from '../learned/repeated-evidence.ts';
import type { OpenRun } from '../run/run-job.ts';
import { coversWholeList, type Verdict, withDoubts } from '../walk/verdict.ts';
import { walkList } from '../walk/walk-list.ts';

export interface ListSource<Record_> {
  /** Names the list in facts and messages, such as `balances/warm`. */
  readonly name: string;
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page<Record_>>;
  /** Whether the service documents limit and offset for it. */
  readonly pagingDocumented: boolean;
  readonly limit: number;
  /** Checks again whether the list is paged, whatever was learned about it. */
  readonly probeAnew?: boolean;
  /** How many of its records are mirrored. */
  readonly mirrored: number;
}

export interface CollectedList<Record_> {
  readonly pages: readonly Page<Record_>[];
  readonly verdict: Verdict;
  /** From the first request to the last answer. */
  readonly observation: Observation;
}

type Collected = Balance | Vault | WhitelistEntry;

const attempts = 3;
/** Far more text than a list of this kind has. */
const mostText = 2 ** 24;
const maxPages = 10_000;
const noPaging = 'none';
const paged = 'by-offset';

/**
 * @throws MirrorError `LIST-UNSTEADY` when no walk was verified, or while the emptiness of a mirrored list is
 *   unconfirmed
 */
export async function collectList<Record_ extends Collected>(
  run: OpenRun,
  source: ListSource<Record_>,
): Promise<CollectedList<Record_>> {
  let verdict: Verdict | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    let collected = await collectOnce(run, source);
    // An unpaged list that now holds fewer records than are mirrored may have become paged.
    if (pagingOf(run, source) === noPaging && isShort(source, collected))
      collected = await collectOnce(run, { ...source, probeAnew: true });
    verdict = collected.verdict;
    if (coversWholeList(verdict)) {
      const judged = await requireConfirmedEmpty(run, source.name, verdict);
      refuseDoubtedEmptiness(source, judged);
      learnPaging(run, source, judged);
      return { ...collected, verdict: judged };
    }
  }
  throw new MirrorError(
    'LIST-UNSTEADY',
    `the list ${source.name} could not be read completely in ${attempts} walks: ${inWords(verdict?.doubts ?? [])}. Nothing was written for it; the next run tries again`,
  );
}

async function collectOnce<Record_ extends Collected>(
  run: OpenRun,
  source: ListSource<Record_>,
): Promise<CollectedList<Record_>> {
  const pages: Page<Record_>[] = [];
  const takeRoom = createRoom(`the list ${source.name}`);
  const met = new Set<string>();
  const answered: Observation[] = [];
  const verdict = await walkList<Record_>({
    async read(request, signal) {
      const page = await source.read(request, signal);
      answered.push({ beganAt: page.beganAt, arrivedAt: page.arrivedAt });
      if (page.items.length > 0) await noteRecords(run, source.name);
      return page;
    },
    paging: source.pagingDocumented ? 'documented' : pagingOf(run, source),
    mayRepeatKeys: true,
    limit: source.limit,
    ahead: null,
    expectedLength: source.mirrored === 0 ? null : source.mirrored,
    maxPages,
    onPage: async (page) => {
      takeRoom(page.items);
      pages.push(page);
    },
    met,
    recheckMs: run.config.retryMinMs,
    signal: run.signal,
  });
  return {
    pages,
    verdict: withDoubts(verdict, lostPaging(run, source, verdict, met.size) ? ['paging-lost'] : []),
    observation: {
      beganAt: Math.min(...answered.map(({ beganAt }) => beganAt)),
      arrivedAt: Math.max(...answered.map(({ arrivedAt }) => arrivedAt)),
    },
  };
}

/** @returns what counts records, and throws MirrorError `LIST-UNSTEADY` when they are too large to be kept */
export function createRoom(what: string): (items: readonly ListItem<Collected>[]) => void {
  let length = 0;
  return (items) => {
    for (const item of items) length += textOf(item).length;
    if (length <= mostText) return;
    throw new MirrorError(
      'LIST-UNSTEADY',
      `${what} came with more than ${mostText / 2 ** 20} MiB of records. Nothing was written for it; the next run tries again`,
    );
  };
}

function textOf(item: ListItem<Collected>): string {
  if (item.kind !== 'record') return item.raw;
  return 'document' in item.record ? item.record.document : item.record.raw;
}

function inWords(doubts: readonly DoubtCode[]): string {
  return doubts.map((doubt) => doubtSentences[doubt]).join('; ');
}

/** A paged list that came in one answer with fewer records than are mirrored may have been cut. */
function lostPaging(
  { facts }: OpenRun,
  { name, mirrored }: ListSource<unknown>,
  { end }: Verdict,
  records: number,
): boolean {
  return end === 'whole' && records < mirrored && facts.known.get(pagingFact(name)) === paged;
}

/** An empty list would end all its mirrored records: refuses to write that before it is confirmed. */
function refuseDoubtedEmptiness({ name, mirrored }: ListSource<unknown>, verdict: Verdict): void {
  if (mirrored === 0 || !isEmptinessDoubted(verdict)) return;
  throw new MirrorError(
    'LIST-UNSTEADY',
    `the list ${name} is empty, although ${mirrored} of its records are mirrored. Nothing was written for it; a run an hour after the first has to confirm it, or sync --empty accepts it at once`,
  );
}

function isShort({ pagingDocumented, mirrored }: ListSource<unknown>, { pages }: CollectedList<unknown>) {
  const records = pages.reduce((sum, page) => sum + page.items.length, 0);
  return !pagingDocumented && records < mirrored;
}

function pagingOf(run: OpenRun, { name, probeAnew }: ListSource<unknown>): 'none' | 'unknown' {
  return run.facts.known.get(pagingFact(name)) === noPaging && !probeAnew ? 'none' : 'unknown';
}

function learnPaging(run: OpenRun, source: ListSource<unknown>, { end, evidence }: Verdict): void {
  if (source.pagingDocumented) return;
  const note = (value: string, what: string) =>
    noteEvidence(run, {
      fact: pagingFact(source.name),
      value,
      evidence: `${what} held ${evidence.pageSize} records`,
    });
  if (end === 'whole') note(noPaging, 'an offset was refused or ignored; one answer');
  else if (end === 'confirmed' && evidence.pages > 0) note(paged, 'an offset was honoured; the largest page');
}

function pagingFact(list: string): string {
  return `paging:${list}`;
}
