// Lets records with equal sort keys change places while the list is read, as they may in a real list.
// Invariant: the choice depends on the seed and the number of list requests; nothing else moves, and the
// records stay until the next exchange.
import type { Random } from '../values/random.ts';
import type { Lists } from './lists.ts';
import type { ListOrder, OrderKeys } from './order-keys.ts';

export interface ExchangeSettings {
  /** Two records change places at every n-th request for the list, just before the answer; 0 means never. */
  readonly exchangeTies: number;
  /** The greatest distance of the two records in the list; 1 means neighbours. */
  readonly exchangeDistance: number;
}

interface ExchangeParts {
  readonly order: ListOrder;
  readonly lists: Lists;
  readonly keys: OrderKeys;
  readonly random: Random;
}

export class Exchanges {
  readonly #parts: ExchangeParts;
  #settings: ExchangeSettings = { exchangeTies: 0, exchangeDistance: 1 };
  #requests = 0;
  #made = 0;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** Number of exchanges at list requests so far. */
  get made(): number {
    return this.#made;
  }

  /**
   * Changes the given settings and restarts the count of list requests. @throws RangeError naming the bad
   * setting
   */
  set(change: Partial<ExchangeSettings>): void {
    const { exchangeTies, exchangeDistance } = { ...this.#settings, ...change };
    if (!Number.isSafeInteger(exchangeTies) || exchangeTies < 0)
      throw new RangeError('exchangeTies must be a whole number that is not negative');
    if (!Number.isSafeInteger(exchangeDistance) || exchangeDistance < 1)
      throw new RangeError('exchangeDistance must be a whole number greater than 0');
    if (exchangeTies > 0 && this.#parts.order === 'shuffled')
      throw new RangeError('exchangeTies must be 0 for the order shuffled, in which records have no places');
    this.#settings = { exchangeTies, exchangeDistance };
    this.#requests = 0;
  }

  /** Counts a request for the list, and makes the exchange that is due. */
  requested(): void {
    const { exchangeTies } = this.#settings;
    if (exchangeTies === 0) return;
    this.#requests += 1;
    if (this.#requests % exchangeTies !== 0) return;
    const pair = this.#draw();
    if (pair === undefined) return;
    this.#parts.lists.exchange(...pair);
    this.#made += 1;
  }

  /** Exchanges the records at two positions of the unfiltered list as served; they need not tie. */
  exchange(positionA: number, positionB: number): void {
    const { order, lists } = this.#parts;
    if (order === 'shuffled') throw new RangeError('a shuffled list has no places to exchange');
    const place = (position: number): number =>
      order === 'oldest-first' ? position : lists.length - 1 - position;
    lists.exchange(place(positionA), place(positionB));
  }

  /** The positions of two records that tie; undefined when no attempt found any. */
  #draw(): readonly [number, number] | undefined {
    const { lists, keys, random } = this.#parts;
    for (let attempt = 0; attempt < maxAttempts && lists.length > 1; attempt += 1) {
      const [from, to] = keys.tiesOf(lists.keyAt(random.below(lists.length)));
      const first = lists.positionOf(from);
      const size = lists.positionOf(to) - first;
      if (size < 2) continue;
      const distance = 1 + random.below(Math.min(this.#settings.exchangeDistance, size - 1));
      const position = first + random.below(size - distance);
      return [position, position + distance];
    }
    return undefined;
  }
}

const maxAttempts = 32;
