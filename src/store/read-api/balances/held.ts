// The balances that a selection is about, and their prices: now, at a moment, or at the close of a day. The
// close is the last observation that was answered on the day, at the last prices before the day ended, as in
// balances_daily, balance_values_daily and portfolio_value_daily.
import { type SQL, sql } from 'drizzle-orm';
import { isDay } from '../../../domain/instant.ts';
import type { Scope } from '../list/listing.ts';

/** An item with the alias `b`; of each row `priced_before` bounds its price. */
export function held({ account, at }: Scope): SQL {
  const from = (rows: SQL, before: SQL, condition = sql`true`) =>
    sql`(select r.*, ${before} as priced_before from ${rows} as r where r.account_id = ${account} and ${condition}) as b`;
  if (at === null) return from(sql`reporting.balances_current`, sql`'infinity'::timestamptz`);
  if (isDay(at)) return from(sql`reporting.balances_daily`, sql`r.ends_at`, sql`r.day = ${at}::date`);
  const moment = sql`${at}::timestamptz`;
  return from(sql`reporting.balances_at(${moment})`, sql`${moment} + interval '1 microsecond'`);
}

/** Whether an observation `o` was answered by then; at the close of a day, on that day. */
export function isAnsweredBy({ account, at }: Scope): SQL {
  if (at === null) return sql`true`;
  if (!isDay(at)) return sql`o.answered_at <= ${at}::timestamptz`;
  return sql`exists (
    select from reporting.calendar d
    where d.account_id = ${account} and d.day = ${at}::date and o.answered_at >= d.starts_at and o.answered_at < d.ends_at)`;
}
