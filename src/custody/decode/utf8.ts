// Decodes UTF-8 without loss: each byte that is not UTF-8 becomes a lone surrogate U+DC80 to U+DCFF (like
// Python's `surrogateescape`), which UTF-8 cannot encode. Invariant: different bytes become different text.

const lowSurrogates = 0xdc00;
const invalidByte = /[\u{dc80}-\u{dcff}]/gu;
const byteOrderMark = Buffer.from('\ufeff');

/** @param isUtf8 whether all bytes are UTF-8 */
export function decodeUtf8(bytes: Buffer, isUtf8: boolean): string {
  if (isUtf8) return bytes.toString();
  // Each byte becomes at most one unit of UTF-16.
  const units = Buffer.alloc(bytes.length * 2);
  let [start, end] = [0, 0];
  const decodeUntil = (at: number) => {
    end += units.write(bytes.toString('utf8', start, at), end, 'utf16le');
  };
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    at += Math.max(1, length);
    if (length > 0) continue;
    decodeUntil(at - 1);
    end = units.writeUInt16LE(lowSurrogates + (bytes[at - 1] ?? 0), end);
    start = at;
  }
  decodeUntil(bytes.length);
  return units.toString('utf16le', 0, end);
}

/** The bytes after a byte order mark. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark;
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes;
}

/** True when a byte was not UTF-8. */
export function holdsInvalidBytes(text: string): boolean {
  return text.search(invalidByte) >= 0;
}

/** The text with a replacement for each byte that was not UTF-8. */
export function replaceInvalidBytes(text: string, replacement: (byte: number) => string): string {
  return text.replace(invalidByte, (unit) => replacement(unit.charCodeAt(0) - lowSurrogates));
}

/**
 * Number of bytes of the character that begins here; 0 when none does (well-formed sequences, Unicode
 * standard 3.9).
 */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const [least, most] = secondByte.get(first) ?? [0x80, 0xbf];
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/**
 * Bounds of the second byte after these first bytes: no overlong form, no surrogate, nothing above U+10FFFF.
 */
const secondByte: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
