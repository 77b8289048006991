// Describes lists of the read API: what is the same for most of them is left out of their descriptions.
import { sql } from 'drizzle-orm';
import type { Fields } from '../../../domain/field.ts';
import { inlinedLiteral } from '../../postgres/inlined-literal.ts';
import { byColumn } from './columns.ts';
import type { Filter, Listing } from './listing.ts';

type Described = Omit<Listing, 'from' | 'defaultOrder'> & Partial<Pick<Listing, 'from' | 'defaultOrder'>>;

/**
 * Without `from`, it has the account's rows of the relation that describes its columns; the first order is
 * the default.
 */
export function listOf(described: Described): Listing {
  const [firstOrder = ''] = Object.keys(described.orders);
  return { from: ownRows(described.describedBy), defaultOrder: firstOrder, ...described };
}

/** The rows of an account in a table or view. */
function ownRows(table: string): Listing['from'] {
  return ({ account }) => ({
    item: sql`${sql.raw(table)} as v`,
    where: sql`v.account_id = ${inlinedLiteral(account)}`,
  });
}

/** A report computed day by day: planning it takes longer than reading the rows of a span. */
export const ofDays = {
  defaultOrder: '-day',
  spannedBy: { column: 'day', from: 'day_from', to: 'day_to' },
  planHint: 'once',
} as const satisfies Partial<Listing>;

/** The filters of such a report: its first and last day, both inclusive. */
export const days = {
  day_from: { column: 'day', is: '>=' },
  day_to: { column: 'day', is: '<=' },
} as const satisfies Record<string, Filter>;

/** Filters named after the columns that they compare. */
export function equal(...columns: readonly string[]): Readonly<Record<string, Filter>> {
  return Object.fromEntries(columns.map((column) => [column, { column, is: '=' }]));
}

/** The filters `…_from` (inclusive) and `…_to` (exclusive) of a column of moments. */
export function period(name: string, column = `${name}_at`): Readonly<Record<string, Filter>> {
  return { [`${name}_from`]: { column, is: '>=' }, [`${name}_to`]: { column, is: '<' } };
}

/** A filter for each field by which readers may filter. */
export function fieldFilters(table: Fields): Readonly<Record<string, Filter>> {
  return byColumn<Filter>(table, ({ filter }, column) => (filter === undefined ? null : { column, is: '=' }));
}
