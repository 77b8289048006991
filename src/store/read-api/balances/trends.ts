// How much of each asset was held at the end of each day, a row for each asset: for lines that are small
// enough to stand in a table. A day at whose end the balance was not known is left out.
import { type SQL, sql } from 'drizzle-orm';
import { equal, listOf } from '../list/list-of.ts';

export const balanceTrends = listOf({
  name: 'balance-trends',
  describedBy: 'reporting.balances_daily',
  columns: {
    vault_type: 'text!',
    asset_id: 'text!',
    network_id: 'text!',
    from_day: 'day!',
    to_day: 'day!',
    days: 'texts!',
    totals: 'texts!',
  },
  says: {
    from_day: 'The first of these days.',
    to_day: 'The last of these days.',
    days: 'The days at whose end the balance was known, in order.',
    totals: 'Total balance at the end of each of them, exact, in the same order.',
  },
  from: ({ account, filters }) => ({ item: sql`(${trendsOf(account, filters)}) as v` }),
  filters: {
    ...equal('vault_type', 'asset_id', 'network_id'),
    day_from: { column: 'from_day', is: 'within' },
    day_to: { column: 'to_day', is: 'within' },
  },
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type'] },
});

/** More would not fit into a small line, nor hundreds of rows into a small answer. */
const mostDays = 366;

/** Without a beginning, 30 days. */
function trendsOf(account: string, { day_from: from, day_to: to }: Readonly<Record<string, string>>): SQL {
  return sql`
    with span as (
      select greatest(coalesce(${from ?? null}::date, e.to_day - 29), e.to_day - ${mostDays - 1}::int) as from_day, e.to_day
      from (select coalesce(${to ?? null}::date, max(c.day)) as to_day from reporting.calendar c where c.account_id = ${account}) as e
    )
    select b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day,
      array_agg(to_char(b.day, 'YYYY-MM-DD') order by b.day) as days, array_agg(b.total_balance::text order by b.day) as totals
    from span s join reporting.balances_daily b on b.account_id = ${account} and b.day between s.from_day and s.to_day
    where b.total_balance is not null
    group by b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day`;
}
