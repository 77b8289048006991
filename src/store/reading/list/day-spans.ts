// Reports that are computed day by day are read span by span: a short one first, then as long as the time that the spans before
// it took allows. So one page costs no more than the days it shows, and a whole report begins with its first days.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../postgres/transaction.ts';
import { jsonValue } from './columns.ts';
import type { Selection } from './listing.ts';

const firstDays = 1;
/** By how much a span may be longer than the one before it. */
const growth = 8;
/** About how long one span takes, far below the limit of a statement. */
const spanMs = 1_500;
const dayMs = 86_400_000;

export interface DaySpan {
  /** Condition on `v.day`. */
  readonly condition: SQL;
  /** The last day of it, in the order of the list; null when no day follows. */
  readonly reached: string | null;
}

/**
 * The days at which the rest of the list begins and ends, in its order, as YYYY-MM-DD.
 *
 * @param from the keys behind which it begins: of a row, whose day may go on, or a day alone, which was read whole
 */
export async function endsOfDays(
  tx: Tx,
  { account, filters, order }: Selection,
  from: readonly string[] | null,
): Promise<{ readonly first: string; readonly last: string }> {
  const [start, end] = [filters['day_from'], filters['day_to']];
  const { rows } = await tx.run('read.days', (db) =>
    db.execute<{ earliest: string; latest: string }>(sql`
      select ${jsonValue('day', sql`greatest(${start ?? null}::date, a.first_seen_at::date - 1)`)} as earliest,
        ${jsonValue('day', sql`least(${end ?? null}::date, current_date + 1)`)} as latest
      from custody.accounts a where a.account_id = ${account}`),
  );
  const { earliest, latest } = rows[0] ?? { earliest: '', latest: '' };
  const isDescending = order.startsWith('-');
  const begun = from === null ? undefined : from.length > 1 ? from[0] : dayAfter(from[0] ?? '', isDescending);
  return isDescending
    ? { first: begun !== undefined && begun < latest ? begun : latest, last: earliest }
    : { first: begun !== undefined && begun > earliest ? begun : earliest, last: latest };
}

/** The day that follows in the order of the list; the day itself where JavaScript cannot read it. */
function dayAfter(day: string, isDescending: boolean): string {
  const ms = Date.parse(day) + (isDescending ? -dayMs : dayMs);
  return Number.isNaN(ms) ? day : dayOf(ms);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Spans that follow each other without a gap: the first has no beginning, and the last no end. Their conditions have one text. */
export function* daySpans(
  { first, last }: { readonly first: string; readonly last: string },
  isDescending: boolean,
): Generator<DaySpan, void, undefined> {
  const [step, behind, upTo, end] = isDescending ? [-1, '<', '>=', '-infinity'] : [1, '>', '<=', 'infinity'];
  const between = (start: string, reached: string) =>
    sql`v.day ${sql.raw(behind)} ${start}::date and v.day ${sql.raw(upTo)} ${reached}::date`;
  const lastMs = Date.parse(last);
  let start = isDescending ? 'infinity' : '-infinity';
  let reachedMs = Date.parse(first) - step * dayMs;
  let days = firstDays;
  // A day that JavaScript cannot read compares as not before the last one: one span covers all.
  while ((lastMs - reachedMs) * step > days * dayMs) {
    reachedMs += step * days * dayMs;
    const reached = dayOf(reachedMs);
    const startedAt = performance.now();
    yield { condition: between(start, reached), reached };
    const took = Math.max(1, performance.now() - startedAt);
    start = reached;
    days = Math.max(firstDays, Math.floor(days * Math.min(growth, spanMs / took)));
  }
  yield { condition: between(start, end), reached: null };
}
