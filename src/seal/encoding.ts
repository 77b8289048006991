// Values as bytes, the same in any language (docs/sealing-format.md): a letter for the type, the length in
// four bytes, and the bytes of the value. Numbers and moments are decimal text, so that nothing is rounded.
import { hash } from 'node:crypto';
import { parseExactly } from '../custody/decode/exact-json.ts';

/** A SHA-256 as 32 characters, one for each byte: node:crypto makes that three times as fast as a buffer. */
export type Hash = string;

export function sha256(bytes: Uint8Array): Hash {
  return hash('sha256', bytes, 'binary');
}

/** Types of values, by the letter that stands for them. */
const types = {
  text: 0x74, // t
  number: 0x6e, // n
  moment: 0x6d, // m: microseconds since 1970-01-01T00:00:00Z, or infinity
  bytes: 0x62, // b
  boolean: 0x79, // y
  null: 0x7a, // z
  array: 0x61, // a: its elements, one after the other
  object: 0x6f, // o: its members, sorted by the bytes of their names; each the name as a text, then the value
} as const;

export type Scalar = 'text' | 'number' | 'moment' | 'boolean' | 'null';

const headLength = 5;

export interface ValueWriter {
  scalar(type: Scalar, value: string): void;
  digest(value: Hash): void;
  /** Bytes that were encoded before. */
  encoded(bytes: Uint8Array): void;
  /** An array or object around what the work writes. */
  around(type: 'array' | 'object', work: () => void): void;
  /** What was written since the last call. It holds until the next value is written. */
  take(): Uint8Array;
}

export function createValueWriter(): ValueWriter {
  let buffer = Buffer.allocUnsafe(16_384);
  let at = 0;

  const makeRoom = (bytes: number) => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  const text = (type: number, value: string, encoding: 'utf8' | 'latin1' = 'utf8') => {
    makeRoom(headLength + 3 * value.length);
    const length = buffer.write(value, at + headLength, encoding);
    buffer[at] = type;
    buffer.writeUInt32BE(length, at + 1);
    at += headLength + length;
  };
  const around = (type: 'array' | 'object', work: () => void) => {
    makeRoom(headLength);
    const start = at;
    at += headLength;
    work();
    buffer[start] = types[type];
    buffer.writeUInt32BE(at - start - headLength, start + 1);
  };
  return {
    scalar: (type, value) => text(types[type], value),
    digest: (value) => text(types.bytes, value, 'latin1'),
    encoded(bytes) {
      makeRoom(bytes.length);
      buffer.set(bytes, at);
      at += bytes.length;
    },
    around,
    take() {
      const written = buffer.subarray(0, at);
      at = 0;
      return written;
    },
  };
}

/** Writes JSON text, as PostgreSQL gives it. */
export function writeJson(writer: ValueWriter, source: string): void {
  const { value, mark } = parseExactly(source, true);
  writeTree(writer, value, mark);
}

/** @param mark what a string that stands for a number begins with */
function writeTree(writer: ValueWriter, value: unknown, mark: string | null): void {
  if (typeof value === 'string') {
    if (mark !== null && value.startsWith(mark)) writer.scalar('number', value.slice(mark.length));
    else writer.scalar('text', value);
  } else if (Array.isArray(value)) {
    writer.around('array', () => {
      for (const element of value) writeTree(writer, element, mark);
    });
  } else if (typeof value === 'object' && value !== null) {
    writer.around('object', () => {
      for (const [name, member] of Object.entries(value).sort(byName)) {
        writer.scalar('text', name);
        writeTree(writer, member, mark);
      }
    });
  } else if (value === null) writer.scalar('null', '');
  else writer.scalar('boolean', String(value));
}

/** By the UTF-8 bytes, in which JavaScript does not compare characters beyond U+FFFF. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * The whole values that stand one after the other, as texts: of an array the encoded elements as latin1, of a
 * digest `sha256:` and its digits.
 */
export function readValues(bytes: Buffer): string[] {
  const values: string[] = [];
  for (let at = 0; at + headLength <= bytes.length; ) {
    const type = bytes[at];
    const end = at + headLength + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    const value = bytes.subarray(at + headLength, end);
    if (type === types.bytes) values.push(`sha256:${value.toString('hex')}`);
    else values.push(value.toString(type === types.array ? 'latin1' : 'utf8'));
    at = end;
  }
  return values;
}
