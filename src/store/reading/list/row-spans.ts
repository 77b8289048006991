// A long list is read whole span by span: the planner joins some ten thousand rows at once, which is much quicker than looking
// up what belongs to each row of a million in turn, and sorts them in memory.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/transaction.ts';
import { shownMoment } from './columns.ts';
import { columnOf, type Listing, type Order, type Selection } from './listing.ts';

export interface SpannedOrder extends Order {
  /** About how many rows of the table a span holds. */
  readonly rowsOfSpan: number;
}

/** Conditions on the first key of the order that together cover all rows, in the order of the list. */
export async function rowSpans(
  tx: Tx,
  { name, spannedBy }: Listing,
  { account }: Selection,
  { keys, isDescending, rowsOfSpan }: SpannedOrder,
): Promise<readonly SQL[]> {
  const [key] = keys;
  if (spannedBy === undefined || key !== spannedBy.column) return [sql`true`];
  const column = sql.identifier(spannedBy.column);
  const { rows } = await tx.run(`stream.${name}.spans`, (db) =>
    db.execute<{ end: string }>(sql`
      select ${shownMoment(sql`${column}`)} as end from (
        select ${column}, row_number() over (order by ${column}) as number from ${sql.raw(spannedBy.table)} where account_id = ${account}
      ) as n where number % ${rowsOfSpan} = 0 group by ${column} order by ${column}`),
  );
  const found = columnOf(spannedBy.column);
  const ends = rows.map(({ end }) => sql`${end}::timestamptz`);
  const conditions = [...ends, null].map((end, index) => {
    const begin = ends[index - 1];
    const isBehind = begin === undefined ? sql`true` : sql`${found} > ${begin}`;
    return end === null ? isBehind : sql`${isBehind} and ${found} <= ${end}`;
  });
  return isDescending ? conditions.reverse() : conditions;
}
