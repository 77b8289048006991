// The list of transactions against its own filters (docs/custody-service.md 4.1): the list without a filter
// is one witness of what there is, the list under each filter another. A service may end its list early,
// show the last days unless asked for more, or some statuses only if asked for. So head and tail of each
// filtered list must be records that the sweep has met, or newer ones. A filter that is ignored or refused is
// no witness, nor is one whose list is as long as the list: both may have been cut at the same place.
import type { ServiceFilter } from '../../custody/client.ts';
import { CustodyError, errorCode, isKeyRejected, isTransient } from '../../domain/errors.ts';
import { transactionStatuses, transactionTypes } from '../../domain/fields.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { ReadTransactions } from '../pages/list-window.ts';
import { fullPage, unreadablePrefix } from '../pages/page-reader.ts';
import type { OpenRun } from '../run/run-job.ts';
import { keysOf } from '../walk/overlap.ts';
import type { SeenKeys } from '../walk/state.ts';

/** Long before any record, and long after; in the formats of dates that a service may understand. */
const dates = ['-01-01T00:00:00.000Z', '-01-01T00:00:00Z', '-01-01'].map((rest) => ({
  longAgo: `1970${rest}`,
  future: `2200${rest}`,
}));
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
/** No custody service is older. */
const earliest = Date.UTC(2009, 0, 3);
export const dayMs = 86_400_000;
/** Ranges of dates that are halved until both halves show records. */
const mostHalvings = 30;
/** Pairs of halves of which one was as long as the list. */
const mostPairs = 3;

export interface Examination {
  readonly run: OpenRun;
  readonly read: ReadTransactions;
  /** Commits what was read. */
  readonly commit: (pages: readonly Page<Transaction>[]) => Promise<unknown>;
  /** What the sweep has met. */
  readonly met: SeenKeys;
  /** How long the list without filters is. */
  readonly length: number;
  /** Called before a record that was not met is mirrored: a sweep that is resumed takes it for met. */
  readonly suspect: () => Promise<void>;
}

export interface Testimony {
  /** The filters whose lists hold records that the list without filters does not show. */
  readonly suspects: readonly Suspect[];
  /** The parameters that work. */
  readonly heard: ReadonlySet<string>;
  /** Whether the lists of one filter are each shorter than the list: what it lacks would show in one. */
  readonly couldContradict: boolean;
  /** How many records the longest of the lists shows, the one without filters included. */
  readonly longest: number;
  /** A date that the service reads; null where its filter by dates does nothing. */
  readonly longAgo: string | null;
  /** How many could not be heard this time, for a fault of the service. */
  readonly failed: number;
}

interface Suspect {
  readonly filter: ServiceFilter;
  readonly unmet: readonly string[];
  readonly length: number;
}

/** Both ends of the list under a filter, and its length. */
interface Ends {
  readonly pages: readonly Page<Transaction>[];
  readonly length: number;
}

