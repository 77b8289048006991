// A whole list as CSV after RFC 4180, in parts from a cursor of the server: neither side ever holds more than
// a part.
import { type SQL, sql } from 'drizzle-orm';
import { addDecimals, parseDecimal, withoutZeros } from '../../../domain/decimal.ts';
import type { Database } from '../../postgres/database.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { cellText, csvCell, guardFormulas, kindOf } from './columns.ts';
import { columnOf, conditions, type Listing, orderBy, orderOf, type Selection, spansOf } from './listing.ts';

// The summary at the end of a CSV, for people: how many rows, which filters, as of when, and the sums. It is
// gathered while the rows go by, so that nothing is read twice.

interface CsvSummary {
  /** One row: the amounts to add up, then the values that must be equal. */
  add(cells: readonly (string | null)[]): void;
  /** The lines, after an empty one, each with its line break. */
  end(): string;
}

/** More sums than a person reads: no sum is then reported, and memory stays small. */
const mostGroups = 1_000;

interface Group {
  readonly alike: readonly (string | null)[];
  /** Null as soon as one amount is unknown: then so is the sum. */
  readonly sums: (string | null)[];
  readonly unknown: number[];
}

/** @param readAt when the answer was made, RFC 3339 */
export function startSummary(listing: Listing, selection: Selection, readAt: string): CsvSummary {
  const { of, by } = listing.sums ?? { of: [], by: [] };
  const groups = new Map<string, Group>();
  let rows = 0;
  return {
    add(cells) {
      rows += 1;
      if (of.length === 0) return;
      const alike = cells.slice(of.length);
      const key = JSON.stringify(alike);
      let group = groups.get(key);
      if (group === undefined) {
        if (groups.size > mostGroups) return;
        group = { alike, sums: of.map(() => '0'), unknown: of.map(() => 0) };
        groups.set(key, group);
      }
      for (const index of of.keys()) addTo(group, index, cells[index] ?? null);
    },
    end: () =>
      [
        [],
        ['Rows', rows],
        ['Account', selection.account],
        ...Object.entries(selection.filters).map(([name, value]) => [`Filter ${name}`, value]),
        ['Order', selection.order],
        ...(selection.at === null ? [] : [['As of', selection.at]]),
        ['Read', readAt],
        ...totals(of, by, groups),
      ]
        .map((cells) => `${cells.map(cell).join(',')}\r\n`)
        .join(''),
  };
}

function addTo({ sums, unknown }: Group, index: number, amount: string | null): void {
  const sum = sums[index] ?? null;
  if (amount === null) unknown[index] = (unknown[index] ?? 0) + 1;
  sums[index] = amount === null || sum === null ? null : added(sum, amount);
}

/** Both as PostgreSQL writes a numeric; the sum has no zeros at its end. */
function added(...amounts: readonly string[]): string {
  const parts = amounts.flatMap((amount) => parseDecimal(amount)?.value ?? []);
  return withoutZeros(addDecimals(parts));
}

/**
 * Such as `"Total inflow",12.5,"asset_id","BTC"`; a sum with an unknown part is an empty cell, and the line
 * says why.
 */
function totals(
  of: readonly string[],
  by: readonly string[],
  groups: ReadonlyMap<string, Group>,
): readonly (readonly Cell[])[] {
  if (groups.size > mostGroups) return [['Totals', `left out: more than ${mostGroups} different ones`]];
  return [...groups.values()].flatMap(({ alike, sums, unknown }) =>
    of.map((name, index): Cell[] => [
      `Total ${name}`,
      { amount: sums[index] ?? null },
      ...by.flatMap((column, place) => [column, alike[place] ?? null]),
      ...(unknown[index] === 0 ? [] : ['rows of unknown amount', unknown[index] ?? 0]),
    ]),
  );
}

type Cell = string | number | null | { readonly amount: string | null };

/** As csvCell() writes them. */
function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.amount ?? '';
  return `"${guardFormulas(value).replaceAll('"', '""')}"`;
}

const rowsAtOnce = 1_000;
/** Rows of a part when the next thousand would exceed `mostBytes` together. */
const longRowsAtOnce = 16;
/** Of the rows that are sent at once, as a page or a part: a row may hold some MiB. */
export const mostBytes = 2 ** 24;

/**
 * The text, or null behind the row with which the texts pass `mostBytes`: it is the last of a page. For rows
 * of a subquery that orders them, and so makes each once.
 */
export function withinMostBytes(text: SQL): SQL {
  const before = sql`sum(octet_length(${text})) over (rows unbounded preceding) - octet_length(${text})`;
  return sql`case when ${before} < ${sql.raw(String(mostBytes))} then ${text} end`;
}

