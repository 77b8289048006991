// The bytes of the records of a list, as they stand in the body of an answer, so that their text need not be made again from
// what was parsed.
//
// In JSON, `},{"key":` can only be the end of an object and the beginning of the next in an array: the quote before a name made of
// letters cannot end a string, because a letter may not follow there, and no backslash precedes it. Where such places are as many as the
// body has objects that follow an object in an array, and these as many as the records of the list have, they are where its records meet.
import type { ExactJson } from './exact-json.ts';

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * @param bytes the body as received
 * @returns the bytes of each record; undefined for the first and the last, which the list surrounds, and for all where it cannot be shown
 * where they are, or where what was received cannot be stored as it is
 */
export function findRecordBytes(
  records: readonly unknown[],
  { mark, byteMark, mayHoldUnstorable, objectPairs }: ExactJson,
  bytes: Buffer,
): readonly (Uint8Array | undefined)[] {
  const isAsStored = mark === null && byteMark === null && !mayHoldUnstorable;
  if (!isAsStored || records.length < 3 || objectPairs !== records.length - 1) return [];
  const name = firstName(records[1]);
  if (name === undefined || !plainName.test(name)) return [];
  const meeting = Buffer.from(`},{"${name}":`);
  const found: Uint8Array[] = [];
  let start: number | null = null;
  for (let at = bytes.indexOf(meeting); at >= 0; at = bytes.indexOf(meeting, at + 1)) {
    if (start !== null) found.push(bytes.subarray(start, at + 1));
    start = at + 2;
  }
  return found.length === records.length - 2 ? [undefined, ...found, undefined] : [];
}

function firstName(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  for (const name in record) return name;
  return undefined;
}
