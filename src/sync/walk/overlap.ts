// Finds how a page overlaps what was walked before it. Pure functions over the keys of records.
//
// The argument: while the records that stay keep their order, the records after a known one in a later answer
// are all the records after it in the list. So a page that begins with a record of the window leaves no gap
// between the two, whatever was inserted or removed meanwhile. docs/correctness.md has the whole argument.
import type { Page } from '../../domain/page.ts';

/** The end of what was walked: keys in the order of the list, and the offset of the first of them. */
export interface Window {
  readonly offset: number;
  readonly keys: readonly string[];
}

export interface Joined {
  /** How many records of the page follow the last record it shares with the window. */
  readonly fresh: number;
  /** The new window: where the page and the old window differ, the page counts. */
  readonly window: Window;
  /** The last record of the window is on the page. */
  readonly reachesEnd: boolean;
  /** By how many places the list moved in front of the page between the answers: positive when it grew. */
  readonly shift: number;
  /** The page repeats the end of the window, although another offset was asked for. */
  readonly repeated: boolean;
  /** Where in the old window the page begins. */
  readonly beginsAt: number;
  /** Records that stood in front of this page and are on it now. Their old places may hold unread records. */
  readonly displaced: readonly string[];
  /** Records of the window that should be on this page and are not: they were removed, or moved. */
  readonly absent: readonly string[];
}

/** The keys of a page's records, in order. */
export function keysOf(page: Page<unknown>): readonly string[] {
  return page.items.map((item) => item.key);
}

/** The window without some of its records, which stand elsewhere now. */
export function without(window: Window, keys: readonly string[]): Window {
  if (keys.length === 0) return window;
  const left = new Set(keys);
  const kept = window.keys.filter((key) => !left.has(key));
  return { offset: endOf(window) - kept.length, keys: kept };
}

export function endOf(window: Window): number {
  return window.offset + window.keys.length;
}

/**
 * Checks whether a page at `offset` continues the window.
 *
 * The page must begin with a record of the window (a page after a gap does not), and hold two of its records
 * in their order, unless pages are too small for that. Single records that are out of order have moved.
 *
 * @param pageSize how many records a full page holds
 * @param memory how many keys the new window keeps
 * @returns null for a page without a reliable overlap
 */
export function joinPage(
  window: Window,
  offset: number,
  keys: readonly string[],
  pageSize: number,
  memory: number,
): Joined | null {
  const shared = sharedPlaces(window.keys, keys);
  const inOrder = longestAscent(shared);
  const first = inOrder[0];
  const last = inOrder.at(-1);
  const begin = keys[0];
  if (first === undefined || last === undefined || begin === undefined) return null;
  if (!window.keys.includes(begin) || inOrder.length < leastShared(window, pageSize)) return null;
  const shift = shiftOf(window, offset, inOrder);
  const reachesEnd = last.place === window.keys.length - 1;
  return {
    fresh: keys.length - last.index - 1,
    window: replaceEnd(
      window,
      offset,
      keys,
      { first, last, isRepeated: inOrder.length === keys.length && (reachesEnd || keys.length >= pageSize) },
      memory,
    ),
    reachesEnd,
    shift,
    repeated: offset !== endOf(window) - keys.length && sameKeys(window.keys.slice(-keys.length), keys),
    beginsAt: first.place - first.index,
    displaced: shared.filter(({ place }) => place < first.place).map(({ index }) => keys[index] ?? ''),
    absent: absent(window, keys, first, last),
  };
}

function absent(window: Window, keys: readonly string[], first: Shared, last: Shared): readonly string[] {
  const onPage = new Set(keys);
  const isLonger = last.index < keys.length - 1;
  return window.keys.slice(first.place, isLonger ? undefined : last.place).filter((key) => !onPage.has(key));
}

interface Agreement {
  readonly first: Shared;
  readonly last: Shared;
  /** The window holds the page's records in their order, and the page was not cut before the list's end. */
  readonly isRepeated: boolean;
}

