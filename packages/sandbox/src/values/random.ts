// Seeded randomness: streams of random numbers, hashes of numbers, and permutations that can be inverted.
// Invariant: the same seed and the same calls give the same values on every machine.
/** A stream of reproducible random numbers. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [0, bound). */
  below(bound: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** A hash of three 32-bit words, as a 32-bit word. */
export function hash32(a: number, b: number, c = 0): number {
  let h =
    Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return (h ^ (h >>> 15)) >>> 0;
}

/** A hash of (a, b, c) as a number in [0, 1). */
export function hashUnit(a: number, b: number, c = 0): number {
  return hash32(a, b, c) / 0x1_0000_0000;
}

/** A 32-bit hash of a text. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return hash32(h, text.length);
}

/** A stream (sfc32) that depends on the seed and its purpose, so that one stream does not change another. */
export function createRandom(seed: number, purpose: string): Random {
  const salt = hashText(purpose);
  let a = hash32(seed, salt, 1) | 0;
  let b = hash32(seed, salt, 2) | 0;
  let c = hash32(seed, salt, 3) | 0;
  let counter = 1;
  const word = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i += 1) word();
  const next = (): number => word() / 0x1_0000_0000;
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const value = list[below(list.length)];
      if (value === undefined) throw new RangeError('cannot pick from an empty list');
      return value;
    },
  };
}

/** Maps a 32-bit number to another one; the mapping can be inverted (a Feistel network of four rounds). */
export function permute32(value: number, key: number): number {
  let left = value >>> 16;
  let right = value & 0xffff;
  for (let round = 0; round < 4; round += 1) {
    const next = left ^ (hash32(right, key, round) & 0xffff);
    left = right;
    right = next;
  }
  return ((left << 16) | right) >>> 0;
}

/** The inverse of `permute32` with the same key. */
export function unpermute32(value: number, key: number): number {
  let left = value >>> 16;
  let right = value & 0xffff;
  for (let round = 3; round >= 0; round -= 1) {
    const previous = right ^ (hash32(left, key, round) & 0xffff);
    right = left;
    left = previous;
  }
  return ((left << 16) | right) >>> 0;
}

/** The position of element `index` after a list of `length` is shuffled with `key`; O(1) on average. */
export function shuffledIndex(index: number, length: number, key: number): number {
  let bits = 2;
  while (2 ** bits < length) bits += 2;
  const half = bits / 2;
  const mask = 2 ** half - 1;
  let value = index;
  do {
    let left = Math.floor(value / 2 ** half);
    let right = value & mask;
    for (let round = 0; round < 4; round += 1) {
      const next = left ^ (hash32(right, key, round) & mask);
      left = right;
      right = next;
    }
    value = left * 2 ** half + right;
  } while (value >= length);
  return value;
}

const hexWords: readonly string[] = Array.from({ length: 65536 }, (_, i) => i.toString(16).padStart(4, '0'));

/** Eight lower-case hexadecimal digits of a 32-bit word. */
export function hex8(word: number): string {
  return `${hexWords[word >>> 16]}${hexWords[word & 0xffff]}`;
}

/** `words` times eight hexadecimal digits derived from (a, b). */
export function hexDigits(a: number, b: number, words: number): string {
  let text = '';
  for (let i = 0; i < words; i += 1) text += hex8(hash32(a, b, 100 + i));
  return text;
}

/** `length` characters of an alphabet derived from (a, b). */
export function derivedText(a: number, b: number, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet.charAt(hash32(a, b, 200 + i) % alphabet.length);
  return text;
}
