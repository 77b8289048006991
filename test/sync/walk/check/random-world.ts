// Larger lists that change as the lists of a custody service may: each order with its own life. Deterministic
// by seed.
import type { WalkRules } from '../../../../src/sync/walk/state.ts';

/** The service documents no order; these are the likely ones, and what happens to a record there. */
export const orders = [
  /** Newest first, oldest first. */
  'head',
  'tail',
  /** By last update: an updated record moves to the head, or to the tail. */
  'updated-first',
  'updated-last',
  /**
   * By a time with ties and no tie-breaker: neighbours exchange their places, while others come and go, or
   * alone.
   */
  'ties',
  'exchanges',
  /** By asset, newest first within: records appear in the middle. */
  'by-asset',
  /** By asset, last update first: an updated record moves to the head of its asset. */
  'by-asset-updated',
  /** By last update, where a job updates the same records in the same order again and again. */
  'periodic',
] as const;
export type Order = (typeof orders)[number];

export interface RandomWorld {
  readonly order: Order;
  readonly length: number;
  readonly limit: number;
  readonly clamp: number | null;
  /** Pages read ahead. */
  readonly ahead: number;
  /** A change comes before one of so many requests. */
  readonly every: number;
  /** Nothing changes from this request on. */
  readonly restFrom: number;
  readonly seed: number;
}

export function rulesOf({ limit }: RandomWorld): WalkRules {
  return { paging: 'documented', limit, expectedLength: null, maxPages: 5_000 };
}

export interface ChangingList {
  readonly keys: readonly string[];
  readonly removed: ReadonlySet<string>;
  /** The list changes once, as lists of its order do. */
  change(): void;
}

const assets = 7;
const periodicRecords = 25;

export function createChangingList({ order, length, seed }: RandomWorld): ChangingList {
  const random = randomOf(seed);
  const below = (bound: number) => Math.floor(random() * Math.max(1, bound));
  let next = 0;
  const removed = new Set<string>();
  const create = () => `${String.fromCharCode(97 + (next % assets))}${next++}`;
  const isByAsset = order === 'by-asset' || order === 'by-asset-updated';
  let keys: readonly string[] = Array.from({ length }, create);
  if (isByAsset) keys = [...keys].sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''));

  const insertAt = (place: number, key: string) => {
    keys = [...keys.slice(0, place), key, ...keys.slice(place)];
  };
  const removeAt = (place: number) => {
    keys = keys.filter((_, index) => index !== place);
  };
  const headOf = (key: string) => keys.findIndex((other) => (other[0] ?? '') >= (key[0] ?? ''));
  const move = (from: number, placeFor: (key: string) => number) => {
    const key = keys[from];
    if (key === undefined) return;
    removeAt(from);
    insertAt(placeFor(key), key);
  };
  const insert = () => {
    const key = create();
    const asset = headOf(key);
    if (isByAsset) insertAt(asset < 0 ? keys.length : asset, key);
    else insertAt(order === 'tail' || order === 'updated-last' ? keys.length : 0, key);
  };
  const exchange = () => {
    const a = below(keys.length - 1);
    const b = a + 1 + below(3);
    const [first, second] = [keys[a], keys[b]];
    if (first === undefined || second === undefined) return;
    keys = keys.map((key, index) => (index === a ? second : index === b ? first : key));
  };
  const update = () => {
    if (order === 'updated-first' || order === 'periodic') move(below(keys.length), () => 0);
    else if (order === 'updated-last') move(below(keys.length), () => keys.length);
    else if (order === 'by-asset-updated') move(below(keys.length), (key) => Math.max(0, headOf(key)));
    else if (order === 'ties') exchange();
  };
  const updatePeriodically = () => {
    if (below(2) === 0) update();
    // Each moves to the head in turn: in the end they stand there in their old order.
    const touched = new Set(
      keys.slice(0, periodicRecords + 5).filter((key) => Number(key.slice(1)) < periodicRecords),
    );
    keys = [...keys.filter((key) => touched.has(key)), ...keys.filter((key) => !touched.has(key))];
  };

  return {
    removed,
    get keys() {
      return keys;
    },
    change() {
      if (order === 'exchanges') return exchange();
      const what = below(10);
      if (what < 3) insert();
      else if (what === 3) {
        const place = below(keys.length);
        removed.add(keys[place] ?? '');
        removeAt(place);
      } else if (order === 'periodic' && what < 6) updatePeriodically();
      else update();
    },
  };
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
