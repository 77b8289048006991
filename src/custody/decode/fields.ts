// Reads single fields of foreign JSON as domain values. A reader reports each unambiguous deviation, and
// throws `Undecodable` if it would have to guess.
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { isInCalendar } from '../../domain/instant.ts';
import { isStorable, type JsonObject, storableText } from '../../domain/json.ts';
import type { ExactJson } from './exact-json.ts';
import type { Deviation } from './tolerance.ts';

/** How the current page is read. */
export interface Reading extends Pick<ExactJson, 'mark' | 'isUtf8' | 'mayHoldUnstorable'> {
  tolerate(deviation: Deviation): void;
}

/** Stands for bytes that were not UTF-8; in the answer that holds such bytes, nothing else is taken for it. */
export const notUtf8 = '\ufffd';

/** The record cannot be decoded; the message is the reason that is stored with it. */
export class Undecodable extends Error {}

/** The source text of a number; null for any other value. */
export function numberText(value: unknown, { mark }: Pick<Reading, 'mark'>): string | null {
  return mark !== null && typeof value === 'string' && value.startsWith(mark)
    ? value.slice(mark.length)
    : null;
}

/** The text of a field; null when it is absent, null, an array or an object. */
export function readText(object: JsonObject, name: string, reading: Reading): string | null {
  const text = readExactText(object, name, reading);
  if (text === null || !reading.mayHoldUnstorable || isStorable(text)) return text;
  reading.tolerate('text-unstorable');
  return storableText(text);
}

/**
 * The text of a field that identifies something.
 *
 * @throws Undecodable when PostgreSQL could store it only in another form, which might equal that of another
 *   record
 */
export function readIdentity(object: JsonObject, name: string, reading: Reading): string | null {
  const text = readExactText(object, name, reading);
  if (text !== null && !reading.isUtf8 && text.includes(notUtf8))
    throw new Undecodable(`${name} holds bytes that are not UTF-8`);
  if (text !== null && reading.mayHoldUnstorable && !isStorable(text))
    throw new Undecodable(`${name} holds U+0000 or a lone surrogate`);
  return text;
}

function readExactText(object: JsonObject, name: string, reading: Reading): string | null {
  if (!Object.hasOwn(object, name)) return null;
  const value: unknown = object[name];
  if (typeof value === 'string') {
    const number = numberText(value, reading);
    if (number === null) return value;
    reading.tolerate('text-number');
    // As PostgreSQL writes it, so that the stored record gives the same text.
    return parseDecimal(number)?.value ?? number;
  }
  if (value === null || value === undefined) return null;
  reading.tolerate(typeof value === 'boolean' ? 'text-boolean' : 'text-structured');
  return typeof value === 'boolean' ? String(value) : null;
}

/**
 * Digits before the decimal point, and after it. numeric holds far more, but not the products and sums of such
 * amounts: every report on them would fail. At any price that asset_prices takes, these are worth a double.
 */
const maxDigits = 200;

/**
 * An amount (docs/custody-service.md 2: decimal text); null when it is absent, null or empty.
 *
 * @throws Undecodable when it is not an amount: NaN, Infinity, words, or too many digits
 */
export function readAmount(object: JsonObject, name: string, reading: Reading): Decimal | null {
  const value: unknown = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new Undecodable(`${name} is not decimal text`);
  const number = numberText(value, reading);
  const text = (number ?? value).trim();
  if (number !== null) reading.tolerate('amount-number');
  if (text === '') {
    reading.tolerate('amount-empty');
    return null;
  }
  const decimal = parseDecimal(text);
  if (
    decimal === null ||
    decimal.value
      .replace('-', '')
      .split('.')
      .some(({ length }) => length > maxDigits)
  )
    throw new Undecodable(`${name} is not an amount: ${JSON.stringify(shortened(text))}`);
  if (number === null && (!decimal.exactForm || text !== value)) reading.tolerate('amount-form');
  return decimal.value;
}

function shortened(text: string): string {
  return text.length <= 40 ? storableText(text) : `${storableText(text.slice(0, 40))}…`;
}

const dateTime =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i;

/**
 * An ISO 8601 date-time with an offset (`Z` is added where there is none); null when it is absent or
 * unreadable.
 */
export function readTimestamp(object: JsonObject, name: string, reading: Reading): string | null {
  const value: unknown = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === null || value === undefined || value === '') return null;
  const match = typeof value === 'string' ? dateTime.exec(value) : null;
  if (typeof value !== 'string' || match === null || !isInCalendar(match[1] ?? '')) {
    reading.tolerate('timestamp-unreadable');
    return null;
  }
  if (match[3] !== undefined) return value;
  reading.tolerate('timestamp-without-offset');
  return `${value}Z`;
}
