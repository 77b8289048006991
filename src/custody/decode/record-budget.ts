// The budget of one record, counted while its bytes are scanned, before anything is built of it. Records are
// the elements of the outermost arrays, or the objects around these. The scan takes a time linear in the
// text.
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

/** Stands in for a record that is not built. */
export class Oversized {
  readonly reason: string;
  /** Digest of its beginning without timestamp: the same for the same record in the next answer. */
  readonly key: string;
  /** Its beginning, length and digest, as JSON text. */
  readonly raw: string;

  constructor(reason: string, key: string, raw: string) {
    this.reason = reason;
    this.key = key;
    this.raw = raw;
  }
}

/** The most records that one answer may hold: those of the greatest page. */
export const mostRecords = 100_000;
const shownCharacters = 1_000;
/** Bytes that are scanned in about a millisecond. */
const stretch = 2 ** 18;
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

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
  const reason =
    bytes > budget.bytes
      ? `the record is longer than ${budget.bytes} bytes (CUSTODY_RECORD_BYTES)`
      : `the record has more than ${budget.members} members (CUSTODY_RECORD_MEMBERS)`;
  const marks = { mark: null, byteMark: null, mayHoldUnstorable: true };
  return new Oversized(reason, key, rawText({ beginning, bytes, sha256 }, marks));
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

/** A part of a text, with the members in it at any depth. */
export interface Part {
  /** `open` and `member`: where an object begins that is a member of the body, and all of it. */
  readonly kind: 'element' | 'open' | 'member' | 'body';
  readonly start: number;
  readonly end: number;
  readonly members: number;
  /** Elements of outermost arrays in it. */
  readonly elements: number;
  /** More is in it than is ever built. Its last elements were left out. */
  readonly isBeyond: boolean;
}

interface Begun {
  readonly start: number;
  /** What came before it: members, those of them in no outermost array, and elements of such arrays. */
  readonly members: number;
  readonly around: number;
  readonly elements: number;
}

const beginning: Begun = { start: 0, members: 0, around: 0, elements: 0 };

/**
 * The elements of the arrays that are in no other array, the objects of the body around them, and at last the
 * body. Yields null after each stretch of the text, so that the caller can give way.
 */
export function* partsOf(text: Uint8Array, mostAround: number): Generator<Part | null> {
  /** Depth of the array whose elements are records; 0 outside of one. */
  let list = 0;
  let depth = 0;
  let [members, around, elements, pause] = [0, 0, 0, stretch];
  let isText = false;
  let element = beginning;
  /** The member of the body that is an object; the body outside of one. */
  let object = beginning;
  const isBeyond = (begun: Begun) =>
    around - begun.around > mostAround || elements - begun.elements > mostRecords;
  const part = (kind: Part['kind'], begun: Begun, end: number): Part => ({
    ...{ kind, start: begun.start, end },
    ...{ members: members - begun.members, elements: elements - begun.elements },
    isBeyond: isBeyond(begun),
  });
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
      if (!isBeyond(object)) yield part('element', element, at);
      if (code === comma) members += 1;
      elements += 1;
      element = { start: at + 1, members, around, elements };
    } else if (code === comma || isOpening) {
      members += 1;
      if (list === 0) around += 1;
    }
    if (list === 0 && depth === 1 && code === openObject) {
      object = { start: at, members, around, elements };
      yield part('open', object, at);
    }
    if (isOpening) depth += 1;
    if (isClosing) depth -= 1;
    if (list === 0 && code === openArray)
      [list, element] = [depth, { start: at + 1, members, around, elements }];
    if (depth < list) list = 0;
    else if (list === 0 && depth === 1 && code === closeObject) {
      yield part('member', object, at + 1);
      // It counts no longer if it is not built.
      if (isBeyond(object)) ({ around, elements } = object);
      object = beginning;
    }
  }
  yield part('body', beginning, text.length);
}
