// Reports that are computed day by day, and changes that PostgreSQL would have to sort, are read span by span
// of the day or moment that leads their order: a short one first, then as long as the time that the one
// before it took allows. So a page costs no more than the spans it shows. They follow each other without a
// gap: the first has no beginning, and the last no end.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/transaction.ts';
import { castTo, jsonValue, kindOf } from './columns.ts';
import { columnOf, type Listing, orderOf, type Selection, type SpannedBy } from './listing.ts';

const dayMs = 86_400_000;
/** By how much a span may be longer than the one before it. */
const growth = 4;
/** About how long one span takes, far below the limit of a statement. */
const spanMs = 1_500;

export interface Span {
  readonly condition: SQL;
  /** The last day or moment of it, in the order of the list; null when nothing follows. */
  readonly reached: string | null;
}

/**
 * The spans of the rest of the list; one for a list that is not read in spans. Their conditions have one
 * text.
 *
 * @param from the keys behind which it begins: of a row, whose day may go on, or a day or moment alone, which
 * was read whole
 */
export async function* spansOf(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  from: readonly string[] | null,
): AsyncGenerator<Span, void, undefined> {
  const { spannedBy } = listing;
  if (spannedBy === undefined) return yield { condition: sql`true`, reached: null };
  const { isDescending } = orderOf(listing, selection.order);
  const kind = kindOf(listing.columns, spannedBy.column);
  const column = columnOf(spannedBy.column);
  const [step, behind, upTo, end] = isDescending ? [-1, '<', '>=', '-infinity'] : [1, '>', '<=', 'infinity'];
  const between = (start: string, last: string) =>
    sql.join(
      [
        sql`${column} ${sql.raw(behind)} ${castTo(kind, sql`${start}`)}`,
        sql`${column} ${sql.raw(upTo)} ${castTo(kind, sql`${last}`)}`,
      ],
      sql` and `,
    );
  const bounds = await boundsOf(tx, listing, spannedBy, selection);
  const [firstMs, lastMs] = isDescending ? bounds.toReversed() : bounds;
  // JavaScript cannot compare moments that it cannot read: then one span covers all.
  const begunMs = Date.parse(from?.[0] ?? '');
  let reachedMs = (begunMs - firstMs) * step > 0 ? begunMs : firstMs;
  // The day of a row is not read yet.
  if (kind === 'day' && from?.length !== 1) reachedMs -= step * dayMs;
  let start = isDescending ? 'infinity' : '-infinity';
  let days = 1;
  while ((lastMs - reachedMs) * step > days * dayMs) {
    reachedMs += step * days * dayMs;
    const moment = new Date(reachedMs).toISOString();
    const reached = kind === 'day' ? moment.slice(0, 10) : moment;
    const startedAt = performance.now();
    yield { condition: between(start, reached), reached };
    const took = Math.max(1, performance.now() - startedAt);
    start = reached;
    days = Math.max(1, Math.floor(days * Math.min(growth, spanMs / took)));
  }
  yield { condition: between(start, end), reached: null };
}

/** All rows lie between these moments, except those dated by a wrong clock. */
async function boundsOf(
  tx: Tx,
  { columns }: Listing,
  { column, from, to }: SpannedBy,
  { account, filters }: Selection,
): Promise<readonly [number, number]> {
  const kind = kindOf(columns, column);
  const given = (filter: string) => castTo(kind, sql`${filters[filter] ?? null}`);
  // In another zone the moment may belong to another day.
  const margin = sql.raw(`interval '${kind === 'day' ? 1 : 0} days'`);
  const { rows } = await tx.run('read.bounds', (db) =>
    db.execute<{ earliest: string; latest: string }>(sql`
      select ${jsonValue(kind, sql`greatest(${given(from)}, ${castTo(kind, sql`(a.first_seen_at - ${margin})`)})`)} as earliest,
        ${jsonValue(kind, sql`least(${given(to)}, ${castTo(kind, sql`(now() + ${margin})`)})`)} as latest
      from custody.accounts a where a.account_id = ${account}`),
  );
  return [Date.parse(rows[0]?.earliest ?? ''), Date.parse(rows[0]?.latest ?? '')];
}