export async function crossExamine(asked: Examination): Promise<Testimony> {
  const { met } = asked;
  // Whatever was observed is mirrored. What is unreadable has another key in each list.
  const read: ReadTransactions = async (request, signal, filter) => {
    const page = await asked.read(request, signal, filter);
    const items = page.items.filter(({ key }) => !key.startsWith(unreadablePrefix));
    if (unmetOn(page, met).items.length > 0) await asked.suspect();
    if (items.length > 0) await asked.commit([{ ...page, items }]);
    return page;
  };
  const examination = { ...asked, read };
  /** The parameters that work, each with the length of the longest list that it shows. */
  const heard = new Map<string, number>();
  let failed = 0;
  let longAgo: string | null = null;
  const suspects: Suspect[] = [];
  const most = Math.max(met.size, asked.length);
  const hear = ({ filter, ends }: Witness) => {
    if (ends === 'failed') failed += 1;
    if (ends === null || ends === 'failed') return;
    // Most of the head may be of the first status that is asked for, whether the filter is ignored or not.
    if (ends === 'ignored') {
      const parameter = Object.keys(filter).at(-1) ?? '';
      // One value may be unknown to the service while the others make the list much shorter.
      if (2 * (heard.get(parameter) ?? most) > most) heard.delete(parameter);
      return;
    }
    for (const parameter of Object.keys(filter))
      heard.set(parameter, Math.max(heard.get(parameter) ?? 0, ends.length));
    longAgo ??= filter.start_date ?? null;
    const unmet = unmetAt(ends, met);
    if (unmet.length > 0 || ends.length > most) suspects.push({ filter, unmet, length: ends.length });
  };
  const explain = async () => {
    if (suspects.length === 0) return [];
    const arrived = await readArrived(examination);
    return suspects.filter(
      ({ unmet, length }) => length > most + arrived.size || unmet.some((key) => !arrived.has(key)),
    );
  };
  for await (const witness of witnesses(examination)) hear(witness);
  let unexplained = await explain();
  const isShorter = (length: number) => length < asked.length;
  let couldContradict = enumerations.some(({ parameter }) => isShorter(heard.get(parameter) ?? asked.length));
  if (longAgo !== null && !couldContradict && unexplained.length === 0) {
    const filter = { start_date: longAgo };
    const halves = await unlessFailing(asked.run, filter, () => readHalves(examination, filter.start_date));
    const pairs = halves === null || halves === 'failed' ? [] : halves;
    if (halves === 'failed') failed += 1;
    for (const half of pairs) hear(half);
    couldContradict = pairs.length > 0 && pairs.slice(-2).every(({ ends }) => isShorter(ends.length));
    unexplained = await explain();
  }
  const longest = Math.max(asked.length, ...heard.values());
  return {
    ...{ suspects: unexplained, heard: new Set(heard.keys()) },
    ...{ couldContradict, failed, longest, longAgo },
  };
}

/** The records of a page that the sweep has not met. What is unreadable has another key in each list. */
export function unmetOn(page: Page<Transaction>, met: SeenKeys): Page<Transaction> {
  return { ...page, items: page.items.filter((item) => item.kind === 'record' && !met.has(item.key)) };
}

function unmetAt({ pages }: Ends, met: SeenKeys): readonly string[] {
  return pages.flatMap((page) => keysOf(unmetOn(page, met)));
}

interface Heard {
  readonly filter: ServiceFilter;
  readonly ends: Ends;
}

/** Null for a filter that is refused, or shows nothing. */
interface Witness extends Pick<Heard, 'filter'> {
  readonly ends: Ends | 'failed' | 'ignored' | null;
}

/** The list under each filter that works. */
async function* witnesses(asked: Examination): AsyncGenerator<Witness> {
  const { run, read, met, length } = asked;
  const reading = readingOf(asked);
  let base: ServiceFilter = {};
  for (const { longAgo, future } of dates) {
    // A filter that is ignored, or a format that is not understood, shows records of the future.
    const later = await read({ offset: 0, limit: 1 }, run.signal, { start_date: future }).catch(() => null);
    if (later?.items.length !== 0) continue;
    const filter: ServiceFilter = { start_date: longAgo };
    const ends = await endsOf(reading, filter, () => true, length);
    if (ends === null || ends === 'ignored') continue;
    yield { filter, ends };
    // Where it shows more than the list, so it may with the other filters.
    if (ends !== 'failed' && unmetAt(ends, met).length > 0) base = filter;
    break;
  }
  for (const { parameter, name, values } of enumerations)
    for (const value of values) {
      const filter: ServiceFilter = { ...base, [parameter]: value };
      const isOf = (record: Transaction) => isSpelledAlike(record[name], value);
      const ends = await endsOf(reading, filter, isOf);
      yield { filter, ends };
      // Ignored with one value, ignored with every other.
      if (ends === 'ignored') break;
    }
}

/**
 * Both ends of the list in two ranges of dates that share the moment between them, halved until both show
 * records. What the list lacks is in one of them; where that one lacks records of the list, it ends with
 * others.
 */
