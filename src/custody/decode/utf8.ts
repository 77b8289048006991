// Decodes UTF-8 without loss: each byte that is not UTF-8 becomes a lone surrogate U+DC80 to U+DCFF (like
// Python's `surrogateescape`), which UTF-8 cannot encode. Invariant: different bytes become different text.

const lowSurrogates = 0xdc00;
const invalidByte = /[\u{dc80}-\u{dcff}]/gu;
const byteOrderMark = Buffer.from('\ufeff');

/** Of bytes as characters up to U+00FF: well-formed sequences (Unicode standard 3.9), or a byte in none. */
const sequences =
  /(?:[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2})+|[\x80-\xff]/g;

/** @param isUtf8 whether all bytes are UTF-8 */
export function decodeUtf8(bytes: Buffer, isUtf8: boolean): string {
  if (isUtf8) return bytes.toString();
  return bytes
    .toString('latin1')
    .replace(sequences, (found) =>
      found.length > 1
        ? Buffer.from(found, 'latin1').toString()
        : String.fromCharCode(lowSurrogates + found.charCodeAt(0)),
    );
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
