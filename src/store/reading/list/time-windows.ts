// PostgreSQL cannot read this list in order by an index. So a page is looked for in a short window of time, then in longer ones, until
// it is full: the rows of a window lead the list, so that a full page of them is the page. The last window has no end of its own.
import { type SQL, sql } from 'drizzle-orm';
import { columnOf, type Listing, orderOf, type Selection } from './listing.ts';

const dayMs = 86_400_000;
const lengthsMs = [1, 4, 16, 64, 256].map((days) => days * dayMs);

/**
 * Conditions on the moment by which the list is ordered, each wider than the one before; the last one holds for every row.
 *
 * @param from keys of the row after which the page begins
 */
export function timeWindows(
  listing: Listing,
  { account, filters, order }: Selection,
  from: readonly string[] | null,
): readonly SQL[] {
  const { windowed } = listing;
  if (windowed === undefined) return [sql`true`];
  const column = columnOf(windowed.column);
  const [lower, upper] = [msOf(filters[windowed.from]), msOf(filters[windowed.till])];
  const begun = msOf(from?.[0]);
  if (orderOf(listing, order).isDescending) {
    const end = Math.min(...[Date.now(), upper, begun].filter((ms) => ms !== null));
    const ends = lengthsMs.map((ms) => end - ms).filter((ms) => lower === null || ms > lower);
    return [...ends.map((ms) => sql`${column} >= ${momentOf(ms)}::timestamptz`), sql`true`];
  }
  const bounds = [begun, lower].filter((ms) => ms !== null);
  // Nothing changed before the account was first seen.
  if (bounds.length === 0)
    return [
      ...lengthsMs.map(
        (ms) => sql`${column} <= (
          select a.first_seen_at from custody.accounts a where a.account_id = ${account}
        ) + ${`${ms / dayMs} days`}::interval`,
      ),
      sql`true`,
    ];
  const last = Math.min(Date.now(), upper ?? Number.POSITIVE_INFINITY);
  const ends = lengthsMs.map((ms) => Math.max(...bounds) + ms).filter((ms) => ms < last);
  return [...ends.map((ms) => sql`${column} <= ${momentOf(ms)}::timestamptz`), sql`true`];
}

/** Null also for what JavaScript cannot read: a forged cursor is refused by the database. */
function msOf(moment: string | undefined): number | null {
  const ms = Date.parse(moment ?? '');
  return Number.isNaN(ms) ? null : ms;
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString();
}
