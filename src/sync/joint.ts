// How one page of a list joins what was walked before it: pure functions over the keys of records.
//
// The argument they serve: while the records that stay keep their order among themselves, everything that follows a
// known record in a later answer is everything that follows it in the list. So a page that shows again any record of
// the page before it leaves no gap between the two, whatever was inserted or removed meanwhile.

import type { Page } from '../domain/page.ts';

/** The keys of a page's records, in order. */
export function keysOf(page: Page<unknown>): readonly string[] {
  return page.items.map((item) => item.key);
}

/** The end of what was walked: keys in the order of the list, and the offset at which the first of them stands. */
export interface Window {
  readonly offset: number;
  readonly keys: readonly string[];
}

export interface Joined {
  readonly kind: 'joined';
  /** Records of the page that lie beyond the window. */
  readonly fresh: number;
  /** The window that takes the place of the one before. */
  readonly window: Window;
  /** The last record of the window is on the page. */
  readonly reachesEnd: boolean;
  /** By how many places the list moved between the two answers: positive when it grew before this place. */
  readonly shift: number;
  /** The page is the window once more, although another offset was asked for. */
  readonly repeated: boolean;
}

/** No record of the window is on the page, or they stand in another order. */
export interface Lost {
  readonly kind: 'lost';
  readonly reordered: boolean;
}

/** How many keys are kept of what was walked, where the pages are shorter. */
export const keptKeys = 40;

/**
 * Tells whether a page read at `offset` continues the window.
 *
 * A record that the two share is where the page is held against the window, but one that moved to the far end of the
 * list must not serve: it would hide what lies between. So the page has to begin with a shared record, and to hold two
 * of them in their order unless the pages are too small for that. Records that stand out of order beside others that do not have moved, and say nothing.
 *
 * @param pageSize records of a full page
 */
export function joinPage(
  window: Window,
  offset: number,
  keys: readonly string[],
  pageSize: number,
): Joined | Lost {
  const shared = sharedPlaces(window.keys, keys);
  const inOrder = longestAscent(shared);
  const first = inOrder[0];
  const last = inOrder.at(-1);
  if (first === undefined || last === undefined) return { kind: 'lost', reordered: false };
  if (shared.length - inOrder.length > shared.length / 4) return { kind: 'lost', reordered: true };
  const beginsWithin = keys[0] !== undefined && window.keys.includes(keys[0]);
  if (!beginsWithin || inOrder.length < leastShared(window, pageSize))
    return { kind: 'lost', reordered: false };
  return {
    kind: 'joined',
    fresh: keys.length - last.index - 1,
    window: extend(window, offset, keys, first, last),
    reachesEnd: last.place === window.keys.length - 1,
    shift: offset + last.index - (window.offset + last.place),
    repeated: offset !== window.offset && sameKeys(window.keys, keys),
  };
}

/** The window continued by what is new on the page; where nothing is, the same keys at the place they have moved to. */
function extend(
  window: Window,
  offset: number,
  keys: readonly string[],
  first: Shared,
  last: Shared,
): Window {
  if (last.index === keys.length - 1) return { offset: offset + last.index - last.place, keys: window.keys };
  const walked = [...window.keys.slice(0, first.place), ...keys.slice(first.index)];
  const kept = walked.slice(-Math.max(keys.length, keptKeys));
  return { offset: offset + keys.length - kept.length, keys: kept };
}

/** How many records must be shared, in order, for a page to join. */
export function leastShared(window: Window, pageSize: number): number {
  return Math.max(1, Math.min(2, overlapFor(pageSize), window.keys.length));
}

interface Shared {
  /** Place in the window. */
  readonly place: number;
  /** Index on the page. */
  readonly index: number;
}

/** The records that stand in both, in the order of the page. */
function sharedPlaces(windowKeys: readonly string[], keys: readonly string[]): readonly Shared[] {
  const places = uniquePlaces(windowKeys);
  const shared: Shared[] = [];
  for (const [key, index] of uniquePlaces(keys)) {
    const place = places.get(key);
    if (place !== undefined) shared.push({ place, index });
  }
  return shared;
}

/** The longest part of a sequence in which the places ascend: what kept its order. */
function longestAscent(shared: readonly Shared[]): readonly Shared[] {
  /** For each length, the position of the smallest place that ends an ascent of that length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [position, { place }] of shared.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shared[ends[middle] ?? 0]?.place ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? undefined : ends[low - 1]);
    ends[low] = position;
  }
  const ascent: Shared[] = [];
  for (let position = ends.at(-1); position !== undefined; position = before[position]) {
    const entry = shared[position];
    if (entry !== undefined) ascent.unshift(entry);
  }
  return ascent;
}

/** How many records two neighbouring pages share: enough to survive a few removals, little against the page. */
export function overlapFor(received: number): number {
  if (received < 4) return received < 2 ? 0 : 1;
  return Math.max(2, Math.min(5, Math.floor(received / 20)));
}

/** Where each key stands; a key that stands twice says nothing about places. */
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

/** Whether two readings of the same place show a list that keeps its order, but for what was added or moved. */
export function isSteady(before: readonly string[], after: readonly string[]): boolean {
  const shared = sharedPlaces(before, after);
  const displaced = shared.length - longestAscent(shared).length;
  const comparable = Math.min(before.length, after.length);
  return displaced <= Math.ceil(comparable / 10) && shared.length >= comparable / 2;
}
