/**
 * Ties that change places while the list is read, as they may where nothing breaks them. Invariant: which two change
 * places follows from the seed and the number of list requests; nothing else moves, and they stay until exchanged again.
 */

import type { Random } from '../numbers/random.ts';
import type { Lists } from './lists.ts';
import type { ListOrder, OrderKeys } from './order-keys.ts';

/** How often, and how far apart. */
export interface ExchangeSettings {
  /** Two records change places at every n-th request for the list, just before it is answered; 0 is never. */
  readonly exchangeTies: number;
  /** The most positions from one of them to the other; 1 is neighbours. */
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

  /** Exchanges made at list requests so far. */
  get made(): number {
    return this.#made;
  }

  /** Changes what is given and counts list requests anew. @throws RangeError naming the bad setting */
  set(change: Partial<ExchangeSettings>): void {
    const { exchangeTies, exchangeDistance } = { ...this.#settings, ...change };
    if (!Number.isSafeInteger(exchangeTies) || exchangeTies < 0)
      throw new RangeError('exchangeTies must be a whole number that is not negative');
    if (!Number.isSafeInteger(exchangeDistance) || exchangeDistance < 1)
      throw new RangeError('exchangeDistance must be a whole number greater than 0');
    if (exchangeTies > 0 && this.#parts.order === 'shuffled')
      throw new RangeError('exchangeTies must be 0 where the order is shuffled: nothing has a place there');
    this.#settings = { exchangeTies, exchangeDistance };
    this.#requests = 0;
  }

  /** Tells that the list is asked for; makes the exchange that is due. */
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

  /** Exchanges the records at two positions of the unfiltered list as it is served, whether they tie or not. */
  exchange(positionA: number, positionB: number): void {
    const { order, lists } = this.#parts;
    if (order === 'shuffled') throw new RangeError('in a shuffled list there are no places to exchange');
    const place = (position: number): number =>
      order === 'oldest-first' ? position : lists.length - 1 - position;
    lists.exchange(place(positionA), place(positionB));
  }

  /** Two records that tie, anywhere in the list; undefined when none was met in so many attempts. */
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
