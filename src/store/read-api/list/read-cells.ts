// A whole list in memory, as the text of its cells: for a file that cannot be written while it is read.
import { sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/transaction.ts';
import { cellText, kindOf } from './columns.ts';
import { columnOf, conditions, type Listing, orderBy, orderOf, type Selection } from './listing.ts';
import { spansOf } from './spans.ts';
import { streamRows } from './stream-csv.ts';

/** The cells of a row, in the order of the columns of the listing. */
export type CellRow = readonly (string | null)[];

export interface Bounds {
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
  for await (const { condition } of spansOf(tx, listing, selection, null))
    await streamRows(
      tx,
      listing,
      sql`
      select array[${sql.join(texts, sql`, `)}]::text[] as cells from ${listing.from(selection).item}
      where ${conditions(listing, selection)} and ${condition} order by ${order}`,
      async (found) => {
        for (const { cells = [] } of found) {
          rows.push(cells);
          for (const cell of cells) characters += cell?.length ?? 0;
        }
        if (rows.length > most.rows || characters > most.characters) throw new ListTooLong();
      },
    );
  return rows;
}

export class ListTooLong extends Error {}