async function readHalves(asked: Examination, longAgo: string): Promise<readonly Heard[]> {
  const { run, read, length } = asked;
  const isEmpty = async (filter: ServiceFilter) =>
    (await read({ offset: 0, limit: 1 }, run.signal, filter)).items.length === 0;
  const hear = async (filter: ServiceFilter): Promise<Heard> => {
    const ends = await readEnds(readingOf(asked), filter, () => true);
    return { filter, ends: ends === null || ends === 'ignored' ? { pages: [], length: 0 } : ends };
  };
  // An end that is ignored shows everything.
  if (!(await isEmpty({ start_date: longAgo, end_date: longAgo }))) return [];
  let [from, to] = [earliest, run.clock.now() + dayMs];
  const heard: Heard[] = [];
  for (let halvings = 0; halvings < mostHalvings; halvings += 1) {
    const middle = middleOf(longAgo, from, to);
    if (middle === null) break;
    const moment = dateLike(longAgo, middle);
    const [older, newer] = [{ start_date: longAgo, end_date: moment }, { start_date: moment }];
    let isNewer = await isEmpty(older);
    if (!isNewer && !(await isEmpty(newer))) {
      const [before, after] = [await hear(older), await hear(newer)];
      heard.push(before, after);
      const isShorter = before.ends.length < length && after.ends.length < length;
      if (isShorter || heard.length === 2 * mostPairs) break;
      // One half is as long as the list: the other may hold only what has just arrived, or that moment.
      isNewer = before.ends.length < length;
    }
    [from, to] = isNewer ? [middle, to] : [from, middle];
  }
  return heard;
}

/** A moment in a range of dates that both its halves can name; null where the format has none. */
export function middleOf(longAgo: string, from: number | null, to: number): number | null {
  const unit = !longAgo.includes('T') ? dayMs : longAgo.includes('.') ? 1 : 1_000;
  const start = from ?? earliest;
  return to - start < 2 * unit ? null : Math.floor((start + to) / 2 / unit) * unit;
}

/** A moment, written like this example. */
export function dateLike(example: string, at: number): string {
  const text = new Date(at).toISOString();
  if (!example.includes('T')) return text.slice(0, 10);
  return example.includes('.') ? text : `${text.slice(0, 19)}Z`;
}

function readingOf({ run, read }: Examination) {
  return { run, read, limit: Math.min(mostRecords, fullPage(run.facts, run.config.pageSize)) };
}

/** Both ends of the list under a filter. */
function endsOf(...asked: Parameters<typeof readEnds>) {
  const [{ run }, filter] = asked;
  return unlessFailing(run, filter, () => readEnds(...asked));
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

/**
 * Reads both ends of the list under a filter; the end is found by doubling and halving offsets.
 *
 * @param isOf whether the filter lets a record through
 * @param expected how long the list probably is
 * @returns null when the filter lets nothing through
 */
async function readEnds(
  { run, read, limit }: { readonly run: OpenRun; readonly read: ReadTransactions; readonly limit: number },
  filter: ServiceFilter,
  isOf: (record: Transaction) => boolean,
  expected = 0,
): Promise<Ends | 'ignored' | null> {
  const readAt = (offset: number) => read({ offset, limit }, run.signal, filter);
  const head = await readAt(0);
  if (head.items.length === 0) return null;
  if (isIgnored(head, isOf)) return 'ignored';
  let tail = head;
  let length = head.items.length;
  let end = Number.POSITIVE_INFINITY;
  let next = Math.max(length, expected - 1);
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
  return { pages: tail === head ? [head] : [head, tail], length };
}

/** `change pool` is also written without its space. */
function isSpelledAlike(shown: string | null, asked: string): boolean {
  return (shown ?? '').replaceAll(' ', '') === asked.replaceAll(' ', '');
}

/** The majority decides: a record may change between the query and the answer. */
function isIgnored({ items }: Page<Transaction>, isOf: (record: Transaction) => boolean): boolean {
  const records = items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
  return records.filter((record) => !isOf(record)).length * 2 > records.length;
}

/** The records at both ends of the list without filters, which may have arrived since the sweep. */
async function readArrived({ run, read, met, length }: Examination): Promise<ReadonlySet<string>> {
  const limit = fullPage(run.facts, run.config.pageSize);
  const arrived = new Set<string>();
  const note = async (offset: number) => {
    const page = await read({ offset, limit }, run.signal);
    const unmet = unmetOn(page, met);
    for (const key of keysOf(unmet)) arrived.add(key);
    return unmet.items.length;
  };
  for (let page = 0, unmet = limit; page < newestPages && unmet === limit; page += 1)
    unmet = await note(page * limit);
  await note(Math.max(0, length - 1));
  return arrived;
}
