// The budget of one record, counted while its bytes are scanned, before anything is built of it. Records are
// the elements of the outermost arrays. The scan takes a time linear in the text.
import { createHash } from 'node:crypto';
import { rawText } from './content.ts';
import { endOfString } from './exact-json.ts';

export interface RecordBudget {
  /** The longest text of a record, in bytes. */
  readonly bytes: number;
  /** The most members and elements of a record, at any depth. */
  readonly members: number;
  /** The deepest nesting of a record. It is built before this is known, because each level is a member. */
  readonly depth: number;
}

/** A record that is not built. */
export interface Oversized {
  readonly reason: string;
  /** Digest of its beginning without timestamp: the same for the same record in the next answer. */
  readonly key: string;
  /** Its beginning, length and digest, as JSON text. */
  readonly raw: string;
}

export type OversizedRecords = ReadonlyMap<unknown, Oversized>;

/** The most records that one answer may hold: those of the greatest page. */
const mostRecords = 100_000;
const shownCharacters = 1_000;
/** Bytes that are scanned in about a millisecond. */
const stretch = 2 ** 18;
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class TooManyRecords extends Error {}

/** @returns null when the record is within the budget */
export function oversizedRecord(record: Buffer, members: number, budget: RecordBudget): Oversized | null {
  const bytes = record.length;
  if (bytes <= budget.bytes && members <= budget.members) return null;
  // A character that is cut in two is left out, because it is beyond what is shown.
  const beginning = record.toString('utf8', 0, 4 * shownCharacters).slice(0, shownCharacters);
  const sha256 = createHash('sha256').update(record).digest('hex');
  const key = createHash('sha256')
    .update(beginning.replace(/"timestamp"\s*:\s*"[^"]*"/g, ''))
    .digest('base64url');
  return {
    key,
    reason:
      bytes > budget.bytes
        ? `the record is longer than ${budget.bytes} bytes (CUSTODY_RECORD_BYTES)`
        : `the record has more than ${budget.members} members (CUSTODY_RECORD_MEMBERS)`,
    raw: rawText({ beginning, bytes, sha256 }, { mark: null, byteMark: null, mayHoldUnstorable: true }),
  };
}

/** The members of a JSON text, at any depth. */
export function countMembers(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === comma || code === openArray || code === openObject) members += 1;
  }
  return members;
}

/**
 * The elements of the arrays that are in no other array. Yields null after each stretch of the text, so that
 * the caller can give way.
 *
 * @throws SyntaxError when the text around the records exceeds the budget; TooManyRecords
 */
export function* recordsOf(text: Uint8Array, mostAround: number) {
  /** Depth of the array whose elements are records; 0 outside of one. */
  let list = 0;
  let depth = 0;
  let [start, members, records, around] = [0, 0, 0, 0];
  let isText = false;
  let pause = stretch;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pause) {
      yield null;
      pause = at + stretch;
    }
    const code = text[at];
    if (isText) {
      if (code === quote) isText = false;
      else if (code === backslash) at += 1;
      continue;
    }
    if (code === quote) {
      isText = true;
      continue;
    }
    const isOpening = code === openArray || code === openObject;
    const isClosing = code === closeArray || code === closeObject;
    if (list > 0 && depth === list && (code === comma || code === closeArray)) {
      yield { start, end: at, members };
      records += 1;
      [start, members] = [at + 1, 0];
      if (records > mostRecords)
        throw new TooManyRecords(`the answer holds more than ${mostRecords} records`);
    } else if (code === comma || isOpening) {
      if (list > 0) members += 1;
      else around += 1;
      if (around > mostAround) throw new SyntaxError('too many members around the records');
    }
    if (isOpening) depth += 1;
    if (isClosing) depth -= 1;
    if (list === 0 && code === openArray) [list, start, members] = [depth, at + 1, 0];
    if (depth < list) list = 0;
  }
}
