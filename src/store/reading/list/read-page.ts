// One page of a list, as JSON text that the database wrote.
import { type SQL, sql } from 'drizzle-orm';
import { fixedSql } from '../../postgres/fixed-sql.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { jsonValue, kindOf } from './columns.ts';
import { daySpans, endsOfDays } from './day-spans.ts';
import {
  after,
  columnOf,
  conditions,
  keyOf,
  type Listing,
  type Order,
  orderBy,
  orderOf,
  type Selection,
} from './listing.ts';
import { timeWindows } from './time-windows.ts';

export interface Page {
  /** Each row as a JSON object. */
  readonly rows: readonly string[];
  /** The keys of the last row, or the last day that was read, from which the next page goes on; null at the end of the list. */
  readonly next: readonly string[] | null;
}

export interface PageAsked {
  readonly limit: number;
  /** Keys of the row, or the day, after which the page begins; null for the first page. */
  readonly from: readonly string[] | null;
  /** A page of a report reads no further span of days after this long: what it found so far is the page. Default 4,000. */
  readonly longestMs?: number;
}

export async function readPage(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  asked: PageAsked,
): Promise<Page> {
  if (!listing.isOfDays) return await readFirstFull(tx, listing, selection, asked);
  const until = performance.now() + (asked.longestMs ?? 4_000);
  const rows: string[] = [];
  const ends = await endsOfDays(tx, selection, asked.from);
  for (const { condition, reached } of daySpans(ends, orderOf(listing, selection.order).isDescending)) {
    const limit = asked.limit - rows.length;
    const page = await readRows(tx, listing, selection, { limit, from: asked.from }, condition);
    rows.push(...page.rows);
    if (page.next !== null) return { rows, next: page.next };
    if (reached === null) break;
    if (performance.now() > until || rows.length === asked.limit) return { rows, next: [reached] };
  }
  return { rows, next: null };
}

/** The page from the first window that fills it. */
async function readFirstFull(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  asked: PageAsked,
): Promise<Page> {
  let page: Page = { rows: [], next: null };
  for (const window of timeWindows(listing, selection, asked.from)) {
    page = await readRows(tx, listing, selection, asked, window);
    if (page.next !== null) break;
  }
  return page;
}

async function readRows(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  { limit, from }: PageAsked,
  window: SQL,
): Promise<Page> {
  const { order, keyNames, head, tail } = frameOf(listing, selection.order);
  const { item } = listing.from(selection);
  const begin = from === null ? sql`true` : after(listing, order, from);
  const found = await tx.ask<Record<string, string>>(
    `read.${listing.name}`,
    sql`${head} from ${item} where ${conditions(listing, selection)} and ${window} and ${begin} ${tail(limit + 1)}`,
    { plansOnce: listing.isOfDays === true },
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map((row) => row['row'] ?? ''),
    next: found.length > limit && last !== undefined ? keyNames.map((name) => last[name] ?? '') : null,
  };
}

interface Frame {
  readonly order: Order;
  /** The names under which the keys of each row are selected. */
  readonly keyNames: readonly string[];
  /** What stands in front of the from clause of the rows, and what follows their conditions. */
  readonly head: SQL;
  readonly tail: (rows: number) => SQL;
}

const frames = new WeakMap<Listing, Map<string, Frame>>();

/** What a statement always is in this list and order. */
function frameOf(listing: Listing, orderName: string): Frame {
  const ofListing = frames.get(listing) ?? new Map<string, Frame>();
  frames.set(listing, ofListing);
  const frame = ofListing.get(orderName) ?? makeFrame(listing, orderOf(listing, orderName));
  ofListing.set(orderName, frame);
  return frame;
}

function makeFrame(listing: Listing, order: Order): Frame {
  const names = Object.keys(listing.columns);
  const keyNames = order.keys.map((_, index) => `_key${index}`);
  const keys = order.keys.map(
    (key, index) => sql`${keyOf(listing, key)} as ${sql.identifier(`_key${index}`)}`,
  );
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  const head = sql`
    select row_to_json(f)::text as row, ${list(order.keys.map((key, index) => keyAsText(listing, key, index)))}
    from (select ${list(names.map(columnOf))}, ${list(keys)}`;
  const inOrder = fixedSql(sql`order by ${orderBy(listing, order)} limit`);
  const rest =
    fixedSql(sql`) as i cross join lateral (select ${list(names.map((name) => member(listing, name)))}) as f
    order by ${list(keyNames.map((name) => sql`i.${sql.identifier(name)} ${direction}`))}`);
  return {
    order,
    keyNames,
    head: fixedSql(head),
    // Of a report the rows still wanted differ from span to span, and its plan is made once.
    tail: (rows) => sql`${inOrder} ${listing.isOfDays ? sql`${rows}::int` : sql.raw(String(rows))} ${rest}`,
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
