// Declares the lists of the read API. Kinds and meanings of columns are those of the database, conditions
// follow from the names of filters, and what is the same for most lists is left out.
import { sql } from 'drizzle-orm';
import { inlinedLiteral } from '../../postgres/inlined-literal.ts';
import { type Columns, columnsOf } from './columns.ts';
import type { Condition, List, Listing, Selection } from './listing.ts';
import { amount, day, moment, type Parameter, type Parameters, text } from './parameter-kinds.ts';

interface Declared
  extends Omit<Listing, 'columns' | 'from' | 'filters' | 'defaultOrder' | 'describedBy'>,
    Partial<Pick<Listing, 'from' | 'defaultOrder'>> {
  /** Names of columns, those with `!` that are never null: of views, no catalogue knows it. */
  readonly columns: string;
  /** Of columns that are made of those of the view. */
  readonly kinds?: Columns;
  readonly filters?: Parameters;
  /** Arguments, where the view is a function that has all the rows. */
  readonly given?: Given;
  /** The view with the meanings of its columns, if not its own. */
  readonly describedBy?: string;
  /** Where the condition of a filter does not follow from its name. */
  readonly conditions?: Conditions;
}

export type Given = (asked: Omit<Selection, 'order'>) => readonly (string | null | undefined)[];
export type Conditions = Readonly<Record<string, Partial<Condition>>>;

/** In what the list as it was known at a moment differs. */
interface Past
  extends Partial<
      Pick<
        Declared,
        'view' | 'describedBy' | 'columns' | 'from' | 'given' | 'orders' | 'conditions' | 'planHint'
      >
    >,
    Pick<NonNullable<List['past']>, 'row' | 'of'> {
  /** Filters that only the present has. */
  readonly without?: readonly string[];
}

type DeclaredRoute = Declared & Omit<List, keyof Listing | 'past'> & { readonly past?: Past };

/**
 * Without `from`, it has the account's rows of its view; the first order is the default.
 */
export function listing(declared: Declared): Listing {
  const { columns: names, kinds, filters = {}, conditions = {}, given, ...rest } = declared;
  const [firstOrder = ''] = Object.keys(rest.orders);
  const columns = columnsOf(rest.view, names, kinds);
  const conditionsByName = Object.entries(filters).map(([name, parameter]) => [
    name,
    { ...parameter, ...conditionOf(name, parameter, columns), ...conditions[name] },
  ]);
  return {
    from: given === undefined ? ownRows(rest.view) : (asked) => calling(rest.view, given(asked)),
    describedBy: rest.view,
    defaultOrder: firstOrder,
    ...rest,
    columns,
    filters: Object.fromEntries(conditionsByName),
  };
}

/** A list with a route of its own. */
export function list({ past, ...declared }: DeclaredRoute): List {
  const { id, path, summary, description, row, isOverAccounts, exists, ...present } = declared;
  const route = { id, path, summary, row };
  return {
    ...route,
    ...(description === undefined ? {} : { description }),
    ...(isOverAccounts === undefined ? {} : { isOverAccounts }),
    ...(exists === undefined ? {} : { exists }),
    ...(listing(present) as Pick<List, keyof Listing>),
    ...(past === undefined ? {} : { past: pastOf(present, past) }),
  };
}

function pastOf(present: Declared, { row, of, without = [], ...different }: Past): NonNullable<List['past']> {
  const filters = Object.entries(present.filters ?? {}).filter(([name]) => !without.includes(name));
  const past = { ...present, name: `${present.name}-at`, ...different, filters: Object.fromEntries(filters) };
  return { listing: listing(past), row, of };
}

/**
 * A filter compares the column of its name; one whose name ends with `_from` or `_to` bounds it: days and
 * amounts up to and including the bound, moments before it.
 */
function conditionOf(name: string, { reads }: Parameter, columns: Columns): Condition {
  const [, bounded, end] = /^(.+)_(from|to)$/.exec(name) ?? [];
  if (bounded === undefined) return { column: name, is: '=' };
  const column = Object.hasOwn(columns, `${bounded}_at`) ? `${bounded}_at` : bounded;
  return { column, is: end === 'from' ? '>=' : reads === 'moment' ? '<' : '<=' };
}

/** The rows of an account in a table or view. */
function ownRows(table: string): Listing['from'] {
  return ({ account }) => ({
    item: sql`${sql.raw(table)} as v`,
    where: sql`v.account_id = ${inlinedLiteral(account)}`,
  });
}

/** The rows of a function, whose arguments are null where nothing was asked. */
export function calling(name: string, given: ReturnType<Given>): ReturnType<Listing['from']> {
  const list = given.map((value) => sql`${value ?? null}`);
  return { item: sql`${sql.raw(name)}(${sql.join(list, sql`, `)}) as v` };
}

/** A report computed day by day: planning it takes longer than reading the rows of a span. */
export const ofDays = {
  defaultOrder: '-day',
  spannedBy: { column: 'day', from: 'day_from', to: 'day_to' },
  planHint: 'once',
} as const satisfies Partial<Listing>;

/** The filters of such a report: its first and last day, both inclusive. */
export const days = {
  day_from: day("Only this day and later ones, in the account's time zone."),
  day_to: day("Only this day and earlier ones, in the account's time zone."),
};
export const asset = { asset_id: text('Only this asset.', 'BTC') };
export const network = { network_id: text('Only this network; empty if the service names none.', 'BTC') };

/** The filters `…_from` (inclusive) and `…_to` (exclusive) of moments. */
export function period(name: string, what: string, at: 'at' | 'of' = 'at'): Parameters {
  return {
    [`${name}_from`]: moment(`Only ${what} ${at} this moment or later.`),
    [`${name}_to`]: moment(`Only ${what} before this moment.`),
  };
}

/** The filters `…_from` and `…_to` of amounts, both inclusive. */
export function range(name: string, what: string, more = ''): Parameters {
  return {
    [`${name}_from`]: amount(`Only ${what} of at least this.${more}`),
    [`${name}_to`]: amount(`Only ${what} of at most this.${more}`),
  };
}

/** Conditions of filters with which the rows are made. */
export function within(...filters: readonly string[]): Conditions {
  return Object.fromEntries(filters.map((filter) => [filter, { is: 'within' }]));
}
