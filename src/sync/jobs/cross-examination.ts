// The list of transactions against its own filters (docs/custody-service.md 4.1): the list without a filter
// is one witness of what there is, the list under each filter another. A service may end its list early, show
// only the last days unless asked for more, or some statuses only on request. So head and tail of each
// filtered list must be records that the sweep has met, or newer ones. An ignored or refused filter is not a
// witness, nor is one whose list is as long as the list: both may be cut at one place.
import type { ServiceFilter } from '../../custody/client.ts';
import { CustodyError, errorCode, isKeyRejected, isRefusal, isTransient } from '../../domain/errors.ts';
import { transactionStatuses, transactionTypes } from '../../domain/fields.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { ReadTransactions } from '../pages/list-window.ts';
import { fullPage } from '../pages/page-reader.ts';
import type { OpenRun } from '../run/run-job.ts';
import { keysOf } from '../walk/overlap.ts';
import type { SeenKeys } from '../walk/state.ts';

/** The closed enumerations of docs/custody-service.md 4.1. */
export const enumerations = [
  { parameter: 'status', name: 'status', values: transactionStatuses },
  { parameter: 'transaction_type', name: 'transactionType', values: transactionTypes },
] as const;
/** The most records of one answer: a few at each end will do. */
const mostRecords = 200;
/** Requests for the end of one list: each doubles the offset or halves what is left. */
const mostProbes = 40;
/** Pages of the head in which records that have just arrived are looked for. */
const newestPages = 3;
/** Ranges of dates that are halved until both halves show records. */
const mostHalvings = 30;
/** Pairs of halves, one as long as the list. */
const mostPairs = 3;

/** A format in which a service may understand dates, and how far apart neighbouring dates in it are. */
export interface DateFormat {
  readonly unitMs: number;
  readonly write: (at: number) => string;
}

export const dayMs = 86_400_000;
const isoOf = (at: number) => new Date(at).toISOString();
const dateFormats: readonly DateFormat[] = [
  { unitMs: 1, write: isoOf },
  { unitMs: 1_000, write: (at) => `${isoOf(at).slice(0, 19)}Z` },
  { unitMs: dayMs, write: (at) => isoOf(at).slice(0, 10) },
];
/** Long before any record, and long after. A program may take the first moment of 1970 for no date. */
export const longAgo = Date.UTC(1970, 0, 2);
const future = Date.UTC(2200, 0);
/** No custody service is older. */
const earliest = Date.UTC(2009, 0, 3);
/** The longest ranges, in days, that a service may accept. */
const longestRanges = [365, 180, 90, 30, 7];
/** How many ranges one after the other are heard, the newest first. */
const mostRanges = 40;

/** A moment in a range of dates that both its halves can name; null where the format has none. */
export function middleOf({ unitMs }: DateFormat, from: number, to: number): number | null {
  const start = Math.max(from, earliest);
  return to - start < 2 * unitMs ? null : Math.floor((start + to) / 2 / unitMs) * unitMs;
}

/** How many records with each value of the enumerations were met: as long is the list under that filter. */
export type Shares = Map<string, number>;

export interface Examination {
  readonly run: OpenRun;
  readonly read: ReadTransactions;
  /** What the sweep has met. */
  readonly met: SeenKeys;
  readonly shares: Shares;
  /** How long the list without filters is. */
  readonly length: number;
}

export interface Testimony {
  /** The filters whose lists hold records that the list without filters does not show. */
  readonly suspects: readonly Suspect[];
  /** The parameters that work, each with the length of the longest list that it shows. */
  readonly heard: ReadonlyMap<string, number>;
  /** Whether each list of one filter is shorter than the list: what that lacks would show in one. */
  readonly couldContradict: boolean;
  /** The dates that the service reads; null where its filter by dates does nothing. */
  readonly dates: DateFormat | null;
  /** How many filters could not be heard this time, because the service failed. */
  readonly failed: number;
}

interface Suspect {
  readonly filter: ServiceFilter;
  readonly unmet: readonly string[];
  readonly length: number;
}

interface Hearing extends Examination {
  readonly heard: Map<string, number>;
  readonly suspects: Suspect[];
  failed: number;
}

export async function crossExamine(examination: Examination): Promise<Testimony> {
  const { length } = examination;
  const hearing: Hearing = { ...examination, heard: new Map(), suspects: [], failed: 0 };
  const { heard, suspects } = hearing;
  const dates = await hearDates(hearing);
  // If the list shows more since long ago, it may do so with the other filters too.
  const isMore = dates !== null && suspects.some(({ unmet }) => unmet.length > 0);
  await hearEnumerations(hearing, isMore ? { start_date: dates.write(longAgo) } : {});
  let unexplained = await withoutArrived(hearing);
  let couldContradict = enumerations.some(({ parameter }) => (heard.get(parameter) ?? length) < length);
  if (dates !== null && !couldContradict && unexplained.length === 0) {
    const filter = { start_date: dates.write(longAgo) };
    const halves = await unlessFailing(hearing.run, filter, () => hearHalves(hearing, dates));
    couldContradict = halves === true;
    if (halves === 'failed') hearing.failed += 1;
    unexplained = await withoutArrived(hearing);
  }
  return { suspects: unexplained, heard, couldContradict, dates, failed: hearing.failed };
}

