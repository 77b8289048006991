// Many rows in one statement: each column travels as one array, which the server spreads into rows. This has
// no limit of parameters and costs a fraction of a list of values.
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Micros } from './micros.ts';

// Arrays as parameters in PostgreSQL's binary format, which needs neither quoting here nor parsing there. For
// pages of records this halves the cost that a write has beyond COPY.

type Element = 'text' | 'jsonb' | 'timestamptz' | 'integer';

/** The identifiers of PostgreSQL's built-in types, which never change. */
const typeIds: Readonly<Record<Element, number>> = {
  text: 25,
  jsonb: 3802,
  timestamptz: 1184,
  integer: 23,
};
const headerBytes = 20;
/** 2000-01-01T00:00:00Z, from which PostgreSQL counts. */
const postgresEpoch: Micros = 946_684_800_000_000;
/** First byte of jsonb in binary form; the text follows. */
const jsonbVersion = 1;

/** Up to this length a loop over the characters is faster than a call of the runtime's encoder. */
const shortText = 24;

/** A parameter of type `text[]` or `jsonb[]`. */
export function textArray(values: readonly (string | null)[], type: 'text' | 'jsonb' = 'text'): SQL {
  const prefix = type === 'jsonb' ? 1 : 0;
  let size = headerBytes;
  for (let i = 0; i < values.length; i += 1) size += 4 + prefix + mostBytes(values[i] ?? '');
  const buffer = startArray(type, values.length, size);
  let at = headerBytes;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? null;
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    if (prefix === 1) buffer[at + 4] = jsonbVersion;
    const end = writeText(buffer, value, at + 4 + prefix);
    buffer.writeInt32BE(end - at - 4, at);
    at = end;
  }
  return parameter(buffer.subarray(0, at), type);
}

function mostBytes(text: string): number {
  // A UTF-16 unit takes three bytes at most. For long texts the exact count saves memory.
  return text.length > shortText ? Buffer.byteLength(text) : 3 * text.length;
}

/** @returns where the text ends */
function writeText(buffer: Buffer, text: string, start: number): number {
  if (text.length <= shortText) {
    let at = start;
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return start + buffer.write(text, start);
      buffer[at] = unit;
      at += 1;
    }
    return at;
  }
  return start + buffer.write(text, start);
}

/** A parameter of type `timestamptz[]`. */
function momentArray(values: readonly (Micros | null)[]): SQL {
  return fixedArray(values, 'timestamptz', 8, (buffer, value, at) =>
    buffer.writeBigInt64BE(BigInt(value - postgresEpoch), at),
  );
}

/** A parameter of type `integer[]`. */
function integerArray(values: readonly (number | null)[]): SQL {
  return fixedArray(values, 'integer', 4, (buffer, value, at) => buffer.writeInt32BE(value, at));
}

function fixedArray(
  values: readonly (number | null)[],
  type: Element,
  width: number,
  write: (buffer: Buffer, value: number, at: number) => number,
): SQL {
  const present = values.reduce<number>((count, value) => count + (value === null ? 0 : 1), 0);
  const buffer = startArray(type, values.length, headerBytes + 4 * values.length + width * present);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : width, at);
    if (value !== null) at = write(buffer, value, at);
  }
  return parameter(buffer, type);
}

function startArray(type: Element, length: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let at = buffer.writeInt32BE(1, 0); // dimensions
  at = buffer.writeInt32BE(1, at); // may hold nulls
  at = buffer.writeInt32BE(typeIds[type], at);
  at = buffer.writeInt32BE(length, at);
  buffer.writeInt32BE(1, at); // lower bound
  return buffer;
}

function parameter(buffer: Buffer, type: Element): SQL {
  return sql`${sql.param(buffer)}::${sql.raw(type)}[]`;
}

/**
 * The values of one column, one per row. Text is cast to the column's type. Numbers are microseconds in a
 * column of moments, and integers in one of integers.
 */
type ColumnValues = readonly (string | null)[] | readonly (number | null)[];

type Columns<Row, Member extends keyof Row> = { readonly [Name in Member]: readonly Row[Name][] };

/** The named members of the rows as columns. */
export function columnsOf<Row, const Member extends keyof Row>(
  rows: readonly Row[],
  members: readonly Member[],
): Columns<Row, Member> {
  const columns = Object.fromEntries(members.map((name) => [name, rows.map((row) => row[name])]));
  if (!hasMembers<Columns<Row, Member>>(columns, members)) throw new TypeError('a column was not built');
  return columns;
}

function hasMembers<Shape extends object>(found: object, names: readonly PropertyKey[]): found is Shape {
  return names.every((name) => name in found);
}

/**
 * Rows of a table by the members of its columns, for a statement of this form:
 * `insert into … (account_id, ${names}) select ${account}, r.* from ${rows} as r`. An upsert sets
 * `(${names}) = row(${excluded})`.
 */
export function rowsOf<Table extends PgTable>(
  table: Table,
  values: { readonly [Column in keyof Table['$inferInsert']]?: ColumnValues },
): Readonly<Record<'names' | 'excluded' | 'rows', SQL>> {
  const columns = getTableColumns(table);
  const given = Object.entries<ColumnValues | undefined>(values).map(([member, column]) => {
    const found = columns[member];
    if (found === undefined || column === undefined) throw new TypeError(`no column ${member}`);
    const name = sql.identifier(found.name);
    // In a select list the arrays advance together; in a from clause the server would store each of them
    // whole first.
    return { name, spread: sql`${spread(column, found.getSQLType())} as ${name}` };
  });
  return {
    names: join(given.map(({ name }) => sql`${name}`)),
    excluded: join(given.map(({ name }) => sql`excluded.${name}`)),
    rows: sql`(select ${join(given.map(({ spread }) => spread))})`,
  };
}

/** One array, spread into rows, whose elements have the type of the column. */
function spread(values: ColumnValues, type: string): SQL {
  if (isNumbers(values))
    return sql`unnest(${type === 'integer' ? integerArray(values) : momentArray(values)})`;
  if (type === 'jsonb') return sql`unnest(${textArray(values, 'jsonb')})`;
  return sql`unnest(${textArray(values)})::${sql.raw(type)}`;
}

/** A `text[]` in PostgreSQL's text form, for a column of arrays. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join()}}`;
}

/** `set` for an upsert: every column but the kept ones takes the value that the insert proposed. */
export function excludedColumns(table: PgTable, kept: readonly string[]): Record<string, SQL> {
  const entries = Object.entries(getTableColumns(table)).filter(([key]) => !kept.includes(key));
  return Object.fromEntries(
    entries.map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

function isNumbers(
  values: readonly (string | null)[] | readonly (number | null)[],
): values is readonly (number | null)[] {
  for (const value of values) if (value !== null) return typeof value === 'number';
  return false;
}

function join(parts: SQL[]): SQL {
  return sql.join(parts, sql`, `);
}
