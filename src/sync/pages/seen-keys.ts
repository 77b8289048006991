// The keys that a sweep has met, as 52-bit digests in one flat table: a sweep of a million records needs about thirty
// megabytes. If two keys had one digest, a vanished record could go unnoticed, but none would be wrongly marked; among a
// million keys the chance of that is one in ten thousand.
const firstCapacity = 1 << 12;

export interface SeenSet {
  add(key: string): void;
  has(key: string): boolean;
  /** How many different keys were added. */
  readonly size: number;
}

export function createSeenSet(): SeenSet {
  // 0 marks a free place; no digest is 0.
  let table = new Float64Array(firstCapacity);
  let size = 0;

  const place = (digest: number, within: Float64Array): number => {
    const mask = within.length - 1;
    let index = digest % within.length;
    while (within[index] !== 0 && within[index] !== digest) index = (index + 1) & mask;
    return index;
  };
  const grow = () => {
    const larger = new Float64Array(table.length * 2);
    for (const digest of table) if (digest !== 0) larger[place(digest, larger)] = digest;
    table = larger;
  };

  return {
    add(key) {
      const digest = digestOf(key);
      const index = place(digest, table);
      if (table[index] === digest) return;
      table[index] = digest;
      size += 1;
      if (size * 2 > table.length) grow();
    },
    has(key) {
      const digest = digestOf(key);
      return table[place(digest, table)] === digest;
    },
    get size() {
      return size;
    },
  };
}

/** Two independent 32-bit hashes, of which 52 bits are used; never 0. */
function digestOf(key: string): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return (mix(a) & 0xfffff) * 0x1_0000_0000 + mix(b) + 1;
}

function mix(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
