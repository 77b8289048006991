// The keys that a sweep has met, as digests of 62 bits in flat tables, 10 to 13 bytes a key: some 12 megabytes for a million
// records. If two keys had one digest, a vanished record could go unnoticed, but none would be wrongly marked; among ten
// million keys the chance of that is one in ninety thousand.
const partCount = 1 << 10;
const firstCapacity = 8;
/** A table that is fuller grows. All of them fill at one pace: a small step, so that most of what they take is in use. */
const mostFull = 0.8;
const growth = 1.25;

export interface SeenSet {
  add(key: string): void;
  has(key: string): boolean;
  /** How many different keys were added. */
  readonly size: number;
}

/** A part of the keys. One table for all would be there twice while it grows. */
interface Part {
  /** What the number of the part does not say of a digest; 0 marks a free place. */
  table: Float64Array;
  size: number;
}

export function createSeenSet(): SeenSet {
  const parts: readonly Part[] = Array.from({ length: partCount }, () => ({
    table: new Float64Array(firstCapacity),
    size: 0,
  }));
  let size = 0;
  return {
    add(key) {
      const { part: number, rest } = digestOf(key);
      const part = parts[number] as Part;
      const index = placeOf(rest, part.table);
      if (part.table[index] === rest) return;
      part.table[index] = rest;
      part.size += 1;
      size += 1;
      if (part.size > part.table.length * mostFull) part.table = larger(part.table);
    },
    has(key) {
      const { part: number, rest } = digestOf(key);
      const { table } = parts[number] as Part;
      return table[placeOf(rest, table)] === rest;
    },
    get size() {
      return size;
    },
  };
}

function larger(table: Float64Array): Float64Array {
  const next = new Float64Array(Math.ceil(table.length * growth));
  for (const rest of table) if (rest !== 0) next[placeOf(rest, next)] = rest;
  return next;
}

/** Where it is, or else the free place for it. */
function placeOf(rest: number, table: Float64Array): number {
  // The lower 32 bits: a remainder of whole numbers takes a fraction of the time.
  let index = (rest >>> 0) % table.length;
  while (table[index] !== 0 && table[index] !== rest) index = index + 1 === table.length ? 0 : index + 1;
  return index;
}

/** Of two independent hashes of 32 bits: 10 bits name the part, and the other 52 are a whole number that is never 0. */
function digestOf(key: string): { readonly part: number; readonly rest: number } {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  const high = mix(a);
  return { part: high >>> 22, rest: (high & 0xfffff) * 0x1_0000_0000 + mix(b) + 1 };
}

function mix(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
