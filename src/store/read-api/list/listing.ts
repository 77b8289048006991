// A list of the read API: where its rows come from, its columns, filters and orders. Pages and CSV are made
// from the same description, and so is what the reference says of it.
import { type SQL, sql } from 'drizzle-orm';
import type { PlanHint, Tx } from '../../postgres/transaction.ts';
import { isNotHalfErased } from '../../run/accounts.ts';
import { type Columns, castTo, columnsOf, jsonValue, kindOf } from './columns.ts';
import { amount, day, moment, type Parameter, type Parameters, text } from './parameter-kinds.ts';

// Declares the lists of the read API. Kinds and meanings of columns are those of the database, conditions
// follow from the names of filters, and parts that are the same for most lists are left out.

interface Declared
  extends Omit<Listing, 'columns' | 'from' | 'filters' | 'defaultOrder' | 'describedBy'>,
    Partial<Pick<Listing, 'from' | 'defaultOrder'>> {
  /** Names of columns, those with `!` that are never null: of views, no catalogue knows it. */
  readonly columns: string;
  /** Of columns that are made from columns of the view. */
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

/** How the list as it was known at a moment differs. */
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

type DeclaredRoute = Omit<Declared, 'name'> &
  Partial<Pick<Declared, 'name'>> &
  Omit<List, keyof Listing | 'past'> & { readonly past?: Past };

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

/** A list with a route of its own. Unless it has a name, that is the words of its id: `balance-split`. */
export function list({ past, ...declared }: DeclaredRoute): List {
  const { id, path, summary, description, row, exists, ...rest } = declared;
  const words = id.replace('list', '').replaceAll(/\B[A-Z]/g, '-$&');
  const present = { name: words.toLowerCase(), ...rest };
  const route = { id, path, summary, row };
  return {
    ...route,
    ...(description === undefined ? {} : { description }),
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
    where: sql`v.account_id = ${account}`,
  });
}

/** The rows of a function, whose arguments are null unless asked for. */
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

// Reports that are computed day by day, and changes that PostgreSQL would have to sort, are read span by span
// of the day or moment that leads their order: a short one first, then as long as the time that the one
// before it took allows. So a page costs no more than the spans it shows. They follow each other without a
// gap: the first has no beginning, and the last no end.

const dayMs = 86_400_000;
/** By how much a span may be longer than the one before it. */
const growth = 4;
/** About how long one span takes, far below the limit of a statement. */
const spanMs = 1_500;

interface Span {
  readonly condition: SQL;
  /** The last day or moment of it, in the order of the list; null when nothing follows. */
  readonly reached: string | null;
}

/**
 * The spans of the rest of the list; one for a list that is not read in spans. Their conditions have one
 * text.
 *
 * @param from the keys behind which it begins: of a row, whose day may go on, or a day or moment alone, which
 * was read whole
 */
export async function* spansOf(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  from: readonly string[] | null,
): AsyncGenerator<Span, void, undefined> {
  const { spannedBy } = listing;
  if (spannedBy === undefined) return yield { condition: sql`true`, reached: null };
  const { isDescending } = orderOf(listing, selection.order);
  const kind = kindOf(listing.columns, spannedBy.column);
  const column = columnOf(spannedBy.column);
  const [step, behind, upTo, end] = isDescending ? [-1, '<', '>=', '-infinity'] : [1, '>', '<=', 'infinity'];
  const between = (start: string, last: string) =>
    sql.join(
      [
        sql`${column} ${sql.raw(behind)} ${castTo(kind, sql`${start}`)}`,
        sql`${column} ${sql.raw(upTo)} ${castTo(kind, sql`${last}`)}`,
      ],
      sql` and `,
    );
  const bounds = await boundsOf(tx, listing, spannedBy, selection);
  const [firstMs, lastMs] = isDescending ? bounds.toReversed() : bounds;
  // JavaScript cannot compare moments that it cannot read: then one span covers all.
  const begunMs = Date.parse(from?.[0] ?? '');
  let reachedMs = (begunMs - firstMs) * step > 0 ? begunMs : firstMs;
  // The day of a row is not read yet.
  if (kind === 'day' && from?.length !== 1) reachedMs -= step * dayMs;
  let start = isDescending ? 'infinity' : '-infinity';
  let days = 1;
  while ((lastMs - reachedMs) * step > days * dayMs) {
    reachedMs += step * days * dayMs;
    const moment = new Date(reachedMs).toISOString();
    const reached = kind === 'day' ? moment.slice(0, 10) : moment;
    const startedAt = performance.now();
    yield { condition: between(start, reached), reached };
    const took = Math.max(1, performance.now() - startedAt);
    start = reached;
    days = Math.max(1, Math.floor(days * Math.min(growth, spanMs / took)));
  }
  yield { condition: between(start, end), reached: null };
}

