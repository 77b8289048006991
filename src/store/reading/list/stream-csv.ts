// A whole list as CSV after RFC 4180, in parts from a cursor of the server: neither side ever holds more than a part.
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Tx } from '../../postgres/database.ts';
import { csvCell, kindOf } from './columns.ts';
import { columnOf, conditions, type Listing, orderBy, orderOf, type Selection } from './listing.ts';

const rowsAtOnce = 250;

/**
 * Gives the parts to `write`, the header first, all from one state of the database. The transaction stands still while `write`
 * waits, and ends when it throws: that is how a reader who left ends it.
 */
export async function streamCsv(
  database: Database,
  listing: Listing,
  selection: Selection,
  { write, signal }: { readonly write: (part: string) => Promise<void>; readonly signal: AbortSignal },
): Promise<void> {
  const names = Object.keys(listing.columns);
  const order = orderOf(listing, selection.order);
  const cells = names.map((name) => csvCell(kindOf(listing.columns, name), columnOf(name)));
  const query = sql`
    select ${joined(cells)} as line from ${listing.from(selection).item}
    where ${conditions(listing, selection)} order by ${orderBy(listing, order)}`;
  const readOn = async (tx: Tx) => {
    await tx.run(`stream.${listing.name}.open`, (db) =>
      db.execute(sql`declare part no scroll cursor for ${query}`),
    );
    for (let header = `${names.join()}\r\n`; ; header = '') {
      const { rows } = await tx.run(`stream.${listing.name}.fetch`, (db) =>
        db.execute<{ line: string }>(sql`fetch ${sql.raw(String(rowsAtOnce))} from part`),
      );
      await write(header + rows.map(({ line }) => `${line}\r\n`).join(''));
      if (rows.length < rowsAtOnce) return;
    }
  };
  const readOnce = (tx: Tx) =>
    readOn(tx).catch((error: unknown) => {
      // Without its cause, or a conflict would repeat the work, with rows that the reader already has.
      throw new BrokenStream(error);
    });
  await database.transact(`stream.${listing.name}`, readOnce, { snapshot: true, signal });
}

/** The stream broke off; `reason` says why. */
export class BrokenStream extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('the stream broke off');
    this.reason = reason;
  }
}

function joined(cells: readonly SQL[]): SQL {
  return sql.join([...cells], sql` || ',' || `);
}
