// Many rows in one statement, whatever their number: each column travels as one array and is spread out by the server
// (`insert … select … from unnest(…)`), which costs half of what a list of values does and has no limit of parameters.
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** The values of one column: one per row as text in PostgreSQL's own notation, or one expression for all rows. */
export type ColumnValues = readonly (string | null)[] | SQL;

/**
 * What to give to `db.insert(table).select(…)`: rows of the table made of arrays of equal length. Every column must be given
 * that the table has, because drizzle's insert names them all.
 */
export function selectRows<Table extends PgTable>(
  table: Table,
  values: { readonly [Column in keyof Table['$inferSelect']]: ColumnValues },
): SQL {
  const expressions: SQL[] = [];
  const arrays: SQL[] = [];
  const names: SQL[] = [];
  const given: Readonly<Record<string, ColumnValues>> = values;
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = given[key];
    if (value === undefined) throw new TypeError(`column ${column.name} has no values`);
    if (!isArray(value)) {
      expressions.push(value);
      continue;
    }
    const type = column.getSQLType();
    const name = sql`r.${sql.identifier(column.name)}`;
    // Arrays of arrays cannot be spread out by one level; such a column travels as text.
    const nested = type.endsWith('[]');
    arrays.push(arrayOf(value, nested ? 'text' : type));
    names.push(sql`${sql.identifier(column.name)}`);
    expressions.push(nested ? sql`${name}::${sql.raw(type)}` : name);
  }
  return sql`select ${join(expressions)} from unnest(${join(arrays)}) as r(${join(names)})`;
}

/** An array parameter of the given element type. */
export function arrayOf(values: readonly (string | null)[], type = 'text'): SQL {
  return sql`${arrayLiteral(values)}::${sql.raw(type)}[]`;
}

const special = /["\\]/;

/** PostgreSQL's text form of an array; cheaper than the driver's, which looks for nested arrays and dates. */
export function arrayLiteral(values: readonly (string | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) literal += ',';
    if (value === null || value === undefined) literal += 'NULL';
    else literal += special.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
  }
  return `${literal}}`;
}

/** `set` for an upsert that takes every column but the named ones from the row that was proposed. */
export function excludedColumns(table: PgTable, kept: readonly string[]): Record<string, SQL> {
  const entries = Object.entries(getTableColumns(table)).filter(([key]) => !kept.includes(key));
  return Object.fromEntries(
    entries.map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

function isArray(value: ColumnValues): value is readonly (string | null)[] {
  return Array.isArray(value);
}

function join(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}