/** All rows lie between these moments, except those dated by a wrong clock. */
async function boundsOf(
  tx: Tx,
  { columns }: Listing,
  { column, from, to }: SpannedBy,
  { account, filters }: Selection,
): Promise<readonly [number, number]> {
  const kind = kindOf(columns, column);
  const given = (filter: string) => castTo(kind, sql`${filters[filter] ?? null}`);
  // In another zone the moment may belong to another day.
  const margin = sql.raw(`interval '${kind === 'day' ? 1 : 0} days'`);
  const { rows } = await tx.run('read.bounds', (db) =>
    db.execute<{ earliest: string; latest: string }>(sql`
      select ${jsonValue(kind, sql`greatest(${given(from)}, ${castTo(kind, sql`(a.first_seen_at - ${margin})`)})`)} as earliest,
        ${jsonValue(kind, sql`least(${given(to)}, ${castTo(kind, sql`(now() + ${margin})`)})`)} as latest
      from custody.accounts a where a.account_id = ${account}`),
  );
  return [Date.parse(rows[0]?.earliest ?? ''), Date.parse(rows[0]?.latest ?? '')];
}

/** Whose rows, and as they were known when. */
interface Scope {
  readonly account: string;
  /** RFC 3339 in UTC; for balances also a day, YYYY-MM-DD, for its close; null for now. */
  readonly at: string | null;
}

/**
 * A condition by one column, which need not be shown: then it is text. `=` for booleans is the column itself
 * or its negation, as indexes want it, and `unknown` finds its nulls; `within` is not a condition: the rows are
 * made with it (`from`).
 */
export interface Condition {
  readonly column: string;
  readonly is: '=' | '>=' | '<=' | '<' | '>' | 'not null' | 'within';
  /** A condition that an index serves, instead of one on the column itself; null if that is as good. */
  readonly by?: (selection: Selection, value: string) => SQL | null;
}

interface Sums {
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
  /**
   * The columns of amounts that a summary adds up, and the columns that must be equal for a sum to mean
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
   * they are read span by span.
   */
  readonly spannedBy?: SpannedBy;
  readonly planHint?: PlanHint | undefined;
  /** It lists accounts, and so is about none of them. */
  readonly isOverAccounts?: boolean;
}

/** The day or moment that leads every order, and the filters that bound it. */
interface SpannedBy {
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

/** The part that is observed on its own. */
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

interface Order {
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
  const whose = listing.isOverAccounts ? columnOf('account_id') : selection.account;
  return sql.join([where, isNotHalfErased(whose), ...given], sql` and `);
}

function condition({ columns }: Listing, { column, is }: Condition, value: string): SQL {
  const found = columnOf(column);
  if (is === 'not null') return value === 'true' ? sql`${found} is not null` : sql`${found} is null`;
  const kind = Object.hasOwn(columns, column) ? kindOf(columns, column) : 'text';
  if (kind === 'boolean' && value === 'unknown') return sql`${found} is null`;
  if (kind === 'boolean') return value === 'true' ? found : sql`not ${found}`;
  return sql`${found} ${sql.raw(is)} ${castTo(kind, sql`${value}`)}`;
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
