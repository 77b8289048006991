// Makes the items of a page from the records of a list. A record that cannot be decoded is kept as text with
// the reason, one beyond its budget with its beginning, length and digest; neither fails its page.
import { createHash } from 'node:crypto';
import { compactJson, type JsonObject } from '../../domain/json.ts';
import {
  type DecodedItem,
  fitsKey,
  type ListItem,
  longestKeyBytes,
  type UndecodableItem,
} from '../../domain/page.ts';
import {
  createContentDigest,
  type ExactJson,
  endOfString,
  isObject,
  pruned,
  rawText,
  TooDeep,
} from './exact-json.ts';
import { notUtf8, type Reading, type Tolerance, Undecodable } from './fields.ts';

/** The text and digest of a record, made before its fields are read. */
export interface Content {
  readonly raw: string;
  readonly hash: string;
}

export interface RecordDecoder<Record_> {
  /** @throws Undecodable */
  decode(record: JsonObject, content: Content, reading: Reading): DecodedItem<Record_>;
  /** The key of a record for the quarantine; null when the record holds none. @throws Undecodable */
  identify(record: JsonObject, reading: Reading): string | null;
  /** Names of fields, at any depth, that identify a record without an id. */
  readonly lastingFields: ReadonlySet<string>;
}

/** Makes an item of each record of one answer. */
export function itemReader<Record_>(
  body: ExactJson,
  tolerance: Tolerance,
  decoder: RecordDecoder<Record_>,
  budget: RecordBudget,
): (record: unknown) => ListItem<Record_> {
  const { isUtf8 } = body;
  const reading: Reading = { ...body, tolerate: tolerance.tolerate };
  const { digest } = createContentDigest(body, budget.depth);

  const undecodable = (record: unknown, reason: string): ListItem<Record_> => {
    const shown = pruned(record, budget.depth);
    const raw = rawText(shown, body);
    const large = oversized(raw, budget);
    if (large !== null) return large;
    const key = isObject(record) ? identity(record, decoder, reading) : null;
    if (key !== null)
      return { kind: 'undecodable', key: bounded(key), hash: digest(shown, 'timestamp'), reason, raw };
    const hash = digest(lastingContent(shown, decoder.lastingFields));
    return { kind: 'undecodable', key: hash, hash, reason, raw };
  };

  return (record) => {
    if (!isObject(record)) return undecodable(record, 'the record is not an object');
    try {
      const raw = rawText(record, body);
      const large = oversized(raw, budget);
      if (large !== null) return large;
      const hash = digest(record, 'timestamp');
      if (!isUtf8 && raw.includes(notUtf8)) return undecodable(record, brokenText);
      const item = decoder.decode(record, { raw: compactJson(raw), hash }, reading);
      return fitsKey(item.key) ? item : undecodable(record, keyTooLong);
    } catch (error) {
      // A text of thousands of levels is a RangeError.
      if (error instanceof TooDeep || error instanceof RangeError)
        return undecodable(record, tooDeep(budget));
      if (error instanceof Undecodable) return undecodable(record, error.message);
      throw error;
    }
  };
}

const brokenText = 'the record holds bytes that are not UTF-8';
const tooDeep = ({ depth }: RecordBudget) =>
  `the record is nested deeper than ${depth} levels (CUSTODY_RECORD_DEPTH)`;
const keyTooLong = `its identifier is longer than ${longestKeyBytes} bytes`;

function identity<Record_>(
  record: JsonObject,
  decoder: RecordDecoder<Record_>,
  reading: Reading,
): string | null {
  try {
    // The deviations were counted when the record was decoded.
    return decoder.identify(record, { ...reading, tolerate: () => undefined });
  } catch (error) {
    if (error instanceof Undecodable) return null;
    throw error;
  }
}

function bounded(key: string): string {
  return fitsKey(key) ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/**
 * What identifies a record without an id in the next answer: its stable fields only, at any depth; if they
 * are all empty, every field but `timestamp`. An undocumented field may change with every request, as
 * `timestamp` does, and would make it look like a new record each time.
 */
function lastingContent(value: unknown, lastingFields: ReadonlySet<string>): unknown {
  const lasting = isObject(value) ? withFields(value, (name) => lastingFields.has(name)) : null;
  return hasContent(lasting) ? lasting : withFields(value, (name) => name !== 'timestamp');
}

function withFields(value: unknown, isKept: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => withFields(element, isKept));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => isKept(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withFields(member, isKept)]));
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasContent);
  return value !== null && value !== '';
}

export interface RecordBudget {
  /** The longest text of a record, in bytes. */
  readonly bytes: number;
  /** The most members and elements of a record, at any depth. */
  readonly members: number;
  /** The deepest nesting of a record. */
  readonly depth: number;
}

/** The most records that one answer may hold: those of the greatest page. */
export const mostRecords = 100_000;
const shownCharacters = 1_000;
const [quote, comma, openArray, openObject] = [0x22, 0x2c, 0x5b, 0x7b];

/**
 * The most members of an answer, at any depth: 16 MiB of transactions hold fewer. It is parsed at once, and a
 * million names that differ take almost a second.
 */
export function mostMembers({ members }: RecordBudget): number {
  return Math.max(700_000, members);
}

/** @returns null when the record with this text is within the budget */
function oversized(raw: string, budget: RecordBudget): UndecodableItem | null {
  const bytes = Buffer.byteLength(raw);
  if (bytes <= budget.bytes && !hasMoreMembers(raw, budget.members)) return null;
  const beginning = raw.slice(0, shownCharacters);
  const sha256 = createHash('sha256').update(raw).digest('hex');
  const reason =
    bytes > budget.bytes
      ? `the record is longer than ${budget.bytes} bytes (CUSTODY_RECORD_BYTES)`
      : `the record has more than ${budget.members} members (CUSTODY_RECORD_MEMBERS)`;
  // The same for the same record in the next answer.
  const key = createHash('sha256')
    .update(beginning.replace(/"timestamp"\s*:\s*"[^"]*"/g, ''))
    .digest('base64url');
  const marks = { mark: null, mayHoldUnstorable: true };
  return { kind: 'undecodable', key, hash: key, reason, raw: rawText({ beginning, bytes, sha256 }, marks) };
}

/** Whether a JSON text has more members and elements, at any depth. */
export function hasMoreMembers(text: string, most: number): boolean {
  // A member takes two characters at least.
  if (text.length <= 2 * most) return false;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === comma || code === openArray || code === openObject) members += 1;
  }
  return members > most;
}
