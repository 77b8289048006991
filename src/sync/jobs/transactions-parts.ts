// Reads a list that was cut in parts: the list under filters (docs/custody-service.md 4.1), halved by ranges
// of dates, else split by status and type, and then by asset, network and vault, until each is shorter than
// a list that was seen whole. Each is walked like a list. Invariant: `covered` only if every part is verified,
// the parts together cover the list, and they hold all that the list itself and its witnesses have shown.
import type { ServiceFilter } from '../../custody/client.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { type MirroredField, readTransactionValues } from '../../store/job-queries/mirrored.ts';
import { fullPage } from '../pages/page-reader.ts';
import { createKeySet, type KeySet } from '../run/key-set.ts';
import type { OpenRun } from '../run/run-job.ts';
import { keysOf } from '../walk/overlap.ts';
import { coversWholeList, type Verdict } from '../walk/verdict.ts';
import { walkList } from '../walk/walk-list.ts';
import {
  dayMs,
  type Examination,
  enumerations,
  itemAt,
  longAgo,
  middleOf,
  type Testimony,
  unlessFailing,
  unmetOn,
} from './cross-examination.ts';

export interface PartsToRead extends Pick<Examination, 'run' | 'read'> {
  readonly commit: (pages: readonly Page<Transaction>[]) => Promise<unknown>;
  /** What the list without filters has shown; gets what the parts show. */
  readonly met: KeySet;
  readonly testimony: Testimony;
  /** A list of this length may have been cut; each shorter one was not. */
  readonly window: number;
}

/** A filter, and the range of dates in milliseconds in which it is read. */
interface Scope {
  readonly filter: ServiceFilter;
  readonly from: number;
  /** Infinity is open. */
  readonly to: number;
  /** It is read as far as it is shown, besides parts that may not hold all of it. */
  readonly isRest?: boolean;
}

interface Reading extends PartsToRead {
  /** What the parts hold. */
  readonly held: KeySet;
  /** How many more parts there may be. */
  room: number;
  covered: boolean;
  hasUndecodable: boolean;
  /** Where the newest range of dates begins; null without dates. */
  newest: string | null;
  /** Whether two halves of a range of dates were seen to hold what the range holds. */
  dates: 'unsplit' | 'split' | 'add up';
  comparisons: number;
  /** The values of fields, once they were read; none of a field by which the service does not filter. */
  readonly values: Map<MirroredField, readonly string[]>;
}

/** Filters whose values are known only from records: the parts under them do not cover what they split. */
const openFilters = [
  { parameter: 'asset_id', name: 'assetId' },
  { parameter: 'network_id', name: 'networkId' },
  { parameter: 'source_id', name: 'sourceId' },
  { parameter: 'destination_id', name: 'destinationId' },
] as const;
const everything: Scope = { filter: {}, from: longAgo, to: Number.POSITIVE_INFINITY };
const mostParts = 2_000;
const mostPages = 100_000;
/** Ranges whose halves are compared with them before the filter by dates is given up. */
const mostComparisons = 8;
/** The range that is open towards the future is read by increments too: it holds so many pages at most. */
const pagesOfNewest = 5;

/** Reads the list in parts. `records`: how many they hold. */
export async function readParts(
  parts: PartsToRead,
): Promise<Pick<Reading, 'covered' | 'hasUndecodable'> & { readonly records: number }> {
  const { met, testimony } = parts;
  const { heard, suspects, dates } = testimony;
  const reading: Reading = {
    ...parts,
    held: createKeySet(),
    room: mostParts,
    covered: true,
    hasUndecodable: false,
    newest: null,
    dates: 'unsplit',
    comparisons: 0,
    values: new Map(),
  };
  await readScope(reading, everything);
  for (const { parameter, values } of enumerations)
    for (const value of heard.has(parameter) ? values : [])
      if (await showsMore(reading, parameter, value))
        await readScope(reading, { ...everything, filter: { [parameter]: value } });
  if (reading.dates === 'split' && dates !== null)
    return await readParts({ ...parts, testimony: { ...testimony, dates: null } });
  learnNewest(reading);
  const { held, covered, hasUndecodable } = reading;
  // By now, `met` has what the parts hold besides what the list showed.
  const isAllShown = held.size === met.size && suspects.every(({ unmet }) => unmet.every(held.has));
  return { covered: covered && isAllShown, hasUndecodable, records: held.size };
}

