// The budget of one record, counted while its text is scanned, before anything is built of it. Invariant: the
// elements of the outermost arrays, which are the records of a list, are each within the budget or replaced
// by the name under which the oversized one is kept. The scan takes a time linear in the text.
import { createHash } from 'node:crypto';
import { rawText } from './content.ts';
import { endOfString } from './exact-json.ts';

export interface RecordBudget {
  /** The longest text of a record, in bytes. */
  readonly bytes: number;
  /** The most members and elements of a record, at any depth. */
  readonly members: number;
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

/** More records are not read from one answer. */
const mostRecords = 200_000;
const shownCharacters = 1_000;
const [quote, comma] = [0x22, 0x2c];
const opening = [0x5b, 0x7b];
const closing = [0x5d, 0x7d];

/**
 * @param text of a whole answer
 * @throws SyntaxError when what is around the records is beyond the budget, or there are too many of them
 */
export function withoutOversized(text: string, budget: RecordBudget) {
  const oversized = new Map<unknown, Oversized>();
  // What is no longer than a record may be is quickly parsed.
  if (text.length <= budget.bytes) return { text, oversized };
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, members } of recordsOf(text, budget.members)) {
    if (end - start <= budget.bytes / 3 && members <= budget.members) continue;
    const record = text.slice(start, end);
    const found = oversizedRecord(record, members, budget);
    if (found === null) continue;
    const name = `oversized record ${oversized.size} ${found.key}`;
    oversized.set(name, found);
    parts.push(text.slice(copied, start), `"${name}"`);
    copied = end;
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), oversized };
}

/** @returns null when the record is within the budget */
export function oversizedRecord(record: string, members: number, budget: RecordBudget): Oversized | null {
  const bytes = Buffer.byteLength(record);
  if (bytes <= budget.bytes && members <= budget.members) return null;
  const beginning = record.slice(0, shownCharacters);
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
    else if (code === comma || opening.includes(code)) members += 1;
  }
  return members;
}

/** The elements of the arrays that are in no other array. */
function* recordsOf(text: string, mostAround: number) {
  /** Depth of the array whose elements are records; 0 outside of one. */
  let list = 0;
  let depth = 0;
  let [start, members, records, around] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at) - 1;
      continue;
    }
    const isEnd = list > 0 && depth === list && (code === comma || code === 0x5d);
    if (isEnd) {
      yield { start, end: at, members };
      records += 1;
      [start, members] = [at + 1, 0];
      if (records > mostRecords) throw new SyntaxError(`more than ${mostRecords} records`);
    } else if (code === comma || opening.includes(code)) {
      if (list > 0) members += 1;
      else around += 1;
      if (around > mostAround) throw new SyntaxError('too many members around the records');
    }
    if (opening.includes(code)) depth += 1;
    if (closing.includes(code)) depth -= 1;
    if (list === 0 && code === 0x5b) [list, start, members] = [depth, at + 1, 0];
    if (depth < list) list = 0;
  }
}
