// Many rows in one statement, whatever their number: each column travels as one array and is spread out by the server, which
// has no limit of parameters and costs a fraction of what a list of values does.
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { integerArray, momentArray, textArray } from './binary-array.ts';

/**
 * The values of one column: one expression for all rows, in which `r` is the row of those given by value, or one value per row. Text is cast to the column's type; numbers are
 * microseconds in a column of moments and integers in one of integers.
 */
export type ColumnValues = SQL | readonly (string | null)[] | readonly (number | null)[];

/**
 * What to give to `db.insert(table).select(…)`: rows of the table made of arrays of equal length. Every column must be given
 * that the table has, because drizzle's insert names them all.
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
    if (!isArray(value)) {
      expressions.push(value);
      continue;
    }
    const type = column.getSQLType();
    const { array, isTyped } = arrayOf(value, type);
    const name = sql.identifier(column.name);
    // Set-returning functions of one select list advance together and store nothing in between; in a from clause each
    // would be stored whole first.
    spread.push(sql`unnest(${array}) as ${name}`);
    expressions.push(isTyped ? sql`r.${name}` : sql`r.${name}::${sql.raw(type)}`);
  }
  return sql`select ${join(expressions)} from (select ${join(spread)}) as r`;
}

function arrayOf(values: readonly (string | number | null)[], type: string) {
  if (isNumbers(values)) {
    return { array: type === 'integer' ? integerArray(values) : momentArray(values), isTyped: true };
  }
  const texts = values.filter((value) => typeof value !== 'number');
  if (type === 'jsonb') return { array: textArray(texts, 'jsonb'), isTyped: true };
  return { array: textArray(texts), isTyped: type === 'text' };
}

/**
 * The statement that adds rows made of arrays of equal length to a table that numbers its rows itself. Drizzle's insert from a
 * select would name the numbering column as well, which takes no value.
 */
export function appendRows<Table extends PgTable>(
  table: Table,
  values: { readonly [Column in keyof Table['$inferInsert']]-?: ColumnValues },
): SQL {
  const columns = writtenColumns(table).map(([, column]) => sql.identifier(column.name));
  return sql`insert into ${table} (${sql.join(columns, sql`, `)}) ${spreadRows(table, values)}`;
}

/** All but those whose values the database draws. */
function writtenColumns(table: PgTable) {
  return Object.entries(getTableColumns(table)).filter(
    ([, column]) => column.generatedIdentity?.type !== 'always',
  );
}

/** A `text[]` in PostgreSQL's text form, for an array within an array. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join()}}`;
}

/** `set` for an upsert that takes every column but the named ones from the row that was proposed. */
export function excludedColumns(table: PgTable, kept: readonly string[]): Record<string, SQL> {
  const entries = Object.entries(getTableColumns(table)).filter(([key]) => !kept.includes(key));
  return Object.fromEntries(
    entries.map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

function isArray(value: ColumnValues): value is Exclude<ColumnValues, SQL> {
  return Array.isArray(value);
}

function isNumbers(values: readonly (string | number | null)[]): values is readonly (number | null)[] {
  const sample = values.find((value) => value !== null);
  return typeof sample === 'number';
}

function join(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}