interface CsvOptions {
  readonly write: (part: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** Begins a summary: it takes the summed columns of each row, and returns the lines that end the answer. */
  readonly summary?: CsvSummary | null;
}

/**
 * Gives the parts to `write`, the header first, all from one state of the database. The transaction stands
 * still while `write` waits, and ends when it throws: that is how a reader who left ends it.
 */
export async function streamCsv(
  database: Database,
  listing: Listing,
  selection: Selection,
  { write, signal, summary = null }: CsvOptions,
): Promise<void> {
  const names = Object.keys(listing.columns);
  const order = orderOf(listing, selection.order);
  const cells = names.map((name) => csvCell(kindOf(listing.columns, name), columnOf(name)));
  const lines = (span: SQL) => sql`
    select ${line(cells)} as line${summary === null ? sql`` : summedCells(listing)} from ${listing.from(selection).item}
    where ${conditions(listing, selection)} and ${span} order by ${orderBy(listing, order)}`;
  const readOn = async (tx: Tx) => {
    // With the first rows, so that a failure to read them is reported instead of an answer.
    let header = `${names.join()}\r\n`;
    const writeRows = async (rows: string) => {
      await write(header + rows);
      header = '';
    };
    const writeLines = async (rows: readonly StreamedRow[]) => {
      if (summary !== null) for (const row of rows) summary.add(row.cells ?? []);
      await writeRows(rows.map((row) => `${row.line}\r\n`).join(''));
    };
    for await (const { condition } of spansOf(tx, listing, selection, null))
      await streamRows(tx, listing, { query: lines(condition), long: 'line' }, writeLines);
    if (header !== '' || summary !== null) await writeRows(summary === null ? '' : summary.end());
  };
  const readOnce = (tx: Tx) =>
    readOn(tx).catch((error: unknown) => {
      // Without its cause: a conflict would repeat the work, with rows that the reader already has.
      throw new BrokenStream(error);
    });
  await database.transact(`stream.${listing.name}`, readOnce, { snapshot: true, signal });
}

/**
 * Gives the rows of a query in parts, from a cursor of the server.
 *
 * @param long the column that may be long
 */
export async function streamRows(
  tx: Tx,
  listing: Listing,
  { query, long }: { readonly query: SQL; readonly long: 'line' | 'cells' },
  write: (rows: readonly StreamedRow[]) => Promise<void>,
): Promise<void> {
  await tx.run(`stream.${listing.name}.open`, (db) =>
    db.execute(sql`declare part no scroll cursor for
      select r.*, sum(pg_column_size(${sql.identifier(long)})) over (rows between 1 following and ${sql.raw(String(rowsAtOnce))} following) > ${sql.raw(String(mostBytes))} as long_follow
      from (${query} offset 0) as r`),
  );
  const fetch = (count: number) =>
    tx.run(`stream.${listing.name}.fetch`, (db) =>
      db.execute<StreamedRow>(sql`fetch ${sql.raw(String(count))} from part`),
    );
  // The database makes the next part while this one is written.
  for (let [count, next] = [longRowsAtOnce, fetch(longRowsAtOnce)]; ; ) {
    const { rows } = await next;
    const isLast = rows.length < count;
    count = rows.at(-1)?.long_follow === true ? longRowsAtOnce : rowsAtOnce;
    if (!isLast) next = fetch(count);
    // Thrown where it is awaited, unless the reader left before.
    next.catch(() => undefined);
    if (rows.length > 0) await write(rows);
    if (isLast) break;
  }
  await tx.run(`stream.${listing.name}.close`, (db) => db.execute(sql`close part`));
}

interface StreamedRow extends Record<string, unknown> {
  readonly long_follow: boolean | null;
  /** Of CSV. */
  readonly line?: string;
  /** As text; with a summary of CSV the amounts that add up, then the values that must be alike. */
  readonly cells?: readonly (string | null)[];
}

function summedCells({ columns, sums }: Listing): SQL {
  const found = [...(sums?.of ?? []), ...(sums?.by ?? [])].map((name) =>
    cellText(kindOf(columns, name), columnOf(name)),
  );
  return sql`, array[${sql.join(found, sql`, `)}]::text[] as cells`;
}

/** The stream broke off; `reason` says why. */
export class BrokenStream extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('the stream broke off');
    this.reason = reason;
  }
}

/**
 * No cell is null, which concat_ws would leave out. It builds the line once; || would rebuild it for each
 * cell.
 */
function line(cells: readonly SQL[]): SQL {
  return sql`concat_ws(',', ${sql.join([...cells], sql`, `)})`;
}
