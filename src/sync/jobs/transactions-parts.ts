// Reads a list that was cut in parts: the list under filters (docs/custody-service.md 4.1), halved by ranges
// of dates, else split by status and type, and then by asset, network and vault, until each is shorter than
// a list that was seen whole. Each is walked like a list. Invariant: `covered` only if every part is verified,
// the parts together cover the list, and they hold all that the list itself and its witnesses have shown.
import type { ServiceFilter } from '../../custody/client.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { type MirroredField, readTransactionValues } from '../../store/job-queries/mirrored.ts';
import { knownWindow, type ReadTransactions } from '../pages/list-window.ts';
import { fullPage } from '../pages/page-reader.ts';
import { createKeySet, type KeySet } from '../run/key-set.ts';
import type { OpenRun } from '../run/run-job.ts';
import { keysOf } from '../walk/overlap.ts';
import { coversWholeList, type Verdict } from '../walk/verdict.ts';
import { walkList } from '../walk/walk-list.ts';
import {
  dateLike,
  dayMs,
  enumerations,
  middleOf,
  type Testimony,
  unlessFailing,
  unmetOn,
} from './cross-examination.ts';

export interface PartsToRead {
  readonly run: OpenRun;
  readonly read: ReadTransactions;
  readonly commit: (pages: readonly Page<Transaction>[]) => Promise<unknown>;
  /** What the list without filters has shown; gets what the parts show. */
  readonly met: KeySet;
  readonly testimony: Testimony;
}

export interface PartsRead {
  readonly covered: boolean;
  readonly hasUndecodable: boolean;
  /** How many records the parts hold. */
  readonly records: number;
  /** Where the newest range of dates begins, and how long no part may be; null without dates. */
  readonly newest: NewestPart | null;
}

export interface NewestPart {
  readonly start: string;
  readonly window: number;
}

/** A filter, and the range of dates in milliseconds in which it is read; null is open. */
interface Scope {
  readonly filter: ServiceFilter;
  readonly from: number | null;
  readonly to: number | null;
}

interface Reading extends PartsToRead {
  readonly keep: (keys: readonly string[]) => void;
  /** A list of this length may have been cut; each shorter one was not. */
  readonly window: number;
  /** The range that is open towards the future is read by increments too: it holds so many pages at most. */
  readonly newestLength: number;
  covered: boolean;
  hasUndecodable: boolean;
  newest: string | null;
  /** Whether two halves of a range of dates were seen to hold what the range holds. */
  dates: 'unsplit' | 'split' | 'add up';
  comparisons: number;
  /** Those of `openFilters` that the service ignores. */
  readonly ignored: Set<string>;
  /** The values of fields, once they were read. */
  readonly values: Map<MirroredField, readonly string[]>;
}

/** Filters whose values are known only from records: the parts under them do not cover what they split. */
const openFilters = [
  { parameter: 'asset_id', name: 'assetId' },
  { parameter: 'network_id', name: 'networkId' },
  { parameter: 'source_id', name: 'sourceId' },
  { parameter: 'destination_id', name: 'destinationId' },
] as const;
const mostParts = 2_000;
const mostPages = 100_000;
/** Ranges whose halves are compared with them before the filter by dates is given up. */
const mostComparisons = 8;
const pagesOfNewest = 5;

export async function readParts(parts: PartsToRead): Promise<PartsRead> {
  const { run, met, testimony } = parts;
  const shown = met.size;
  const held = createKeySet();
  let shared = 0;
  const keep = (keys: readonly string[]) => {
    for (const key of keys) {
      if (!held.has(key) && met.has(key)) shared += 1;
      held.add(key);
      met.add(key);
    }
  };
  const window = Math.max(testimony.longest, knownWindow(run.facts) ?? 0);
  const newestLength = pagesOfNewest * fullPage(run.facts, run.config.pageSize);
  const state = { covered: true, hasUndecodable: false, newest: null, dates: 'unsplit', comparisons: 0 };
  const found = { ignored: new Set<string>(), values: new Map<MirroredField, readonly string[]>() };
  const reading = { ...parts, keep, window, newestLength, ...found, ...state } as Reading;
  await readScope(reading, { filter: {}, from: null, to: null });
  for (const { parameter, values } of enumerations)
    for (const value of testimony.heard.has(parameter) ? values : []) {
      const scope: Scope = { filter: { [parameter]: value }, from: null, to: null };
      // What the list hides, such as a status that is shown only if asked for.
      if (await showsMore(reading, scope)) await readScope(reading, scope);
    }
  const { covered, hasUndecodable, newest, dates } = reading;
  if (dates === 'split' && testimony.longAgo !== null)
    return await readParts({ ...parts, testimony: { ...testimony, longAgo: null } });
  const isAllShown = shared >= shown && testimony.suspects.every(({ unmet }) => unmet.every(held.has));
  return {
    covered: covered && isAllShown,
    hasUndecodable,
    records: held.size,
    newest: newest === null ? null : { start: newest, window },
  };
}

