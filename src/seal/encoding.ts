// JSON as it is sealed, and sealed values read back.
import { type Bytes, toBuffer } from '../base/encoded-values.ts';
import { createContentDigest } from '../custody/decode/content.ts';
import { parseExactly } from '../custody/decode/exact-json.ts';

/** A letter and a length. */
const headLength = 5;

/** @param source JSON text, as PostgreSQL gives it */
export function encodeJson(source: string): Bytes {
  const body = parseExactly(source, true);
  const marks = { ...body, mayHoldUnstorable: false };
  return createContentDigest(marks, Number.POSITIVE_INFINITY, true).encode(body.value);
}

/** The bodies of values that follow one another; a digest as `sha256:` and its digits. */
export function readValues(bytes: Bytes): Bytes[] {
  return splitValues(bytes).map(({ body }) => body);
}

/** The same with the letters of their types. */
export function splitValues(bytes: Bytes) {
  const values: { readonly type: string; readonly body: Bytes }[] = [];
  for (let at = 0; at + headLength <= bytes.length; ) {
    const body = at + headLength;
    const end = body + toBuffer(bytes.slice(at + 1, body)).readUInt32BE();
    if (end > bytes.length) break;
    const read = bytes.slice(body, end);
    const type = bytes.charAt(at);
    values.push({ type, body: type === 'b' ? `sha256:${toBuffer(read).toString('hex')}` : read });
    at = end;
  }
  return values;
}
