// Values as bytes, the same in any language (docs/sealing-format.md): a letter for the type, the length in
// four bytes, and the bytes of the value. Numbers and moments are decimal text, so that nothing is rounded.
import { hash } from 'node:crypto';

/** Bytes as a string, one character for each: strings are joined several times as fast as buffers. */
export type Bytes = string;

/** A SHA-256. */
export type Hash = Bytes;

let scratch = Buffer.alloc(65_536);

export function sha256(bytes: Bytes): Hash {
  if (bytes.length > scratch.length) scratch = Buffer.alloc(bytes.length);
  return hash('sha256', scratch.subarray(0, scratch.write(bytes, 'latin1')), 'binary');
}

export function toBuffer(bytes: Bytes): Buffer {
  return Buffer.from(bytes, 'latin1');
}

export function utf8(text: string): Bytes {
  return /[^ -~]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/**
 * Text, number, moment (microseconds since 1970, or infinity), bytes, boolean, null; an array of its
 * elements, an object of its members by the bytes of their names, each a text and a value.
 */
export type ValueType = 't' | 'n' | 'm' | 'b' | 'y' | 'z' | 'a' | 'o';

const lengths = Array.from({ length: 1_000 }, (_, length) => uint(length, 4));

export function value(type: ValueType, body: Bytes): Bytes {
  return type + (lengths[body.length] ?? uint(body.length, 4)) + body;
}

/** So many bytes, the most significant first. */
export function uint(number: number, bytes: number): Bytes {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(number, 0, bytes);
  return buffer.toString('latin1');
}
