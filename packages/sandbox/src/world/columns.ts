// Transactions in compact columns of about 50 bytes each; everything else is derived from (seed, row).
// Invariant: a row number is never used again; `key` orders the list (higher is newer) and is unique.
export class Columns {
  #capacity: number;
  #length = 0;
  type: Uint8Array;
  status: Uint8Array;
  asset: Uint8Array;
  note: Uint8Array;
  /** Bit 0: removed. Bit 1: an override replaces the derived record. */
  flags: Uint8Array;
  source: Uint16Array;
  destination: Uint16Array;
  createdAt: Float64Array;
  key: Float64Array;
  whole: Float64Array;
  fraction: BigUint64Array;
  fee: BigUint64Array;

  constructor(capacity: number) {
    this.#capacity = Math.max(16, capacity);
    this.type = new Uint8Array(this.#capacity);
    this.status = new Uint8Array(this.#capacity);
    this.asset = new Uint8Array(this.#capacity);
    this.note = new Uint8Array(this.#capacity);
    this.flags = new Uint8Array(this.#capacity);
    this.source = new Uint16Array(this.#capacity);
    this.destination = new Uint16Array(this.#capacity);
    this.createdAt = new Float64Array(this.#capacity);
    this.key = new Float64Array(this.#capacity);
    this.whole = new Float64Array(this.#capacity);
    this.fraction = new BigUint64Array(this.#capacity);
    this.fee = new BigUint64Array(this.#capacity);
  }

  /** Number of rows made so far, removed ones included. */
  get length(): number {
    return this.#length;
  }

  /** Adds an empty row. @returns its number */
  append(): number {
    if (this.#length === this.#capacity) this.#grow();
    this.#length += 1;
    return this.#length - 1;
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * 1.5);
    const capacity = this.#capacity;
    this.type = extend(this.type, new Uint8Array(capacity));
    this.status = extend(this.status, new Uint8Array(capacity));
    this.asset = extend(this.asset, new Uint8Array(capacity));
    this.note = extend(this.note, new Uint8Array(capacity));
    this.flags = extend(this.flags, new Uint8Array(capacity));
    this.source = extend(this.source, new Uint16Array(capacity));
    this.destination = extend(this.destination, new Uint16Array(capacity));
    this.createdAt = extend(this.createdAt, new Float64Array(capacity));
    this.key = extend(this.key, new Float64Array(capacity));
    this.whole = extend(this.whole, new Float64Array(capacity));
    this.fraction = extendBig(this.fraction, new BigUint64Array(capacity));
    this.fee = extendBig(this.fee, new BigUint64Array(capacity));
  }
}

/** Flags of a row. */
export const removedFlag = 1;
export const overriddenFlag = 2;

function extend<T extends { set(from: ArrayLike<number>): void }>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}

function extendBig(from: BigUint64Array, to: BigUint64Array<ArrayBuffer>): BigUint64Array<ArrayBuffer> {
  to.set(from);
  return to;
}