/** Reads the newest range of dates once more, for an increment. @returns whether it was read to its end */
export async function readNewest(
  parts: Pick<PartsToRead, 'run' | 'read' | 'commit'>,
  { start, window }: NewestPart,
): Promise<boolean> {
  const { verdict, own } = await walkPart(parts, { start_date: start }, () => undefined);
  return coversWholeList(verdict) && own.size < window;
}

/** Whether the head of the list under a filter, or what it showed as a witness, was not met. */
async function showsMore(reading: Reading, scope: Scope): Promise<boolean> {
  const { run, read, met, testimony } = reading;
  const [name] = Object.entries(scope.filter)[0] ?? [];
  const isUnmet = testimony.suspects.some(
    ({ filter, unmet }) =>
      filter[name as 'status'] === scope.filter[name as 'status'] && !unmet.every(met.has),
  );
  if (isUnmet) return true;
  const limit = fullPage(run.facts, run.config.pageSize);
  const filter = filterOf(scope, reading);
  const head = await unlessFailing(run, filter, () => read({ offset: 0, limit }, run.signal, filter));
  if (head !== null && head !== 'failed') return unmetOn(head, met).items.length > 0;
  reading.covered = false;
  return false;
}

/** Reads a scope and those it is split into: from the oldest to the newest, from open to settled. */
async function readScope(reading: Reading, whole: Scope): Promise<void> {
  const todo = [whole];
  let parts = 0;
  for (let scope = todo.pop(); scope !== undefined; scope = todo.pop()) {
    reading.run.signal.throwIfAborted();
    parts += 1;
    const next = scope;
    const filter = filterOf(scope, reading);
    const room = mostParts - parts - todo.length;
    const read = await unlessFailing(reading.run, filter, () => readOrSplit(reading, next, filter, room));
    if (read === null || read === 'failed') reading.covered = false;
    else todo.push(...read.toReversed());
  }
}

/**
 * Reads a scope.
 *
 * @param room how many more scopes there may be
 * @returns those to read in its place, where it is too long
 */
async function readOrSplit(
  reading: Reading,
  scope: Scope,
  filter: ServiceFilter,
  room: number,
): Promise<readonly Scope[]> {
  const { run, read, window, newestLength, keep } = reading;
  const isNewest = scope.to === null && filter.start_date !== undefined;
  const most = isNewest ? Math.min(window, newestLength) : window;
  if (reading.ignored.has(newestOf(scope))) return [];
  const last = await read({ offset: most - 1, limit: 1 }, run.signal, filter);
  if (isIgnored(scope, last, reading))
    return (await splitOf(withoutNewest(scope), reading, room))?.scopes ?? [];
  const split = last.items.length > 0 ? await splitOf(scope, reading, room) : null;
  if (split?.areAll) return split.scopes;
  const { verdict, own } = await walkPart(reading, filter, keep);
  reading.covered &&= coversWholeList(verdict) && own.size < window;
  reading.hasUndecodable ||= verdict.doubts.includes('undecodable');
  if (isNewest && Object.keys(scope.filter).length === 0) reading.newest = filter.start_date ?? null;
  if (reading.dates === 'split') await compareHalves(reading, scope, own);
  return split?.scopes ?? [];
}

