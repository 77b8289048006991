// The bytes of the records of a list, as they stand in the body of an answer, so that their text need not be made again from
// what was parsed. Invariant: they hold the record that was parsed, and nothing that the parser dropped.
//
// The body has two quotes that are not escaped for each string that was parsed only if the parser dropped no member (of two of one name
// it keeps the last). Then body and tree have the same members. In JSON, `},{"name":` can only be the end of an object and the beginning
// of the next in an array: the quote before a name made of letters is not escaped and cannot end a string, because a letter may not
// follow there. Where all records are objects, the places where two of them meet are one less than they are. Where the tree has no more
// places in which an object follows an object in an array, and the body as many such texts, these are where the records meet.
import { isObject } from './content.ts';
import type { ExactJson } from './exact-json.ts';

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const quote = 0x22;
const backslash = 0x5c;

/**
 * @param bytes the body as received
 * @returns the bytes of each record; undefined for the first and the last, which the list surrounds, and for all where it cannot be shown
 * where they are, where what was received cannot be stored as it is, or where they are a small part of the body, which they keep in memory
 */
export function findRecordBytes(
  records: readonly unknown[],
  { counts, byteMark, mayHoldUnstorable }: ExactJson,
  bytes: Buffer,
): readonly (Uint8Array | undefined)[] {
  if (counts === null || byteMark !== null || mayHoldUnstorable) return [];
  if (records.length < 3 || counts.objectPairs !== records.length - 1 || !records.every(isObject)) return [];
  const name = firstName(records[1]);
  if (name === undefined || !plainName.test(name) || countUnescapedQuotes(bytes) !== 2 * counts.strings)
    return [];
  const meeting = Buffer.from(`},{"${name}":`);
  const found: Uint8Array[] = [];
  let size = 0;
  let start: number | null = null;
  for (let at = bytes.indexOf(meeting); at >= 0; at = bytes.indexOf(meeting, at + 1)) {
    if (start !== null) found.push(bytes.subarray(start, at + 1));
    size += start === null ? 0 : at + 1 - start;
    start = at + 2;
  }
  const isWhole = found.length === records.length - 2 && size >= bytes.length / 2;
  return isWhole ? [undefined, ...found, undefined] : [];
}

function firstName(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  for (const name in record) return name;
  return undefined;
}

function countUnescapedQuotes(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== quote) continue;
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) count += 1;
  }
  return count;
}
