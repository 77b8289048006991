// The keys that order the list: the higher, the newer. Invariant: a key depends on the seed and the calls
// before it only. If a time orders the list, transactions of the same time tie: their keys are neighbours in
// an arbitrary order.

import { assets } from '../values/catalogue.ts';
import { hashUnit } from '../values/random.ts';

/** The orders in which the list can be served; section 4.1 documents none. */
export const listOrders = [
  'newest-first',
  'oldest-first',
  'updated-first',
  'by-time', // newest first; equal times tie
  'by-asset', // asset by asset, and by time within each
  'shuffled', // a new order at each request
] as const;
export type ListOrder = (typeof listOrders)[number];

interface OrderOptions {
  readonly seed: number;
  readonly order: ListOrder;
  /** Transactions within the same span of this many seconds tie. */
  readonly tieSeconds: number;
}

/** The values that decide a transaction's place if a time orders the list. */
interface Dated {
  readonly createdAt: number;
  readonly assetId: string;
}

export class OrderKeys {
  readonly #options: OrderOptions;
  readonly #taken: (key: number) => boolean;
  readonly #dated: boolean;
  readonly #times: number;
  /** Number of keys for each tie; a power of two, so that a division by it is exact. */
  readonly #tieSize: number;
  readonly #assets = new Map<string, number>();
  #next = 1;
  #tail = 0;
  #earliest = Number.POSITIVE_INFINITY;

  /** @param taken true for the key of a listed transaction */
  constructor(options: OrderOptions, taken: (key: number) => boolean) {
    this.#options = options;
    this.#taken = taken;
    this.#dated = options.order === 'by-time' || options.order === 'by-asset';
    this.#times = Math.ceil(timeEnd / (options.tieSeconds * 1000));
    const ties = this.#times * (options.order === 'by-asset' ? assetPlaces : 1);
    this.#tieSize = 2 ** Math.floor(Math.log2(2 ** 53 / ties));
    for (const assetId of assets.map((asset) => asset.assetId).sort()) this.#assetPlace(assetId);
  }

  /**
   * The time of a new transaction without one: now, or before all others for the tail of a list ordered by
   * time.
   */
  timeAt(place: 'head' | 'tail', now: number): number {
    if (place === 'head' || !this.#dated || !Number.isFinite(this.#earliest)) return now;
    return this.#earliest - this.#options.tieSeconds * 1000;
  }

  /** The key of a new transaction. If a time orders the list, `place` is ignored. */
  added(place: 'head' | 'tail', transaction: Dated): number {
    if (this.#dated) return this.#tied(transaction);
    if (place === 'head') return this.#sequence();
    this.#tail -= 1;
    return this.#tail;
  }

  /** The key of a transaction after a change. */
  changed(key: number, before: Dated, after: Dated): number {
    if (this.#options.order === 'updated-first') return this.#sequence();
    return this.#dated && this.#tie(before) !== this.#tie(after) ? this.#tied(after) : key;
  }

  /**
   * The keys that tie with a key, from the first to below the second; all keys if no time orders the list.
   */
  tiesOf(key: number): readonly [number, number] {
    if (!this.#dated) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const start = Math.floor(key / this.#tieSize) * this.#tieSize;
    return [start, start + this.#tieSize];
  }

  #sequence(): number {
    this.#next += 1;
    return this.#next;
  }

  #tied(transaction: Dated): number {
    this.#earliest = Math.min(this.#earliest, transaction.createdAt);
    const drawn = Math.floor(hashUnit(this.#options.seed, this.#sequence(), 93) * this.#tieSize);
    let key = this.#tie(transaction) * this.#tieSize + drawn;
    while (this.#taken(key)) key += 1;
    return key;
  }

  /** The number of the tie of a transaction; higher numbers are served first. */
  #tie({ createdAt, assetId }: Dated): number {
    const time = Math.floor(
      Math.min(Math.max(createdAt, 0), timeEnd - 1) / (this.#options.tieSeconds * 1000),
    );
    if (this.#options.order === 'by-time') return time;
    return (assetPlaces - 1 - this.#assetPlace(assetId)) * this.#times + time;
  }

  /**
   * The place of an asset: by id for the catalogue, then in order of appearance. All further assets share the
   * last place.
   */
  #assetPlace(assetId: string): number {
    const known = this.#assets.get(assetId);
    if (known !== undefined) return known;
    const place = Math.min(this.#assets.size, assetPlaces - 1);
    this.#assets.set(assetId, place);
    return place;
  }
}

/** Later times count as this one, in the year 2109. */
const timeEnd = 2 ** 42;
const assetPlaces = 64;
