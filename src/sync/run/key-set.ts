// The keys that a sweep has read, as digests of 60 bits in flat tables, 10 to 15 bytes a key: a set of a
// million texts would take ten times as much. If two keys had one digest, a missing record could go
// unnoticed, or the sweep would count one record too few and end unverified; none would be wrongly marked as
// missing. Among ten million keys the chance of that is one in 23,000.

/** Many small tables: when one grows, only a little memory is used twice. */
const partBits = 8;
const firstCapacity = 128;
/** The fill level at which a table grows, and by how much. */
const mostFull = 0.8;
const growth = 1.5;

export interface KeySet {
  add(key: string): void;
  has(key: string): boolean;
  /** How many different keys were added. */
  readonly size: number;
}

export function createKeySet(): KeySet {
  const parts = Array.from({ length: 1 << partBits }, createTable);
  let size = 0;
  const tableOf = ({ part }: Digest) => parts[part] as Table;
  return {
    add(key) {
      const digest = digestOf(key);
      if (tableOf(digest).add(digest.rest)) size += 1;
    },
    has(key) {
      const digest = digestOf(key);
      return tableOf(digest).has(digest.rest);
    },
    get size() {
      return size;
    },
  };
}

interface Table {
  /** @returns whether it is new */
  add(digest: number): boolean;
  has(digest: number): boolean;
}

/** A hash table of digests; 0 marks a free place. */
function createTable(): Table {
  let places = new Float64Array(firstCapacity);
  let size = 0;
  /** Where it is, or else the free place for it. */
  const find = (digest: number): number => {
    // The lower 32 bits: a remainder of whole numbers takes a fraction of the time.
    let place = (digest >>> 0) % places.length;
    while (places[place] !== 0 && places[place] !== digest)
      place = place + 1 === places.length ? 0 : place + 1;
    return place;
  };
  const grow = () => {
    const before = places;
    places = new Float64Array(Math.ceil(before.length * growth));
    for (const digest of before) if (digest !== 0) places[find(digest)] = digest;
  };
  return {
    add(digest) {
      const place = find(digest);
      if (places[place] === digest) return false;
      places[place] = digest;
      size += 1;
      if (size > places.length * mostFull) grow();
      return true;
    },
    has: (digest) => places[find(digest)] === digest,
  };
}
interface Digest {
  readonly part: number;
  readonly rest: number;
}

/** Of two hashes of 32 bits: some bits name the part, and 52 others are a whole number that is never 0. */
function digestOf(key: string): Digest {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  const high = mix(a);
  return { part: high >>> (32 - partBits), rest: (high & 0xfffff) * 0x1_0000_0000 + mix(b) + 1 };
}

function mix(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
