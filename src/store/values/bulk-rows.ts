// Many rows in one statement: each column travels as one array, which the server spreads into rows. This has
// no limit of parameters and costs a fraction of a list of values.
import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { integerArray, momentArray, textArray } from './binary-array.ts';

/**
 * The values of one column: one value per row, or one expression for all rows, in which `r` is the row of the
 * values given. Text is cast to the column's type. Numbers are microseconds in a column of moments, and
 * integers in one of integers.
 */
export type ColumnValues = SQL | readonly (string | null)[] | readonly (number | null)[];

type Columns<Row, Member extends keyof Row> = { readonly [Name in Member]: readonly Row[Name][] };

/** The named members of the rows as columns, to be spread into the values of `selectRows` or `appendRows`. */
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
 * The rows for `db.insert(table).select(…)`. Every column needs values, because drizzle's insert names them
 * all.
 */
export function selectRows<Table extends PgTable>(
  table: Table,
  values: { readonly [Column in keyof Table['$inferSelect']]: ColumnValues },
): SQL {
  return spreadRows(table, values);
}

function spreadRows(table: PgTable, given: Readonly<Record<string, ColumnValues>>): SQL {
  const expressions: SQL[] = [];
  const spread: SQL[] = [];
  for (const [key, column] of writtenColumns(table)) {
    const value = given[key];
    if (value === undefined) throw new TypeError(`column ${column.name} has no values`);
    if (is(value, SQL)) {
      expressions.push(value);
      continue;
    }
    const type = column.getSQLType();
    const { array, isTyped } = encodeColumn(value, type);
    const name = sql.identifier(column.name);
    // In a select list the arrays advance together; in a from clause the server would store each of them
    // whole first.
    spread.push(sql`unnest(${array}) as ${name}`);
    expressions.push(isTyped ? sql`r.${name}` : sql`r.${name}::${sql.raw(type)}`);
  }
  return sql`select ${join(expressions)} from (select ${join(spread)}) as r`;
}

/** The array that is sent, and whether its elements have the type of the column. */
function encodeColumn(values: Exclude<ColumnValues, SQL>, type: string) {
  if (isNumbers(values)) {
    return { array: type === 'integer' ? integerArray(values) : momentArray(values), isTyped: true };
  }
  if (type === 'jsonb') return { array: textArray(values, 'jsonb'), isTyped: true };
  return { array: textArray(values), isTyped: type === 'text' };
}

/**
 * The statement that adds rows to a table that numbers its rows itself. Drizzle's insert from a select would
 * name the numbering column as well, which takes no value.
 */
export function appendRows<Table extends PgTable>(
  table: Table,
  values: { readonly [Column in Exclude<keyof Table['$inferInsert'], 'changeId'>]-?: ColumnValues },
): SQL {
  const columns = writtenColumns(table).map(([, column]) => sql.identifier(column.name));
  return sql`insert into ${table} (${sql.join(columns, sql`, `)}) ${spreadRows(table, values)}`;
}

/** All columns but those whose values the database generates. */
function writtenColumns(table: PgTable) {
  return Object.entries(getTableColumns(table)).filter(([, column]) => !isNumbered(column));
}

function isNumbered({ generatedIdentity, name }: PgColumn): boolean {
  return generatedIdentity?.type === 'always' || name === 'change_id';
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

function join(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}