/** Counts the records of a page that were not met before. */
export function noteShares(shares: Shares, { items }: Page<Transaction>, met: SeenKeys): void {
  for (const item of items) {
    if (item.kind !== 'record' || met.has(item.key)) continue;
    for (const { parameter, name } of enumerations) {
      const share = shareOf(parameter, item.record[name]);
      shares.set(share, (shares.get(share) ?? 0) + 1);
    }
  }
}

/** `change pool` is also written without its space. */
function shareOf(parameter: string, value: string | null): string {
  return `${parameter}=${(value ?? '').replaceAll(' ', '')}`;
}

/** The keys of a page's records that were not met. An unreadable record has another key in each list. */
export function unmetOn({ items }: Page<Transaction>, met: SeenKeys): readonly string[] {
  return items.flatMap(({ kind, key }) => (kind === 'record' && !met.has(key) ? [key] : []));
}

/** What the list under a filter shows at one place. */
export async function itemAt(
  { run, read }: Pick<Examination, 'run' | 'read'>,
  filter: ServiceFilter,
  offset = 0,
) {
  return (await read({ offset, limit: 1 }, run.signal, filter)).items[0];
}

/** How many records were shown: more of them under a filter contradict the list. */
const mostShown = ({ met, length }: Examination) => Math.max(met.size, length);

async function hearDates(hearing: Hearing): Promise<DateFormat | null> {
  const unheard: DateFormat[] = [];
  for (const dates of dateFormats) {
    // A filter that is ignored shows records of the future. A range that ends before it begins may be refused.
    const later = await itemAt(hearing, { start_date: dates.write(future) }).catch((error: unknown) =>
      isRefusal(error) ? undefined : null,
    );
    if (later !== undefined) continue;
    const shown = await hear(hearing, { start_date: dates.write(longAgo) }, () => true, hearing.length);
    if (shown === 'failed') return null;
    if (shown !== null && shown !== 0) return dates;
    unheard.push(dates);
  }
  for (const dates of unheard) if (await hearRanges(hearing, dates)) break;
  return null;
}

/** Hears the ranges that the service accepts, if none from long ago. @returns whether it accepts any */
async function hearRanges(hearing: Hearing, dates: DateFormat): Promise<boolean> {
  const { run, suspects } = hearing;
  const now = run.clock.now();
  for (const width of [now - longAgo, ...longestRanges.map((days) => days * dayMs)]) {
    const hearUntil = (to: number) =>
      hear(hearing, { start_date: dates.write(to - width), end_date: dates.write(to) }, () => true, 0);
    if ((await hearUntil(now)) === null) continue;
    const before = suspects.length;
    for (let range = 1; range < mostRanges && suspects.length === before; range += 1) {
      const to = now - range * width;
      if (to < earliest || typeof (await hearUntil(to)) !== 'number') break;
    }
    return true;
  }
  return false;
}

async function hearEnumerations(hearing: Hearing, base: ServiceFilter): Promise<void> {
  const { heard, shares, length } = hearing;
  const most = mostShown(hearing);
  for (const { parameter, name, values } of enumerations) {
    let isWhole = true;
    for (const value of values) {
      const share = shareOf(parameter, value);
      const isOf = (record: Transaction) => shareOf(parameter, record[name]) === share;
      const filter = { ...base, [parameter]: value };
      const shown = await hear(hearing, filter, isOf, shares.get(share) ?? 0);
      if (typeof shown === 'number') continue;
      isWhole = false;
      // Most of the head may be of the first value that is asked for, whether the filter is ignored or not. One
      // value may be unknown to the service while the others make the list much shorter.
      if (shown !== 'ignored' || 2 * (heard.get(parameter) ?? most) <= most) continue;
      heard.delete(parameter);
      break;
    }
    const longest = heard.get(parameter);
    // The list of the value that was not heard may be as long as the list.
    if (!isWhole && longest !== undefined) heard.set(parameter, Math.max(longest, length));
  }
}

/** Hears a filter, unless it fails. */
async function hear(hearing: Hearing, filter: ServiceFilter, isOf: IsOf, expected: number) {
  const shown = await unlessFailing(hearing.run, filter, () => hearEnds(hearing, filter, isOf, expected));
  if (shown === 'failed') hearing.failed += 1;
  return shown;
}

/**
 * Whether two ranges of dates that share the moment between them, halved until both show records, are both
 * shorter than the list: what the list lacks is in one of them; where that one lacks records of the list, it
 * ends with others.
 */