/** Where the newest range of dates begins, and the length that every part must stay below. */
export interface NewestPart {
  readonly start: string;
  readonly window: number;
}

export const newestFact = 'transactions_newest_part';

function learnNewest({ run: { facts }, newest, window }: Reading): void {
  const evidence = 'the list was read in ranges of dates';
  if (newest === null) facts.forget(newestFact);
  else facts.learn({ fact: newestFact, value: `${newest} ${window}`, evidence });
}

/** The newest range of dates, if the list is read in such; else null. */
export function newestPart({ facts }: Pick<OpenRun, 'facts'>): NewestPart | null {
  const [start = '', window] = facts.known.get(newestFact)?.split(' ') ?? [];
  return start === '' ? null : { start, window: Number(window) };
}

/** Reads the newest range of dates once more, for an increment. @returns whether it was read to its end */
export async function readNewest(
  parts: Pick<PartsToRead, 'run' | 'read' | 'commit'>,
  { start, window }: NewestPart,
): Promise<boolean> {
  const { verdict, own } = await walkPart(parts, { start_date: start }, () => undefined);
  return coversWholeList(verdict) && own.size < window;
}

/** The records that the list hides, such as a status that is shown only on request. */
async function showsMore(
  reading: Reading,
  parameter: 'status' | 'transaction_type',
  value: string,
): Promise<boolean> {
  const { run, read, met, testimony } = reading;
  const isUnmet = testimony.suspects.some(
    ({ filter, unmet }) => filter[parameter] === value && !unmet.every(met.has),
  );
  if (isUnmet) return true;
  const limit = fullPage(run.facts, run.config.pageSize);
  const filter = filterOf({ ...everything, filter: { [parameter]: value } }, reading);
  const head = await unlessFailing(run, filter, () => read({ offset: 0, limit }, run.signal, filter));
  if (head !== null && head !== 'failed') return unmetOn(head, met).length > 0;
  reading.covered = false;
  return false;
}

/** Reads a scope and those it is split into: from the oldest to the newest, from open to settled. */
async function readScope(reading: Reading, scope: Scope): Promise<void> {
  reading.run.signal.throwIfAborted();
  const filter = filterOf(scope, reading);
  const parts = await unlessFailing(reading.run, filter, () => readOrSplit(reading, scope, filter));
  if (parts === null || parts === 'failed') reading.covered = false;
  else for (const part of parts) await readScope(reading, part);
}

/** Reads a scope. @returns those to read in its place, where it is too long */
async function readOrSplit(reading: Reading, scope: Scope, filter: ServiceFilter): Promise<readonly Scope[]> {
  const { run, window } = reading;
  const isNewest = scope.to === everything.to && filter.start_date !== undefined;
  const newestLength = pagesOfNewest * fullPage(run.facts, run.config.pageSize);
  const most = isNewest ? Math.min(window, newestLength) : window;
  const isLong = scope.isRest !== true && (await itemAt(reading, filter, most - 1)) !== undefined;
  const scopes = isLong ? await splitOf(scope, reading) : [];
  reading.room -= scopes.length;
  if (scopes.length > 0) return scopes;
  const { verdict, own } = await walkPart(reading, filter, (key) => keep(reading, key));
  reading.covered &&= coversWholeList(verdict) && own.size < window;
  reading.hasUndecodable ||= verdict.doubts.includes('undecodable');
  if (isNewest && Object.keys(scope.filter).length === 0) reading.newest = filter.start_date ?? null;
  if (reading.dates === 'split') await compareHalves(reading, scope, own);
  return [];
}

function filterOf({ filter, from, to }: Scope, { testimony: { dates } }: Reading): ServiceFilter {
  if (dates === null) return filter;
  const end = to === everything.to ? {} : { end_date: dates.write(to) };
  return { ...filter, start_date: dates.write(from), ...end };
}

