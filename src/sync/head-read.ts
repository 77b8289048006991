// Reads the head of a list once more after a walk. Records that moved there meanwhile stand before the ones that were
// first when the walk began, so the reading goes on until it has met those again, in their old order.
// A single known record is not enough: it may have moved to the head itself.
import type { Page } from '../domain/page.ts';
import { joinPage, keysOf, overlapFor, type Window } from './joint.ts';

const maxReadings = 5;
const maxPages = 1_000;

export interface HeadReadOptions<Record_> {
  readonly read: (offset: number) => Promise<Page<Record_>>;
  readonly onPage: (page: Page<Record_>) => Promise<void>;
  /** Keys at the head of the list when the walk began, in order. */
  readonly head: readonly string[];
}

/** @returns whether the head was read without a gap; false when it kept changing */
export async function readHead<Record_>(options: HeadReadOptions<Record_>): Promise<boolean> {
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const pages = await readOnce(options);
    // One answer is whole by itself; several are trusted only if nothing came to the head while they were read.
    if (pages?.length === 1) return true;
    if (pages === null) continue;
    const again = await options.read(0);
    await options.onPage(again);
    if (again.items[0]?.key === pages[0]) return true;
  }
  return false;
}

/** The first key of each page that was read until the old head was met; null when a page did not join the one before. */
async function readOnce<Record_>(options: HeadReadOptions<Record_>): Promise<readonly string[] | null> {
  const oldHead = createRunFinder(options.head);
  const firstKeys: string[] = [];
  for (let at: Window | null = null; firstKeys.length < maxPages; ) {
    const offset: number = at === null ? 0 : at.offset + at.keys.length - overlapFor(at.keys.length);
    const page = await options.read(offset);
    const keys = keysOf(page);
    if (keys.length === 0) return null; // the list was not empty a moment ago: not to be believed
    let fresh = keys;
    if (at !== null) {
      const joint = joinPage(at, offset, keys);
      if (joint.kind === 'lost') return null;
      fresh = keys.slice(keys.length - joint.fresh);
    }
    await options.onPage(page);
    firstKeys.push(keys[0] ?? '');
    if (oldHead(fresh) || fresh.length === 0) return firstKeys;
    at = { offset, keys };
  }
  return null;
}

/** Tells of a growing sequence of keys whether half of `head` has stood in it in the old order, without a stranger. */
function createRunFinder(head: readonly string[]): (keys: readonly string[]) => boolean {
  const places = new Map(head.map((key, place) => [key, place]));
  const enough = Math.max(1, Math.ceil(head.length / 2));
  let run = 0;
  let last = -1;
  return (keys) => {
    for (const key of keys) {
      const place = places.get(key);
      if (place === undefined) run = 0;
      else run = place > last ? run + 1 : 1;
      last = place ?? -1;
      if (run >= enough) return true;
    }
    return false;
  };
}
