// Parses a whole answer. A long one is scanned in slices, so that it does not block the main thread, and kept
// as bytes: each record becomes text and a tree only when it is read, so memory never holds all of them. A
// record beyond its budget is not built. Invariant: the tree is the one that `parseExactly` makes, once each
// record of it is read; an oversized record is the name under which it is kept.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Turns } from '../../base/loop.ts';
import { isObject } from './content.ts';
import { type ExactJson, parseExactly, partsParser } from './exact-json.ts';
import {
  type Oversized,
  type OversizedRecords,
  oversizedRecord,
  type RecordBudget,
  recordsOf,
} from './record-budget.ts';
import { decodeUtf8, withoutByteOrderMark } from './utf8.ts';

/** A body, and the records that were left out of it. */
export interface AnswerBody extends ExactJson {
  readonly oversized: OversizedRecords;
  /** The record, parsed now if it was not before. @throws SyntaxError when it is not JSON */
  readonly read: (record: unknown) => unknown;
}

/** A place in the bytes where an object or an array begins. */
class UnreadRecord {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

/** Bytes that are parsed, and their records decoded, in about 20 ms. */
const longestAtOnce = 2 ** 20;

/** @throws SyntaxError when it is not JSON, or too much of it is around the records */
export async function parseAnswer(
  body: Buffer,
  budget: RecordBudget,
  turns: Turns,
  atOnce = longestAtOnce,
): Promise<AnswerBody> {
  const oversized = new Map<unknown, Oversized>();
  const bytes = withoutByteOrderMark(body);
  const wasUtf8 = isUtf8(bytes);
  if (bytes.length <= Math.min(budget.bytes, atOnce))
    return { ...parseExactly(decodeUtf8(bytes, wasUtf8), wasUtf8), oversized, read: (record) => record };
  const { textOf, parse, marks } = partsParser(bytes, wasUtf8);
  const answer = randomUUID();
  const values = new Map<unknown, unknown>();
  const around: string[] = [];
  let [copied, aroundBytes] = [0, 0];
  const copyUntil = (end: number) => {
    aroundBytes += end - copied;
    if (aroundBytes > budget.bytes) throw new SyntaxError('too much is around the records');
    around.push(textOf(copied, end));
  };
  for (const found of recordsOf(bytes, budget.members)) {
    if (turns.isDue()) await turns.next();
    if (found === null) continue;
    const { start, end, members } = found;
    const first = firstByte(bytes, start, end);
    // An empty list.
    if (first === undefined) continue;
    const name = `${answer} ${around.length}`;
    const large = oversizedRecord(bytes.subarray(start, end), members, budget);
    if (large !== null) oversized.set(name, large);
    else
      values.set(
        name,
        first === brace || first === bracket ? new UnreadRecord(start, end) : parse(textOf(start, end)),
      );
    copyUntil(start);
    around.push(`"${name}"`);
    copied = end;
  }
  copyUntil(bytes.length);
  const value = withRecords(parse(around.join('')), values);
  // A record that is no element of a list has its own lists around what was left unread.
  const read = (node: unknown): unknown => {
    if (node instanceof UnreadRecord) return parse(textOf(node.start, node.end));
    if (Array.isArray(node)) return node.map(read);
    if (!isObject(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, read(member)]));
  };
  return { value, ...marks, oversized, read };
}

const [brace, bracket] = [0x7b, 0x5b];
const blanks: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** The first byte that is not blank. */
function firstByte(bytes: Buffer, start: number, end: number): number | undefined {
  let at = start;
  while (at < end && blanks.includes(bytes[at])) at += 1;
  return at < end ? bytes[at] : undefined;
}

/** Puts each record in the place of its name; around them are no other arrays. */
function withRecords(value: unknown, records: ReadonlyMap<unknown, unknown>): unknown {
  if (Array.isArray(value)) return value.map((name) => (records.has(name) ? records.get(name) : name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withRecords(member, records)]),
  );
}
