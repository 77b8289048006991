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

/** The keys of the last page walked, and the offset at which it was read. */
export interface Window {
  readonly offset: number;
  readonly keys: readonly string[];
}

export interface Joined {
  readonly kind: 'joined';
  /** Records of the page that lie beyond the window. */
  readonly fresh: number;
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

/** Tells whether a page read at `offset` continues the window. */
export function joinPage(window: Window, offset: number, keys: readonly string[]): Joined | Lost {
  const placeInWindow = uniquePlaces(window.keys);
  const placeInPage = uniquePlaces(keys);
  let lastPlace = -1;
  let lastIndex = -1;
  for (const [key, index] of placeInPage) {
    const place = placeInWindow.get(key);
    if (place === undefined) continue;
    if (place < lastPlace) return { kind: 'lost', reordered: true };
    lastPlace = place;
    lastIndex = index;
  }
  if (lastIndex < 0) return { kind: 'lost', reordered: false };
  return {
    kind: 'joined',
    fresh: keys.length - lastIndex - 1,
    reachesEnd: lastPlace === window.keys.length - 1,
    shift: offset + lastIndex - (window.offset + lastPlace),
    repeated: offset !== window.offset && sameKeys(window.keys, keys),
  };
}

/** How many records two neighbouring pages share: enough to survive a few removals, little against the page. */
export function overlapFor(received: number): number {
  return received < 2 ? 0 : Math.max(1, Math.min(5, Math.floor(received / 20)));
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

/**
 * How many of the records that two readings of the same place share have changed their order: the number of shared
 * records less the longest run of them that stands in the same order in both.
 */
export function displacedRecords(
  before: readonly string[],
  after: readonly string[],
): { readonly shared: number; readonly displaced: number } {
  const places = new Map(before.map((key, place) => [key, place]));
  const sequence = after.map((key) => places.get(key)).filter((place) => place !== undefined);
  const tails: number[] = [];
  for (const place of sequence) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    tails[low] = place;
  }
  return { shared: sequence.length, displaced: sequence.length - tails.length };
}