/**
 * The page replaces the part of the window that it read again, and what follows. Only a page that repeats a
 * stretch of the window exactly keeps the records after it, at their shifted places.
 */
function replaceEnd(
  window: Window,
  offset: number,
  keys: readonly string[],
  { first, last, isRepeated }: Agreement,
  memory: number,
): Window {
  const isStretch = isRepeated && last.place - first.place === keys.length - 1;
  // Nothing stands in front of the first page.
  const from = offset === 0 ? first.place : 0;
  if (isStretch) return { offset: offset - first.place + from, keys: window.keys.slice(from) };
  const onPage = new Set(keys);
  const before = window.keys
    .slice(from === 0 ? 0 : first.place, first.place)
    .filter((key) => !onPage.has(key));
  const walked = [...before, ...keys].slice(-memory);
  return { offset: offset + keys.length - walked.length, keys: walked };
}

/** How many records a page must share with the window, in order. */
export function leastShared(window: Window, pageSize: number): number {
  return Math.max(1, Math.min(2, overlapFor(pageSize), window.keys.length));
}

/** How many records neighbouring pages share: enough for a few removals, and few compared with the page. */
export function overlapFor(received: number): number {
  if (received < 4) return received < 2 ? 0 : 1;
  return Math.max(2, Math.min(5, Math.floor(received / 20)));
}

/**
 * By how many places the list moved in front of a page. Growth counts only as far as the second shared record
 * shows it too, because the first may have changed places itself.
 */
function shiftOf(window: Window, offset: number, [first, second]: readonly Shared[]): number {
  const shiftAt = (shared: Shared) => offset + shared.index - (window.offset + shared.place);
  if (first === undefined) return 0;
  const shift = shiftAt(first);
  return shift > 0 && second !== undefined ? Math.min(shift, Math.max(0, shiftAt(second))) : shift;
}

interface Shared {
  /** Place in the window. */
  readonly place: number;
  /** Index on the page. */
  readonly index: number;
}

/** The records that both hold, in the order of the page. */
function sharedPlaces(windowKeys: readonly string[], keys: readonly string[]): readonly Shared[] {
  const places = uniquePlaces(windowKeys);
  const shared: Shared[] = [];
  for (const [key, index] of uniquePlaces(keys)) {
    const place = places.get(key);
    if (place !== undefined) shared.push({ place, index });
  }
  return shared;
}

/** The longest ascending subsequence of the places: what kept its order. Of equal ones, the first. */
function longestAscent(shared: readonly Shared[]): readonly Shared[] {
  /** For each length, the greatest place at which an ascent of that length begins to the right. */
  const begins: number[] = [];
  const lengths: number[] = [];
  for (let position = shared.length - 1; position >= 0; position -= 1) {
    const place = shared[position]?.place ?? 0;
    let low = 0;
    let high = begins.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((begins[middle] ?? 0) > place) low = middle + 1;
      else high = middle;
    }
    begins[low] = place;
    lengths[position] = low + 1;
  }
  const ascent: Shared[] = [];
  let wanted = begins.length;
  for (const [position, entry] of shared.entries()) {
    if (lengths[position] !== wanted || entry.place <= (ascent.at(-1)?.place ?? -1)) continue;
    ascent.push(entry);
    wanted -= 1;
  }
  return ascent;
}

/** The place of each key, without keys that stand twice. */
function uniquePlaces(keys: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [place, key] of keys.entries()) {
    if (places.has(key)) twice.add(key);
    else places.set(key, place);
  }
  for (const key of twice) places.delete(key);
  return places;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

/** Whether two readings of one place show a list that keeps its order, but for a few moved records. */
export function isSteady(before: readonly string[], after: readonly string[]): boolean {
  const shared = sharedPlaces(before, after);
  const displaced = shared.length - longestAscent(shared).length;
  const comparable = Math.min(before.length, after.length);
  return displaced <= Math.ceil(comparable / 10) && shared.length >= comparable / 2;
}