function filterOf({ filter, from, to }: Scope, { testimony: { longAgo } }: Reading): ServiceFilter {
  if (longAgo === null) return filter;
  return {
    ...filter,
    start_date: from === null ? longAgo : dateLike(longAgo, from),
    ...(to === null ? {} : { end_date: dateLike(longAgo, to) }),
  };
}

/** The parameter that the scope was split by. */
const newestOf = ({ filter }: Scope) => Object.keys(filter).at(-1) ?? '';

function withoutNewest(scope: Scope): Scope {
  return { ...scope, filter: Object.fromEntries(Object.entries(scope.filter).slice(0, -1)) };
}

/** Whether the last place of a part shows that its newest filter does nothing. */
function isIgnored(scope: Scope, { items: [item] }: Page<Transaction>, { ignored }: Reading): boolean {
  const by = openFilters.find(({ parameter }) => parameter === newestOf(scope));
  if (by === undefined || item?.kind !== 'record') return false;
  if (item.record[by.name] !== scope.filter[by.parameter]) ignored.add(by.parameter);
  return ignored.has(by.parameter);
}

interface Split {
  readonly scopes: readonly Scope[];
  /** Whether they hold all of the scope; else it is read as far as it is shown, besides them. */
  readonly areAll: boolean;
}

/** Smaller scopes; null where no filter makes it smaller, or there is no room for them. */
async function splitOf(scope: Scope, reading: Reading, room: number): Promise<Split | null> {
  if (room <= 0) return null;
  const halves = halvesOf(scope, reading);
  if (halves !== null) {
    if (reading.dates === 'unsplit') reading.dates = 'split';
    return { scopes: halves, areAll: true };
  }
  const next = enumerations.find(
    ({ parameter }) => reading.testimony.heard.has(parameter) && scope.filter[parameter] === undefined,
  );
  const by = ({ parameter }: { readonly parameter: string }, values: readonly string[]) =>
    values.map((value) => ({ ...scope, filter: { ...scope.filter, [parameter]: value } }));
  if (next !== undefined) return { scopes: by(next, next.values), areAll: true };
  for (const open of openFilters) {
    if (scope.filter[open.parameter] !== undefined || reading.ignored.has(open.parameter)) continue;
    const values = await valuesOf(reading, open.name);
    if (values.length < 2 || values.length > room) continue;
    reading.covered = false;
    return { scopes: by(open, values), areAll: false };
  }
  return null;
}

/** Read once for all scopes: of a large account it takes seconds. */
async function valuesOf({ run, values }: Reading, field: MirroredField): Promise<readonly string[]> {
  const known = values.get(field);
  if (known !== undefined) return known;
  const read = await readTransactionValues(run.database, run.lease.account, field, mostParts + 1);
  values.set(field, read);
  return read;
}

/** Both hold the moment between them: a range may end before its end, or begin after its beginning. */
function halvesOf(scope: Scope, { run, testimony: { longAgo } }: Reading): readonly Scope[] | null {
  if (longAgo === null) return null;
  const middle = middleOf(longAgo, scope.from, scope.to ?? run.clock.now() + dayMs);
  if (middle === null) return null;
  return [
    { ...scope, to: middle },
    { ...scope, from: middle },
  ];
}

/** Whether two halves of a range, each smaller than it, hold together what it holds. */
async function compareHalves(reading: Reading, scope: Scope, own: KeySet): Promise<void> {
  const halves = halvesOf(scope, reading);
  if (halves === null || own.size < 2 || reading.comparisons >= mostComparisons) return;
  reading.comparisons += 1;
  const both = createKeySet();
  let isSmaller = true;
  for (const half of halves) {
    const { own: part } = await walkPart(reading, filterOf(half, reading), (keys) => {
      reading.keep(keys);
      for (const key of keys) if (own.has(key)) both.add(key);
    });
    isSmaller &&= part.size < own.size;
  }
  if (isSmaller && both.size === own.size) reading.dates = 'add up';
}

async function walkPart(
  { run, read, commit }: Pick<PartsToRead, 'run' | 'read' | 'commit'>,
  filter: ServiceFilter,
  keep: (keys: readonly string[]) => void,
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
      keep(keysOf(page));
    },
    met: own,
    recheckMs: config.retryMinMs,
    signal,
  });
  return { verdict, own };
}
