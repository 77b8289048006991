// A list of rows ordered by key, so that a page at any offset is a slice. Invariant: keys ascend strictly; a
// change costs one binary search and one move of memory.
export class OrderedRows {
  #rows: Uint32Array;
  #keys: Float64Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#rows = new Uint32Array(Math.max(capacity, 16));
    this.#keys = new Float64Array(Math.max(capacity, 16));
  }

  get length(): number {
    return this.#length;
  }

  /** The row at a position counted from the lowest key. */
  at(position: number): number {
    const row = this.#rows[position];
    if (row === undefined || position >= this.#length) throw new RangeError(`no position ${position}`);
    return row;
  }

  /** The key at a position counted from the lowest. */
  keyAt(position: number): number {
    const key = this.#keys[position];
    if (key === undefined || position >= this.#length) throw new RangeError(`no position ${position}`);
    return key;
  }

  /** The first position whose key is not below `key`. */
  positionOf(key: number): number {
    let low = 0;
    let high = this.#length;
    if (high > 0 && (this.#keys[high - 1] ?? 0) < key) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Exchanges the rows at two positions; the keys stay. */
  exchange(positionA: number, positionB: number): void {
    const row = this.at(positionA);
    this.#rows[positionA] = this.at(positionB);
    this.#rows[positionB] = row;
  }

  /** Adds a row with its key. Does nothing when the key exists. */
  insert(row: number, key: number): void {
    const position = this.positionOf(key);
    if (position < this.#length && this.#keys[position] === key) return;
    if (this.#length === this.#rows.length) this.#grow();
    if (position < this.#length) {
      this.#rows.copyWithin(position + 1, position, this.#length);
      this.#keys.copyWithin(position + 1, position, this.#length);
    }
    this.#rows[position] = row;
    this.#keys[position] = key;
    this.#length += 1;
  }

  /** Removes the row with this key, if there is one. */
  remove(key: number): void {
    const position = this.positionOf(key);
    if (position >= this.#length || this.#keys[position] !== key) return;
    this.#rows.copyWithin(position, position + 1, this.#length);
    this.#keys.copyWithin(position, position + 1, this.#length);
    this.#length -= 1;
  }

  has(key: number): boolean {
    const position = this.positionOf(key);
    return position < this.#length && this.#keys[position] === key;
  }

  #grow(): void {
    const capacity = Math.ceil(this.#rows.length * 1.5);
    const rows = new Uint32Array(capacity);
    const keys = new Float64Array(capacity);
    rows.set(this.#rows);
    keys.set(this.#keys);
    this.#rows = rows;
    this.#keys = keys;
  }
}
