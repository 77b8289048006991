// The columns and filters of a list that are fields of a record, as their table says (domain/fields.ts).
import { columnOf, type Field, type Fields } from '../../../domain/fields.ts';
import type { Columns } from './columns.ts';
import type { Filter } from './listing.ts';

/** One entry for each field, by its column; what a view works out of a field follows it. */
export function byColumn<Value>(
  table: Fields,
  make: (field: Field, column: string) => Value | null,
  after: Readonly<Record<string, Readonly<Record<string, Value>>>> = {},
): Record<string, Value> {
  const entries = Object.entries(table).flatMap(([name, field]) => {
    const column = columnOf(name);
    const value = make(field, column);
    return [...(value === null ? [] : [[column, value] as const]), ...Object.entries(after[column] ?? {})];
  });
  return Object.fromEntries(entries);
}

export function fieldColumns(table: Fields, after: Readonly<Record<string, Columns>> = {}): Columns {
  return byColumn<Columns[string]>(table, kindOfField, after);
}

function kindOfField({ kind, required, absent }: Field): Columns[string] {
  const shown = kind === 'identity' ? 'text' : kind;
  return required || absent !== undefined ? `${shown}!` : shown;
}

/** A filter by each field that readers may ask for. */
export function fieldFilters(table: Fields): Record<string, Filter> {
  return byColumn<Filter>(table, ({ filter }, column) => (filter === undefined ? null : { column, is: '=' }));
}
