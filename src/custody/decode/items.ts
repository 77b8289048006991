// Makes the items of a page from the records of a list. A record that cannot be decoded is kept as text with
// the reason, and does not fail its page.
import { createHash } from 'node:crypto';
import { compactJson, type JsonObject } from '../../domain/json.ts';
import { type DecodedItem, fitsKey, type ListItem, longestKeyBytes } from '../../domain/page.ts';
import { createContentDigest, isObject, pruned, rawText, TooDeep } from './content.ts';
import type { ExactJson } from './exact-json.ts';
import { notUtf8, type Reading, Undecodable } from './fields.ts';
import { oversized, type RecordBudget } from './record-budget.ts';
import type { Tolerance } from './tolerance.ts';

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
  const { mark, isUtf8, mayHoldUnstorable } = body;
  const reading: Reading = { mark, isUtf8, mayHoldUnstorable, tolerate: tolerance.tolerate };
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
