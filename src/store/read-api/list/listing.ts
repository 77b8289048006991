// A list of the read API: where its rows come from, its columns, filters and orders. Pages and CSV are made
// from the same description, and so is what the reference says of it.
import { type SQL, sql } from 'drizzle-orm';
import type { PlanHint, Tx } from '../../postgres/transaction.ts';
import { type Columns, castTo, kindOf, valueFor } from './columns.ts';
import type { Parameter } from './parameter-kinds.ts';

/** Whose rows, and as they were known when. */
export interface Scope {
  readonly account: string;
  /** RFC 3339 in UTC; for balances also a day, YYYY-MM-DD, for its close; null for now. */
  readonly at: string | null;
}

/**
 * A condition by one column, which need not be shown: then it is text. `=` for booleans is the column itself
 * or its negation, as indexes want it, and `unknown` finds its nulls; `within` is no condition: the rows are
 * made with it (`from`).
 */
export interface Condition {
  readonly column: string;
  readonly is: '=' | '>=' | '<=' | '<' | '>' | 'not null' | 'within';
  /** A condition that an index serves, instead of one on the column itself; null if that is as good. */
  readonly by?: (selection: Selection, value: string) => SQL | null;
}

export interface Sums {
  readonly of: readonly string[];
  /** Such as the asset: amounts of different assets are never added. */
  readonly by: readonly string[];
}

export interface Listing {
  /** Label of its statements. */
  readonly name: string;
  readonly columns: Columns;
  /** Table, view or function with its columns, such as `reporting.transactions`. */
  readonly view: string;
  /** The one with the meanings of its columns. */
  readonly describedBy: string;
  /** The meanings of columns, where the comment of the database does not say them. */
  readonly says?: Readonly<Record<string, string>>;
  /**
   * What a summary adds up: columns of amounts, and the columns that must be equal for a sum to mean
   * anything.
   */
  readonly sums?: Sums;
  /** An item of a from clause with the alias `v`, and the conditions that hold for every row. */
  from(selection: Omit<Selection, 'order'>): { readonly item: SQL; readonly where?: SQL };
  readonly filters: Readonly<Record<string, Condition>>;
  /**
   * The closed set of orders: columns by which rows are sorted, together unique in an account. `-` in front
   * of the name of an order reverses it.
   */
  readonly orders: Readonly<Record<string, readonly string[]>>;
  readonly defaultOrder: string;
  /**
   * PostgreSQL does not find the rows in their order: it would compute and sort all of them for one page. So
   * they are read span by span (spans.ts).
   */
  readonly spannedBy?: SpannedBy;
  readonly planHint?: PlanHint | undefined;
}

/** The day or moment that leads every order, and the filters that bound it. */
export interface SpannedBy {
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

/** What is observed on its own. */
export type Observed = 'transactions' | 'balances' | 'vault' | 'whitelist_entry';

/** A list as a route, with all that the reference says of it. */
export interface List extends Listing {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Name of the schema of a row. */
  readonly row: string;
  readonly filters: Readonly<Record<string, Condition & Parameter>>;
  /** The list as it was known at a moment; its rows have a schema of their own. */
  readonly past?: { readonly listing: Listing; readonly row: string; readonly of: Observed };
  /** It lists accounts, and so is about none of them. */
  readonly isOverAccounts?: boolean;
  /** Whether the owner of the list exists, which the parameter of the path names. */
  exists?(tx: Tx, account: string, id: string): Promise<boolean>;
}

/** What a reader asks of a list. */
export interface Selection extends Scope {
  /** By the names of the filters; text as it was checked. */
  readonly filters: Readonly<Record<string, string>>;
  /** Name of an order, with `-` in front for the opposite one. */
  readonly order: string;
}

/** Names of all orders that a listing knows, with both directions. */
export function orderNames({ orders }: Listing): readonly string[] {
  return Object.keys(orders).flatMap((name) => [name, `-${name}`]);
}

export interface Order {
  readonly keys: readonly string[];
  readonly isDescending: boolean;
}

export function orderOf(listing: Listing, order: string): Order {
  const isDescending = order.startsWith('-');
  const keys = listing.orders[isDescending ? order.slice(1) : order];
  if (keys === undefined) throw new TypeError(`${listing.name} has no order ${order}`);
  return { keys, isDescending };
}

export function columnOf(name: string): SQL {
  return sql`v.${sql.identifier(name)}`;
}

/**
 * The value by which a row is sorted. A null comes before every amount and every text, and differs from the
 * empty text.
 */
export function keyOf(listing: Listing, name: string): SQL {
  const kind = listing.columns[name];
  if (kind === 'amount') return sql`coalesce(${columnOf(name)}, '-Infinity')`;
  return kind === 'text'
    ? sql`case when ${columnOf(name)} is null then '' else '+' || ${columnOf(name)} end`
    : columnOf(name);
}

/** All conditions of the selection. */
export function conditions(listing: Listing, selection: Selection): SQL {
  const given = Object.entries(selection.filters).flatMap(([name, value]) => {
    const filter = listing.filters[name];
    if (filter === undefined) throw new TypeError(`${listing.name} has no filter ${name}`);
    if (filter.is === 'within') return [];
    return [filter.by?.(selection, value) ?? condition(listing, filter, value)];
  });
  const { where = sql`true` } = listing.from(selection);
  return sql.join([where, ...given], sql` and `);
}

function condition({ columns, planHint }: Listing, { column, is }: Condition, value: string): SQL {
  const found = columnOf(column);
  if (is === 'not null') return value === 'true' ? sql`${found} is not null` : sql`${found} is null`;
  const kind = Object.hasOwn(columns, column) ? kindOf(columns, column) : 'text';
  if (kind === 'boolean' && value === 'unknown') return sql`${found} is null`;
  if (kind === 'boolean') return value === 'true' ? found : sql`not ${found}`;
  // A report has one plan for all values.
  const given = planHint === 'once' ? sql`${value}` : valueFor(column, value);
  return sql`${found} ${sql.raw(is)} ${castTo(kind, given)}`;
}

export function orderBy(listing: Listing, order: Order): SQL {
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  return sql.join(
    order.keys.map((name) => sql`${keyOf(listing, name)} ${direction}`),
    sql`, `,
  );
}

/**
 * The rows that follow the one with these keys; with fewer keys, those that follow all rows that begin with
 * them. The bound of the first key alone is for views that compute day by day.
 */
export function after(listing: Listing, order: Order, values: readonly string[]): SQL {
  const { isDescending } = order;
  const keys = order.keys.slice(0, values.length);
  const given = keys.map((name, index) => castTo(kindOf(listing.columns, name), sql`${values[index] ?? ''}`));
  const found = keys.map((name) => keyOf(listing, name));
  const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
  const row = sql`(${list(found)}) ${sql.raw(isDescending ? '<' : '>')} (${list(given)})`;
  const [first, bound] = [found[0], given[0]];
  if (keys.length === 1 || first === undefined || bound === undefined) return row;
  return sql`${row} and ${first} ${sql.raw(isDescending ? '<=' : '>=')} ${bound}`;
}
