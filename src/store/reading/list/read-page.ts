// One page of a list, as JSON text that the database wrote.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/database.ts';
import { jsonValue, kindOf } from './columns.ts';
import {
  after,
  columnOf,
  conditions,
  keyOf,
  type Listing,
  orderBy,
  orderOf,
  type Selection,
} from './listing.ts';

export interface Page {
  /** Each row as a JSON object. */
  readonly rows: readonly string[];
  /** The keys of the last row, from which the next page goes on; null at the end of the list. */
  readonly next: readonly string[] | null;
}

export interface PageAsked {
  readonly limit: number;
  /** Keys of the row after which the page begins; null for the first page. */
  readonly from: readonly string[] | null;
}

/** How many days a page of a report reads at first, and then where they did not fill it. */
const windows = [3, 31, 366];

export async function readPage(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  asked: PageAsked,
): Promise<Page> {
  if (!listing.isOfDays) return await readRows(tx, listing, selection, asked, sql`true`);
  for (const days of windows) {
    const page = await readRows(tx, listing, selection, asked, daysFrom(selection, asked, days));
    if (page.next !== null) return page;
  }
  return await readRows(tx, listing, selection, asked, sql`true`);
}

/** A condition: the first days of the page, in its order. */
function daysFrom({ account, order, filters }: Selection, { from }: PageAsked, days: number): SQL {
  if (order.startsWith('-')) {
    const last = from?.[0] ?? filters['day_to'];
    const end = last === undefined ? sql`current_date + 1` : sql`${last}::date`;
    return sql`v.day > least(${end}, current_date + 1) - ${days}::int`;
  }
  const begun = sql`(select a.first_seen_at::date - 1 from custody.accounts a where a.account_id = ${account})`;
  const first = from?.[0] ?? filters['day_from'];
  const begin = first === undefined ? begun : sql`greatest(${first}::date, ${begun})`;
  return sql`v.day < ${begin} + ${days}::int`;
}

async function readRows(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  { limit, from }: PageAsked,
  window: SQL,
): Promise<Page> {
  const order = orderOf(listing, selection.order);
  const { item } = listing.from(selection);
  const begin = from === null ? sql`true` : after(listing, order, from);
  const names = Object.keys(listing.columns);
  const keyNames = order.keys.map((_, index) => `_key${index}`);
  const found = await tx.run(`read.${listing.name}`, (db) =>
    db.execute<Record<string, string>>(sql`
      select row_to_json(f)::text as row, ${list(order.keys.map((key, index) => keyAsText(listing, key, index)))}
      from (
        select ${list(names.map(columnOf))}, ${list(order.keys.map((key, index) => sql`${keyOf(listing, key)} as ${sql.identifier(`_key${index}`)}`))}
        from ${item} where ${conditions(listing, selection)} and ${window} and ${begin}
        order by ${orderBy(listing, order)} limit ${limit + 1}
      ) as i cross join lateral (select ${list(names.map((name) => member(listing, name)))}) as f
      order by ${list(keyNames.map((name) => sql`i.${sql.identifier(name)} ${sql.raw(order.isDescending ? 'desc' : 'asc')}`))}`),
  );
  const page = found.rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map((row) => row['row'] ?? ''),
    next: found.rows.length > limit && last !== undefined ? keyNames.map((name) => last[name] ?? '') : null,
  };
}

/** One row as a JSON object; null when there is none. */
export async function readOne(tx: Tx, listing: Listing, selection: Selection): Promise<string | null> {
  const { rows } = await readPage(tx, listing, selection, { limit: 1, from: null });
  return rows[0] ?? null;
}

function member(listing: Listing, name: string): SQL {
  const value = sql`i.${sql.identifier(name)}`;
  return sql`${jsonValue(kindOf(listing.columns, name), value)} as ${sql.identifier(name)}`;
}

function keyAsText(listing: Listing, key: string, index: number): SQL {
  const name = sql.identifier(`_key${index}`);
  return sql`${jsonValue(kindOf(listing.columns, key), sql`i.${name}`)}::text as ${name}`;
}

function list(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}