async function hearHalves(hearing: Hearing, dates: DateFormat): Promise<boolean> {
  const isEmpty = async (filter: ServiceFilter) => (await itemAt(hearing, filter)) === undefined;
  const isShorter = async (filter: ServiceFilter) => {
    const shown = await hearEnds(hearing, filter, () => true);
    return typeof shown !== 'number' || shown < hearing.length;
  };
  const start = dates.write(longAgo);
  // An end that is ignored shows everything.
  if (!(await isEmpty({ start_date: start, end_date: start }))) return false;
  let [from, to] = [longAgo, hearing.run.clock.now() + dayMs];
  for (let halvings = 0, pairs = 0; halvings < mostHalvings && pairs < mostPairs; halvings += 1) {
    const middle = middleOf(dates, from, to);
    if (middle === null) return false;
    const moment = dates.write(middle);
    const [older, newer] = [{ start_date: start, end_date: moment }, { start_date: moment }];
    let isNewer = await isEmpty(older);
    if (!isNewer && !(await isEmpty(newer))) {
      // One half is as long as the list: the other may hold only what has just arrived, or that moment.
      isNewer = await isShorter(older);
      if ((await isShorter(newer)) && isNewer) return true;
      pairs += 1;
    }
    [from, to] = isNewer ? [middle, to] : [from, middle];
  }
  return false;
}

/** Null where the service refuses the filter: nothing is shown then. `failed` where it fails with it. */
export async function unlessFailing<Value>(
  run: OpenRun,
  filter: ServiceFilter,
  work: () => Promise<Value>,
): Promise<Value | 'failed' | null> {
  try {
    return await work();
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof CustodyError) || isKeyRejected(error)) throw error;
    run.logger.info({ filter, code: errorCode(error) }, 'a filter cannot be compared with the list');
    return isTransient(error) ? 'failed' : null;
  }
}

/** Whether a filter lets a record through. */
type IsOf = (record: Transaction) => boolean;

/**
 * Reads both ends of the list under a filter, and notes what they show. The end is found by doubling and
 * halving offsets, from where it probably is.
 *
 * @param expected how long the list probably is
 * @returns its length
 */
async function hearEnds(
  hearing: Hearing,
  filter: ServiceFilter,
  isOf: IsOf,
  expected = 0,
): Promise<number | 'ignored'> {
  const { run, read, met, heard, suspects } = hearing;
  const limit = Math.min(mostRecords, fullPage(run.facts, run.config.pageSize));
  const readAt = (offset: number) => read({ offset, limit }, run.signal, filter);
  const head = await readAt(0);
  if (head.items.length === 0) return 0;
  if (isIgnored(head, isOf)) return 'ignored';
  let tail = head;
  let length = head.items.length;
  let end = Number.POSITIVE_INFINITY;
  let next = Math.max(length, expected - Math.floor(limit / 2));
  for (let probes = 0; length < end && probes < mostProbes; probes += 1) {
    const page = await readAt(next);
    const reach = next + page.items.length;
    // The same page again: the service does not go beyond it.
    const isSame = page.items.length > 0 && keysOf(page).at(-1) === keysOf(tail).at(-1) && reach > length;
    if (page.items.length === 0 || isSame) end = next;
    else [length, tail] = [Math.max(length, reach), page];
    if (page.items.length > 0 && page.items.length < limit) next = length;
    else next = end === Number.POSITIVE_INFINITY ? 2 * length : length + Math.floor((end - length) / 2);
  }
  for (const parameter of Object.keys(filter))
    heard.set(parameter, Math.max(heard.get(parameter) ?? 0, length));
  const unmet = [...unmetOn(head, met), ...unmetOn(tail, met)];
  if (unmet.length > 0 || length > mostShown(hearing)) suspects.push({ filter, unmet, length });
  return length;
}

/** Whether a page shows that its filter is ignored. The majority decides: a record may change meanwhile. */
export function isIgnored({ items }: Page<Transaction>, isOf: IsOf): boolean {
  const records = items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
  return records.filter((record) => !isOf(record)).length * 2 > records.length;
}

/** The suspects that show more than the ends of the list show to have arrived since the sweep. */
async function withoutArrived(hearing: Hearing): Promise<readonly Suspect[]> {
  const { run, read, met, length: shown, suspects } = hearing;
  if (suspects.length === 0) return [];
  const limit = fullPage(run.facts, run.config.pageSize);
  const arrived = new Set<string>();
  const note = async (offset: number) => {
    const unmet = unmetOn(await read({ offset, limit }, run.signal), met);
    for (const key of unmet) arrived.add(key);
    return unmet.length;
  };
  for (let page = 0, unmet = limit; page < newestPages && unmet === limit; page += 1)
    unmet = await note(page * limit);
  await note(Math.max(0, shown - 1));
  const most = mostShown(hearing) + arrived.size;
  return suspects.filter(({ unmet, length }) => length > most || unmet.some((key) => !arrived.has(key)));
}
