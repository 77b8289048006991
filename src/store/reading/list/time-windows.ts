// Of a list that PostgreSQL does not find in its order, a page is looked for in the rows of a while, and in ever longer ones until it
// is full: the rows of a window lead the list, so that a full page of them is the page.
import { type SQL, sql } from 'drizzle-orm';
import { columnOf, type Listing, orderOf, type Selection } from './listing.ts';

const lengths = [1, 4, 16, 64, 256].map((days) => sql.raw(`interval '${days} days'`));

/**
 * Conditions on the moment by which the list is ordered, each wider than the one before; the last one holds for every row.
 *
 * @param from keys of the row after which the page begins
 */
export function timeWindows(
  { windowed, ...listing }: Listing,
  { account, filters, order }: Selection,
  from: readonly string[] | null,
): readonly SQL[] {
  if (windowed === undefined) return [sql`true`];
  const { isDescending } = orderOf(listing, order);
  const column = columnOf(windowed.column);
  const begun = from?.[0];
  if (isDescending) {
    const newest = begun ?? filters[windowed.till];
    const end = newest === undefined ? sql`now()` : sql`least(now(), ${newest}::timestamptz)`;
    return [...lengths.map((length) => sql`${column} >= ${end} - ${length}`), sql`true`];
  }
  const start =
    begun === undefined
      ? sql`(select a.first_seen_at from custody.accounts a where a.account_id = ${account})`
      : sql`${begun}::timestamptz`;
  return [...lengths.map((length) => sql`${column} <= ${start} + ${length}`), sql`true`];
}
