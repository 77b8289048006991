// Reads fields of foreign JSON as domain values: single ones, and those of a record as the table of its kind
// says (domain/fields.ts). A reader reports each unambiguous deviation, and throws `Undecodable` if it would
// have to guess. Readers of records are built once at startup: a first sweep decodes millions of them.
import type { Metrics } from '../../base/metrics.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { EndpointName } from '../../domain/endpoint.ts';
import { type Field, type Fields, placeOf, type Values } from '../../domain/fields.ts';
import { isInCalendar } from '../../domain/instant.ts';
import { isStorable, type JsonObject, storableText } from '../../domain/json.ts';
import type { ExactJson } from './exact-json.ts';

// The deviations from the documented interface that the client accepts. The set is closed, so that it can
// label a metric.
const deviations = [
  // Envelopes
  'invalid-utf8',
  'content-type-missing',
  'list-bare',
  'list-single',
  'list-empty',
  'list-renamed',
  'record-bare',
  // Fields of any record
  'amount-empty',
  'amount-form',
  'amount-number',
  'id-alias',
  'id-composed',
  'id-from-content',
  'text-boolean',
  'text-number',
  'text-structured',
  'text-unstorable',
  'timestamp-unreadable',
  'timestamp-without-offset',
  // Transactions
  'changepool',
  'destination-unreadable',
  'source-unreadable',
  'stakepool',
  'transaction-flat',
  'transaction-missing',
  'vault-id-alias',
  // Balances
  'balances-array',
  'balances-flat',
  'balances-missing',
] as const;
export type Deviation = (typeof deviations)[number];

export type Tolerance = ReturnType<typeof createTolerance>;

export function createTolerance(endpoint: EndpointName, metrics: Metrics) {
  const counts = new Map<Deviation, number>();
  return {
    tolerate(deviation: Deviation): void {
      counts.set(deviation, (counts.get(deviation) ?? 0) + 1);
    },
    /** Adds the counts to the metric; called once for each page. */
    flush(): void {
      for (const [deviation, count] of counts) metrics.tolerated.inc({ endpoint, deviation }, count);
      counts.clear();
    },
  };
}

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
function readText(object: JsonObject, name: string, reading: Reading): string | null {
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
 * Digits before the decimal point, and after it. numeric holds far more, but not the products and sums of
 * such amounts: every report on them would fail. At any price in asset_prices, their values fit a double.
 */
const maxDigits = 200;

/**
 * An amount (docs/custody-service.md 2: decimal text); null when it is absent, null or empty.
 *
 * @throws Undecodable when it is not an amount: NaN, Infinity, words, or too many digits
 */
function readAmount(object: JsonObject, name: string, reading: Reading): Decimal | null {
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

type ReadField = (object: JsonObject, reading: Reading) => string | null;

const kinds = { identity: readIdentity, text: readText, amount: readAmount, moment: readTimestamp };

/**
 * Field names that occur only in the published samples. The field names of documents are not published at
 * all.
 */
const aliasDeviations: ReadonlyMap<string, Deviation> = new Map([
  ['id', 'id-alias'],
  ['vault_id', 'vault-id-alias'],
]);

/** The objects within a record that hold fields, by their paths. */
export type Holders = Readonly<Record<string, JsonObject>>;

/**
 * Builds the reader of all fields of a table: first those of the record itself, then those of nested objects.
 *
 * @param open finds these objects
 * @param others names of further members, whose values are given with each record
 * @param makeReader makes the reader of one field
 */
export function tableReader<Table extends Fields, Other extends string = never>(
  table: Table,
  open: (record: JsonObject, reading: Reading) => Holders,
  others: readonly Other[] = [],
  makeReader: (field: Field) => ReadField = fieldReader,
): (
  record: JsonObject,
  reading: Reading,
  given: Readonly<Record<Other, string>>,
) => Values<Table> & Readonly<Record<Other, string>> {
  const fields = Object.entries<Field>(table).map(([name, field]) => ({
    name,
    holder: placeOf(field).holder,
    read: makeReader(field),
  }));
  const own = fields.filter(({ holder }) => holder === '');
  const nested = fields.filter(({ holder }) => holder !== '');
  // A copy of a JSON.parse result has a slot for each member. An object that grows member by member becomes a
  // hash table, which costs more than all the decoding.
  const members = [...fields.map(({ name }) => name), ...others].map((name) => [name, null]);
  const empty: Record<string, string | null> = JSON.parse(JSON.stringify(Object.fromEntries(members)));
  return (record, reading, given) => {
    const values = { ...empty };
    for (const { name, read } of own) values[name] = read(record, reading);
    const holders = open(record, reading);
    for (const { name, holder, read } of nested) values[name] = read(holders[holder] ?? {}, reading);
    for (const name of others) values[name] = given[name];
    // Each field of the table was read by its kind, and the object holds nothing else but the given values.
    return values as Values<Table> & Readonly<Record<Other, string>>;
  };
}

/** The reader throws `Undecodable` where a required field is absent or empty. */
export function fieldReader(field: Field): ReadField {
  const { kind, aliases = [], required = false, spelling, absent = null } = field;
  const { name } = placeOf(field);
  const read = kinds[kind];
  const isGiven = (value: string | null) => value !== null && !(required && value === '');
  return (object, reading) => {
    let value = read(object, name, reading);
    for (const alias of aliases) {
      if (isGiven(value)) break;
      value = read(object, alias, reading);
      const deviation = aliasDeviations.get(alias);
      if (deviation !== undefined && isGiven(value)) reading.tolerate(deviation);
    }
    if (required && !isGiven(value)) throw new Undecodable(`the record has no ${name}`);
    if (value === spelling?.sent) {
      reading.tolerate(spelling.sent);
      return spelling.meant;
    }
    return value ?? absent;
  };
}

/** For records that are not documented: reads the first of the names that has a text. */
export function firstTextReader(field: Field): ReadField {
  const names = [placeOf(field).name, ...(field.aliases ?? [])];
  return (object, reading) => {
    const name = names.find((each) => typeof object[each] === 'string');
    return name === undefined ? null : kinds[field.kind](object, name, reading);
  };
}

/** The names of the fields that identify a record without an id, and of the objects that hold them. */
export function lastingNames(...tables: readonly Fields[]): readonly string[] {
  const lasting = tables.flatMap((table) => Object.values(table)).filter(({ varies }) => !varies);
  return lasting.flatMap(({ path, aliases = [] }) => [...path.split('.'), ...aliases]);
}
