// Parses a whole answer. A long one is scanned in slices, so that it does not hold the main thread, and each
// record is parsed when it is read, so that memory never holds the trees of all. A record beyond its budget
// is not built. Invariant: the tree is the one that `parseExactly` makes, once each record of it is read; an
// oversized record is the name under which it is kept.
import { randomUUID } from 'node:crypto';
import type { Turns } from '../../base/loop.ts';
import { isObject } from './content.ts';
import { type ExactJson, exactParser, parseExactly } from './exact-json.ts';
import {
  type Oversized,
  type OversizedRecords,
  oversizedRecord,
  type RecordBudget,
  recordsOf,
} from './record-budget.ts';

/** A body, and the records that were left out of it. */
export interface AnswerBody extends ExactJson {
  readonly oversized: OversizedRecords;
  /** The record, parsed now if it was not before. @throws SyntaxError when it is not JSON */
  readonly read: (record: unknown) => unknown;
}

/** A place in the text where an object begins. */
class UnreadRecord {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A text of this length is parsed, and its records decoded, in about 20 ms. */
const longestAtOnce = 2 ** 20;

/**
 * @param source text from `decodeUtf8`
 * @throws SyntaxError when it is not JSON, or too much of it is around the records
 */
export async function parseAnswer(
  source: string,
  wasUtf8: boolean,
  budget: RecordBudget,
  turns: Turns,
  atOnce = longestAtOnce,
): Promise<AnswerBody> {
  const oversized = new Map<unknown, Oversized>();
  if (source.length <= Math.min(budget.bytes, atOnce))
    return { ...parseExactly(source, wasUtf8), oversized, read: (record) => record };
  const { text, parse, marks } = exactParser(source, wasUtf8, true);
  const answer = randomUUID();
  const values = new Map<unknown, unknown>();
  const around: string[] = [];
  let copied = 0;
  for (const found of recordsOf(text, budget.members)) {
    if (turns.isDue()) await turns.next();
    if (found === null) continue;
    const record = text.slice(found.start, found.end);
    // An empty list.
    if (record.trim() === '') continue;
    const name = `${answer} ${values.size}`;
    // A character takes at most three bytes.
    const mayBeLarge = record.length > budget.bytes / 3 || found.members > budget.members;
    const large = mayBeLarge ? oversizedRecord(record, found.members, budget) : null;
    if (large !== null) oversized.set(name, large);
    const isObjectText = record.trimStart().startsWith('{');
    values.set(name, large !== null ? name : isObjectText ? new UnreadRecord(record) : parse(record));
    around.push(text.slice(copied, found.start), `"${name}"`);
    copied = found.end;
  }
  around.push(text.slice(copied));
  const value = withRecords(parse(around.join('')), values);
  // A record that is no element of a list has its own lists around what was left unread.
  const read = (node: unknown): unknown => {
    if (node instanceof UnreadRecord) return parse(node.text);
    if (Array.isArray(node)) return node.map(read);
    if (!isObject(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, read(member)]));
  };
  return { value, ...marks(), oversized, read };
}

/** Puts each record in the place of its name; around them are no other arrays. */
function withRecords(value: unknown, records: ReadonlyMap<unknown, unknown>): unknown {
  if (Array.isArray(value)) return value.map((name) => (records.has(name) ? records.get(name) : name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withRecords(member, records)]),
  );
}
