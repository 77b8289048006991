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
    const done = await readOnce(options);
    if (done === null) continue;
    // One answer is whole by itself; several are trusted only if nothing came to the head while they were read.
    if (done.pages === 1) return true;
    const again = await options.read(0);
    await options.onPage(again);
    if (startAlike(keysOf(again), done.firstPage)) return true;
  }
  return false;
}

/** A record that was first may have moved there once more, so the whole page must be as it was. */
function startAlike(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return length > 0 && a.slice(0, length).every((key, index) => key === b[index]);
}

interface HeadReading {
  readonly firstPage: readonly string[];
  readonly pages: number;
}

/** Reads until the old head is met or the list ends; null when a page did not join the one before. */
async function readOnce<Record_>(options: HeadReadOptions<Record_>): Promise<HeadReading | null> {
  const oldHead = createRunFinder(options.head);
  let firstPage: readonly string[] = [];
  let pages = 0;
  for (let at: Window | null = null; pages < maxPages; ) {
    const offset: number = at === null ? 0 : at.offset + at.keys.length - overlapFor(at.keys.length);
    const page = await options.read(offset);
    const keys = keysOf(page);
    if (keys.length === 0) return null; // the list was not empty a moment ago: not to be believed
    let fresh = keys;
    if (at !== null) {
      const joint = joinPage(at, offset, keys, at.keys.length);
      if (joint.kind === 'lost') {
        await options.onPage(page);
        return null;
      }
      fresh = keys.slice(keys.length - joint.fresh);
    }
    await options.onPage(page);
    if (pages === 0) firstPage = keys;
    pages += 1;
    if (oldHead(fresh)) return { firstPage, pages };
    // A page that brings nothing further is the end of the list only if nothing follows it: it may have been cut short.
    if (fresh.length === 0) {
      const after = await options.read(offset + keys.length);
      if (after.items.length === 0) return { firstPage, pages };
      await options.onPage(after);
    }
    at = { offset, keys };
  }
  return null;
}

/** A run must be so long, or as long as the head: fewer records may well have moved there one after the other. */
const leastRun = 10;

/** Tells of a growing sequence of keys whether half of `head` has stood in it in the old order, without a stranger. */
function createRunFinder(head: readonly string[]): (keys: readonly string[]) => boolean {
  const places = new Map(head.map((key, place) => [key, place]));
  const enough = Math.max(1, Math.min(head.length, leastRun), Math.ceil(head.length / 2));
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
