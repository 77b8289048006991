// Parses a whole answer. A long one is scanned in slices, so that it does not block the main thread, and kept
// as bytes: each record becomes text and a tree only when it is read, so memory never holds all of them. A
// record beyond its budget is not built, whether it is an element of a list or an object around one.
// Invariant: the tree is the one that `parseExactly` makes, once each record of it is read; an `Oversized`
// stands in for what is not built.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Turns } from '../../base/loop.ts';
import { isObject } from './content.ts';
import { type ExactJson, parseExactly, partsParser } from './exact-json.ts';
import {
  mostRecords,
  Oversized,
  oversizedRecord,
  type Part,
  partsOf,
  type RecordBudget,
} from './record-budget.ts';
import { decodeUtf8, withoutByteOrderMark } from './utf8.ts';

/** A body, and the records that were left out of it. */
export interface AnswerBody extends ExactJson {
  readonly oversized: number;
  /** There are more than `mostRecords` in it, and so none was read. */
  readonly hasTooMany: boolean;
  /** How many of these the record holds, or is. */
  readonly oversizedIn: (record: unknown) => number;
  /** The record, parsed now if it was not before. @throws SyntaxError when it is not JSON */
  readonly read: (record: unknown) => unknown;
}

/** A place in the bytes where an object or an array begins. */
class UnreadRecord {
  readonly start: number;
  readonly end: number;

  constructor({ start, end }: Part) {
    this.start = start;
    this.end = end;
  }
}

/** Bytes that are parsed, and their records decoded, in about 20 ms. */
const longestAtOnce = 2 ** 20;

/** @throws SyntaxError when it is not JSON */
export async function parseAnswer(
  body: Buffer,
  budget: RecordBudget,
  turns: Turns,
  atOnce = longestAtOnce,
): Promise<AnswerBody> {
  const bytes = withoutByteOrderMark(body);
  const wasUtf8 = isUtf8(bytes);
  if (bytes.length <= Math.min(budget.bytes, atOnce))
    return { ...parseExactly(decodeUtf8(bytes, wasUtf8), wasUtf8), ...nothingLeftOut };
  const { take, end } = createBuilder(bytes, wasUtf8, budget);
  for (const part of partsOf(bytes, budget.members)) {
    if (turns.isDue()) await turns.next();
    if (part?.kind === 'body') return end(part);
    if (part !== null) take(part);
  }
  throw new SyntaxError('there is no body');
}

const nothingLeftOut: Omit<AnswerBody, keyof ExactJson> = {
  oversized: 0,
  hasTooMany: false,
  oversizedIn: () => 0,
  read: (record) => record,
};

/** Bytes of the answer, or the name under which something is put there. */
type Piece = readonly [start: number, end: number] | string;

function createBuilder(bytes: Buffer, wasUtf8: boolean, budget: RecordBudget) {
  const { textOf, parse, marks } = partsParser(bytes, wasUtf8);
  const answer = randomUUID();
  const values = new Map<unknown, unknown>();
  /** The objects around elements, as parts of the answer. */
  const wholes = new Map<unknown, Part & { readonly oversized: number }>();
  let [copied, oversized] = [0, 0];
  let pieces: Piece[] = [];
  /** The same before the object that is open began. */
  let before: { readonly pieces: Piece[]; readonly oversized: number } = { pieces, oversized };
  const parsed = ({ start, end }: Pick<Part, 'start' | 'end'>) => parse(textOf(start, end));
  const sizeUp = ({ start, end, members, isBeyond }: Part) =>
    oversizedRecord(bytes.subarray(start, end), isBeyond ? Number.POSITIVE_INFINITY : members, budget);
  const put = (found: unknown, end: number) => {
    if (found instanceof Oversized) oversized += 1;
    const name = `${answer} ${values.size}`;
    values.set(name, found);
    pieces.push(`"${name}"`);
    copied = end;
  };
  const elementOf = (part: Part, first: number) =>
    first === brace || first === bracket ? new UnreadRecord(part) : parsed(part);
  const wholeOf = (part: Part): unknown => {
    const large = lengthOf(pieces) > budget.bytes || part.isBeyond ? sizeUp(part) : null;
    if (large !== null) return large;
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(...piece)));
    const built = withValues(parse(text.join('')), values);
    wholes.set(built, { ...part, oversized: oversized - before.oversized });
    return built;
  };

  const take = (part: Part) => {
    const { kind, start, end } = part;
    const first = firstByte(bytes, start, end);
    // An empty list.
    if (first === undefined && kind === 'element') return;
    pieces.push([copied, kind === 'element' || kind === 'open' ? start : end]);
    if (kind === 'element') put(sizeUp(part) ?? elementOf(part, first ?? 0), end);
    if (kind === 'open') {
      before = { pieces, oversized };
      [pieces, copied] = [[], start];
    }
    if (kind === 'member') {
      const found = wholeOf(part);
      ({ pieces, oversized } = found instanceof Oversized ? before : { pieces: before.pieces, oversized });
      put(found, end);
    }
  };
  const oversizedIn = (record: unknown) =>
    record instanceof Oversized ? 1 : (wholes.get(record)?.oversized ?? 0);
  const end = (body: Part): AnswerBody => {
    pieces.push([copied, body.end]);
    before = { pieces, oversized: 0 };
    const value = wholeOf(body);
    const left = { oversized: value instanceof Oversized ? 1 : oversized, oversizedIn };
    const hasTooMany = body.elements > mostRecords;
    return { value, ...marks, ...left, hasTooMany, read: createReader(parsed, wholes, sizeUp) };
  };
  return { take, end };
}

/** Without what stands under names. */
function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? 0 : piece[1] - piece[0]), 0);
}

/** Reads what was left unread, but no object that turns out to be too large. */
function createReader(
  parsed: (record: UnreadRecord) => unknown,
  wholes: ReadonlyMap<unknown, Part>,
  sizeUp: (part: Part) => Oversized | null,
): AnswerBody['read'] {
  return function read(node): unknown {
    if (node instanceof UnreadRecord) return parsed(node);
    const part = wholes.get(node);
    const large = part === undefined ? null : sizeUp(part);
    if (large !== null) return large;
    if (Array.isArray(node)) return node.map(read);
    if (!isObject(node) || node instanceof Oversized) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, read(member)]));
  };
}

const [brace, bracket] = [0x7b, 0x5b];
const blanks: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** The first byte that is not blank. */
function firstByte(bytes: Buffer, start: number, end: number): number | undefined {
  let at = start;
  while (at < end && blanks.includes(bytes[at])) at += 1;
  return at < end ? bytes[at] : undefined;
}

/** Puts each value in the place of its name. */
function withValues(node: unknown, values: ReadonlyMap<unknown, unknown>): unknown {
  if (values.has(node)) return values.get(node);
  if (Array.isArray(node)) return node.map((element) => withValues(element, values));
  if (!isObject(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, withValues(member, values)]));
}
