// The columns of the fields that are read from the service, as their table says (domain/fields.ts).
import type { NotNull } from 'drizzle-orm';
import { text } from 'drizzle-orm/pg-core';
import { columnOf, type Field, type Fields } from '../src/domain/fields.ts';
import { amount, moment } from './schemas.ts';

const words = (name: string) => text(name);
const kinds = { identity: words, text: words, amount, moment };

type Kind<One extends Field> = ReturnType<(typeof kinds)[One['kind']]>;
type Column<One extends Field> = One extends { readonly required: true } | { readonly absent: string }
  ? NotNull<Kind<One>>
  : Kind<One>;

export function fieldColumns<Table extends Fields>(
  table: Table,
): { [Name in keyof Table]: Column<Table[Name]> } {
  const columns = Object.entries<Field>(table).map(([field, { kind, required, absent }]) => {
    const column = kinds[kind](columnOf(field));
    return [field, required || absent !== undefined ? column.notNull() : column];
  });
  return Object.fromEntries(columns);
}
