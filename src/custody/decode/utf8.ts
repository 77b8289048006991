// Decodes UTF-8 without loss: each byte that is not UTF-8 becomes a lone surrogate U+DC80 to U+DCFF (like
// Python's `surrogateescape`), which UTF-8 cannot encode. Invariant: different bytes become different text,
// except that a byte order mark at the beginning is dropped.
import { isUtf8 } from 'node:buffer';
import type { Turns } from '../../base/loop.ts';

const lowSurrogates = 0xdc00;
/** So much is decoded in a few milliseconds. */
const partBytes = 2 ** 18;
const invalidByte = /[\u{dc80}-\u{dcff}]/gu;

/** @param turns taken while a long text is decoded */
export async function decodeUtf8(bytes: Buffer, turns: Turns): Promise<string> {
  if (isUtf8(bytes)) return await decodeInParts(bytes, turns);
  // Each byte becomes at most one unit of UTF-16.
  const units = Buffer.alloc(bytes.length * 2);
  let end = 0;
  for (let at = 0, pause = partBytes; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 1) end += units.write(bytes.toString('utf8', at, at + length), end, 'utf16le');
    else end = units.writeUInt16LE((length === 0 ? lowSurrogates : 0) + (bytes[at] ?? 0), end);
    at += Math.max(1, length);
    if (at < pause) continue;
    pause += partBytes;
    if (turns.isDue()) await turns.next();
  }
  return units.toString('utf16le', 0, end).replace(/^\ufeff/, '');
}

async function decodeInParts(bytes: Buffer, turns: Turns): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) {
    parts.push(decoder.decode(bytes.subarray(at, at + partBytes), { stream: true }));
    if (turns.isDue()) await turns.next();
  }
  return parts.join('');
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
