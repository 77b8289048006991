// One page of a list, as JSON text that the database wrote.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/transaction.ts';
import { cellText, jsonValue, kindOf } from './columns.ts';
import {
  after,
  columnOf,
  conditions,
  keyOf,
  type Listing,
  orderBy,
  orderOf,
  type Selection,
  spansOf,
} from './listing.ts';
import { mostBytes, streamRows, withinMostBytes } from './stream-csv.ts';

// A whole list in memory, as the text of its cells: for a file that cannot be written while it is read.

/** The cells of a row, in the order of the columns of the listing. */
export type CellRow = readonly (string | null)[];

interface Bounds {
  readonly rows: number;
  /** Of all texts together. */
  readonly characters: number;
}

/** @throws ListTooLong beyond the bounds */
export async function readCells(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  most: Bounds,
): Promise<readonly CellRow[]> {
  const texts = Object.keys(listing.columns).map((name) =>
    cellText(kindOf(listing.columns, name), columnOf(name)),
  );
  const order = orderBy(listing, orderOf(listing, selection.order));
  const rows: CellRow[] = [];
  let characters = 0;
  for await (const { condition } of spansOf(tx, listing, selection, null)) {
    const query = sql`
      select array[${sql.join(texts, sql`, `)}]::text[] as cells from ${listing.from(selection).item}
      where ${conditions(listing, selection)} and ${condition} order by ${order}`;
    await streamRows(tx, listing, { query, long: 'cells' }, async (found) => {
      for (const { cells = [] } of found) {
        rows.push(cells);
        for (const cell of cells) characters += cell?.length ?? 0;
      }
      if (rows.length > most.rows || characters > most.characters) throw new ListTooLong();
    });
  }
  return rows;
}

export class ListTooLong extends Error {}

export interface Page {
  /** Each row as a JSON object. */
  readonly rows: readonly string[];
  /**
   * The keys of the last row, or the end of the last span, from which the next page continues; null at the
   * end of the list.
   */
  readonly next: readonly string[] | null;
}

export interface PageAsked {
  readonly limit: number;
  /** Keys of the row, or the day or moment, after which the page begins; null for the first page. */
  readonly from: readonly string[] | null;
  /** No further span is read after this long: the page ends with the rows found so far. Default 4,000. */
  readonly longestMs?: number;
}

export async function readPage(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  asked: PageAsked,
): Promise<Page> {
  const until = performance.now() + (asked.longestMs ?? 4_000);
  const rows: string[] = [];
  let characters = 0;
  for await (const { condition, reached } of spansOf(tx, listing, selection, asked.from)) {
    const rest = { limit: asked.limit - rows.length, from: asked.from };
    const page = await readRows(tx, listing, selection, rest, condition);
    rows.push(...page.rows);
    for (const row of page.rows) characters += row.length;
    if (page.next !== null) return { rows, next: page.next };
    if (reached === null) break;
    const isFull = rows.length === asked.limit || characters > mostBytes;
    if (performance.now() > until || isFull) return { rows, next: [reached] };
  }
  return { rows, next: null };
}

async function readRows(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  { limit, from }: PageAsked,
  span: SQL,
): Promise<Page> {
  const order = orderOf(listing, selection.order);
  const names = Object.keys(listing.columns);
  const keyNames = order.keys.map((_, index) => `_key${index}`);
  const keys = order.keys.map(
    (key, index) => sql`${keyOf(listing, key)} as ${sql.identifier(`_key${index}`)}`,
  );
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  const begin = from === null ? sql`true` : after(listing, order, from);
  const found = await tx.ask<Record<string, string | null>>(
    `read.${listing.name}`,
    sql`
    select ${withinMostBytes(sql`row`)} as row, ${list(keyNames.map((name) => sql.identifier(name)))}
    from (select row_to_json(f)::text as row, ${list(order.keys.map((key, index) => keyAsText(listing, key, index)))}
      from (select ${list(names.map(columnOf))}, ${list(keys)} from ${listing.from(selection).item}
        where ${conditions(listing, selection)} and ${span} and ${begin}
        order by ${orderBy(listing, order)} limit ${limit + 1}) as i
      cross join lateral (select ${list(names.map((name) => member(listing, name)))}) as f
      order by ${list(keyNames.map((name) => sql`i.${sql.identifier(name)} ${direction}`))} offset 0) as m`,
    listing.planHint,
  );
  const page: string[] = [];
  for (const { row = null } of found.slice(0, limit)) if (row !== null) page.push(row);
  const last = found[page.length - 1];
  return {
    rows: page,
    next: found.length > page.length && last !== undefined ? keyNames.map((name) => last[name] ?? '') : null,
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

function list(parts: readonly SQLWrapper[]): SQL {
  return sql.join([...parts], sql`, `);
}
