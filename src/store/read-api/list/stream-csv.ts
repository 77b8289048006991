// A whole list as CSV after RFC 4180, in parts from a cursor of the server: neither side ever holds more than
// a part.
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../postgres/database.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { cellText, csvCell, kindOf } from './columns.ts';
import type { CsvSummary } from './csv-summary.ts';
import { columnOf, conditions, type Listing, orderBy, orderOf, type Selection } from './listing.ts';
import { spansOf } from './spans.ts';

const rowsAtOnce = 1_000;

export interface CsvOptions {
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
      await streamRows(tx, listing, lines(condition), writeLines);
    if (header !== '' || summary !== null) await writeRows(summary === null ? '' : summary.end());
  };
  const readOnce = (tx: Tx) =>
    readOn(tx).catch((error: unknown) => {
      // Without its cause: a conflict would repeat the work, with rows that the reader already has.
      throw new BrokenStream(error);
    });
  await database.transact(`stream.${listing.name}`, readOnce, { snapshot: true, signal });
}

/** Gives the rows of a query in parts, from a cursor of the server. */
export async function streamRows(
  tx: Tx,
  listing: Listing,
  query: SQL,
  write: (rows: readonly StreamedRow[]) => Promise<void>,
): Promise<void> {
  await tx.run(`stream.${listing.name}.open`, (db) =>
    db.execute(sql`declare part no scroll cursor for ${query}`),
  );
  const fetch = () =>
    tx.run(`stream.${listing.name}.fetch`, (db) =>
      db.execute<StreamedRow>(sql`fetch ${sql.raw(String(rowsAtOnce))} from part`),
    );
  // The database makes the next part while this one is written.
  for (let next = fetch(); ; ) {
    const { rows } = await next;
    const isLast = rows.length < rowsAtOnce;
    if (!isLast) next = fetch();
    // Thrown where it is awaited, unless the reader left before.
    next.catch(() => undefined);
    if (rows.length > 0) await write(rows);
    if (isLast) break;
  }
  await tx.run(`stream.${listing.name}.close`, (db) => db.execute(sql`close part`));
}

interface StreamedRow extends Record<string, unknown> {
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
