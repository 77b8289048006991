// Values as bytes, the same in any language (docs/sealing-format.md): a letter for the type, the length in
// four bytes, and the bytes of the value. Numbers and moments are decimal text, so that nothing is rounded.
import { hash } from 'node:crypto';
import { parseExactly } from '../custody/decode/exact-json.ts';

/** Bytes as a string, one character for each: that is joined several times as fast as buffers are. */
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

const headLength = 5;
const lengths = Array.from({ length: 1_000 }, (_, length) => uint(length, 4));

export function value(type: ValueType, body: Bytes): Bytes {
  return type + (lengths[body.length] ?? uint(body.length, 4)) + body;
}

/** So many bytes, the greatest first. */
export function uint(number: number, bytes: number): Bytes {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(number, 0, bytes);
  return buffer.toString('latin1');
}

/** @param source JSON text, as PostgreSQL gives it */
export function encodeJson(source: string): Bytes {
  const { value: tree, mark } = parseExactly(source, true);
  return encodeTree(tree, mark);
}

/** @param mark what a string that stands for a number begins with */
function encodeTree(node: unknown, mark: string | null): Bytes {
  if (typeof node === 'string')
    return mark !== null && node.startsWith(mark)
      ? value('n', node.slice(mark.length))
      : value('t', utf8(node));
  if (Array.isArray(node)) return value('a', node.map((element) => encodeTree(element, mark)).join(''));
  if (typeof node === 'object' && node !== null) {
    const members = Object.entries(node).map(([name, member]) => [utf8(name), member] as const);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return value('o', members.map(([name, member]) => value('t', name) + encodeTree(member, mark)).join(''));
  }
  return node === null ? value('z', '') : value('y', String(node));
}

/** The bodies of the whole values that stand one after the other; of a digest `sha256:` and its digits. */
export function readValues(bytes: Bytes): Bytes[] {
  const values: Bytes[] = [];
  for (let at = 0; at + headLength <= bytes.length; ) {
    const body = at + headLength;
    const end = body + toBuffer(bytes.slice(at + 1, body)).readUInt32BE();
    if (end > bytes.length) break;
    const read = bytes.slice(body, end);
    values.push(bytes[at] === 'b' ? `sha256:${toBuffer(read).toString('hex')}` : read);
    at = end;
  }
  return values;
}