/** Smaller scopes; none where no filter makes it smaller, or there is no room for them. */
async function splitOf(scope: Scope, reading: Reading): Promise<readonly Scope[]> {
  const { room, testimony } = reading;
  if (room <= 0) return [];
  const halves = halvesOf(scope, reading);
  if (halves.length > 0) {
    if (reading.dates === 'unsplit') reading.dates = 'split';
    return halves;
  }
  const by = (parameter: string, values: readonly string[]) =>
    values.map((value) => ({ ...scope, filter: { ...scope.filter, [parameter]: value } }));
  const isUnused = ({ parameter }: { readonly parameter: keyof ServiceFilter }) =>
    scope.filter[parameter] === undefined;
  const next = enumerations.find((one) => testimony.heard.has(one.parameter) && isUnused(one));
  if (next !== undefined) return by(next.parameter, next.values);
  for (const open of openFilters.filter(isUnused)) {
    const values = await valuesOf(reading, open);
    if (values.length < 2 || values.length > room) continue;
    reading.covered = false;
    return [{ ...scope, isRest: true }, ...by(open.parameter, values)];
  }
  return [];
}

/** Read once for all scopes: of a large account it takes seconds. */
async function valuesOf(
  reading: Reading,
  { parameter, name }: (typeof openFilters)[number],
): Promise<readonly string[]> {
  const { run, values } = reading;
  const known = values.get(name);
  if (known !== undefined) return known;
  let usable = await readTransactionValues(run.database, run.lease.account, name, mostParts + 1);
  // A filter that does nothing shows the same record for two values.
  for (const value of usable.slice(0, 2)) {
    const filter = { [parameter]: value };
    const shown = await unlessFailing(run, filter, () => itemAt(reading, filter));
    const isOther =
      shown === null || shown === 'failed' || (shown?.kind === 'record' && shown.record[name] !== value);
    if (isOther) usable = [];
  }
  values.set(name, usable);
  return usable;
}

/**
 * None where it has no range of dates. Both hold the moment between them: a range may end before its end, or
 * begin after its beginning.
 */
function halvesOf(scope: Scope, { run, testimony: { dates } }: Reading): readonly Scope[] {
  const end = Math.min(scope.to, run.clock.now() + dayMs);
  const middle = dates === null ? null : middleOf(dates, scope.from, end);
  return middle === null
    ? []
    : [
        { ...scope, to: middle },
        { ...scope, from: middle },
      ];
}

/** Whether two halves of a range, each smaller than it, together hold what it holds. */
async function compareHalves(reading: Reading, scope: Scope, own: KeySet): Promise<void> {
  const halves = halvesOf(scope, reading);
  if (halves.length === 0 || own.size < 2 || reading.comparisons >= mostComparisons) return;
  reading.comparisons += 1;
  const both = createKeySet();
  let isSmaller = true;
  for (const half of halves) {
    const { own: part } = await walkPart(reading, filterOf(half, reading), (key) => {
      keep(reading, key);
      if (own.has(key)) both.add(key);
    });
    isSmaller &&= part.size < own.size;
  }
  if (isSmaller && both.size === own.size) reading.dates = 'add up';
}

function keep({ held, met }: Reading, key: string): void {
  held.add(key);
  met.add(key);
}

async function walkPart(
  { run, read, commit }: Pick<PartsToRead, 'run' | 'read' | 'commit'>,
  filter: ServiceFilter,
  onKey: (key: string) => void,
): Promise<{ readonly verdict: Verdict; readonly own: KeySet }> {
  const { config, signal } = run;
  const own = createKeySet();
  const verdict = await walkList<Transaction>({
    read: ({ offset = 0, limit = config.pageSize }, readSignal) =>
      read({ offset, limit }, readSignal, filter),
    paging: 'documented',
    limit: config.pageSize,
    ahead: null,
    expectedLength: null,
    maxPages: mostPages,
    onPage: async (page) => {
      await commit([page]);
      keysOf(page).forEach(onKey);
    },
    met: own,
    recheckMs: config.retryMinMs,
    signal,
  });
  return { verdict, own };
}
