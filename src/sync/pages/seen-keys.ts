// The keys that a sweep has met, as digests of 60 bits in flat tables, 10 to 13 bytes a key: some 12 megabytes for a million
// records. If two keys had one digest, a vanished record could go unnoticed, or the sweep would count one record too few and end
// unverified; none would be wrongly marked as vanished. Among ten million keys the chance of that is one in 23,000.
const partBits = 8;
/** A table that is fuller grows. All of them fill at one pace: a small step, so that most of what they take is in use. */
const mostFull = 0.8;
const growth = 1.25;
const chunkBits = 7;
const chunkLength = 1 << chunkBits;
const chunksPerSlab = 64;

export interface SeenSet {
  add(key: string): void;
  has(key: string): boolean;
  /** How many different keys were added. */
  readonly size: number;
}

export function createSeenSet(): SeenSet {
  const slabs = createSlabs();
  const parts = Array.from({ length: 1 << partBits }, () => createTable(slabs));
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

/** Numbers in chunks. None is ever given back alone: what is left to the collector in the middle of a sweep stays for long. */
interface Slabs {
  /** A chunk of zeros. @returns the place of its first number */
  take(): number;
  get(place: number): number;
  set(place: number, value: number): void;
}

function createSlabs(): Slabs {
  const slabBits = chunkBits + Math.log2(chunksPerSlab);
  const mask = (1 << slabBits) - 1;
  const slabs: Float64Array[] = [];
  let taken = 0;
  return {
    take() {
      if (taken % chunksPerSlab === 0) slabs.push(new Float64Array(1 << slabBits));
      taken += 1;
      return (taken - 1) << chunkBits;
    },
    get: (place) => (slabs[place >>> slabBits] as Float64Array)[place & mask] as number,
    set(place, value) {
      (slabs[place >>> slabBits] as Float64Array)[place & mask] = value;
    },
  };
}

interface Table {
  /** @returns whether it is new */
  add(digest: number): boolean;
  has(digest: number): boolean;
}

/** A hash table of digests; 0 marks a free place. It grows by further chunks, so that it is never there twice. */
function createTable(slabs: Slabs): Table {
  const chunks = [slabs.take()];
  let capacity = chunkLength;
  let size = 0;
  const placeOf = (index: number) => (chunks[index >>> chunkBits] as number) + (index & (chunkLength - 1));
  /** Where it is, or else the free place for it. */
  const find = (digest: number): number => {
    // The lower 32 bits: a remainder of whole numbers takes a fraction of the time.
    for (let index = (digest >>> 0) % capacity; ; index = index + 1 === capacity ? 0 : index + 1) {
      const place = placeOf(index);
      const there = slabs.get(place);
      if (there === 0 || there === digest) return place;
    }
  };
  const grow = () => {
    const digests: number[] = [];
    for (let index = 0; index < capacity; index += 1) {
      const digest = slabs.get(placeOf(index));
      if (digest === 0) continue;
      digests.push(digest);
      slabs.set(placeOf(index), 0);
    }
    while (chunks.length * chunkLength < capacity * growth) chunks.push(slabs.take());
    capacity = chunks.length * chunkLength;
    for (const digest of digests) slabs.set(find(digest), digest);
  };
  return {
    add(digest) {
      const place = find(digest);
      if (slabs.get(place) === digest) return false;
      slabs.set(place, digest);
      size += 1;
      if (size > capacity * mostFull) grow();
      return true;
    },
    has: (digest) => slabs.get(find(digest)) === digest,
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
