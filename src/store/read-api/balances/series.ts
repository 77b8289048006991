// The balances of assets over a span of time: of one, step by step, as a chart wants them, and of all, day by
// day, for lines that are small enough to stand in a table.
import { type SQL, sql } from 'drizzle-orm';
import { balanceAmounts } from '../../../domain/fields.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { fieldColumns } from '../list/columns.ts';
import { days, list, within } from '../list/list-of.ts';
import { identifier, moment } from '../list/parameter-kinds.ts';
import { balanceFilters } from './balances.ts';

export const balanceSeries = list({
  id: 'listBalanceSeries',
  path: '/v1/balances/assets/{asset_id}/series',
  summary:
    'The balances of one asset over a span of time, evenly sampled, with gaps where nothing was observed',
  description:
    'The exact last observation of each step; the length of steps is chosen to give at most about 200. Steps without an observation are left out; each gap has one row. /v1/balances/history has every change.',
  row: 'BalancePoint',
  name: 'balance-series',
  view: 'reporting.balance_series',
  describedBy: 'reporting.balance_snapshots',
  columns: `
    starts_at! ends_at! vault_type! asset_id! asset_name network_id! network_name state! observed_at
    ${fieldColumns(balanceAmounts)} gap_from gap_to`,
  says: {
    starts_at: 'Where the step begins: the shortest length for which the span has at most about 200.',
    ends_at: 'Where the step ends. From a day on, steps are days of the account.',
    state:
      'observed; unreadable (the record could not be read, or none of the asset could be identified: the balance is unknown, not zero); not listed (the observation showed no such asset); or not observed (a gap).',
    observed_at: 'The last observation that was answered within the step (its snapshot_at); null in a gap.',
    gap_from: 'In a gap: the last observation before it; null when there is none.',
    gap_to: 'In a gap: the first observation after it; null while it lasts.',
  },
  given: ({ account, filters: { asset_id, from, to } }) => [account, asset_id, from, to],
  filters: {
    asset_id: identifier('Identifier of the asset.', 'BTC'),
    network_id: balanceFilters.network_id,
    vault_type: balanceFilters.vault_type,
    from: moment(
      'Start of the span. Default: 30 days before its end. Anything before the initial sync is left out.',
    ),
    to: moment('End of the span. Default, and latest: now.'),
  },
  conditions: within('asset_id', 'from', 'to'),
  orders: { starts_at: ['starts_at', 'vault_type', 'network_id'] },
  exists: hasAsset,
});

export const balanceTrends = list({
  id: 'listBalanceTrends',
  path: '/v1/balances/trends',
  summary: 'How much of each asset was held at the end of each day, in one row for each asset',
  description:
    'Daily totals: 30 days without `day_from`, at most the last 366. A day without an observation, or with an unknown or unlisted closing balance, is left out: that is not zero.',
  row: 'BalanceTrend',
  name: 'balance-trends',
  view: 'reporting.balances_daily',
  columns: 'vault_type! asset_id! network_id! from_day! to_day! days! totals!',
  says: {
    from_day: 'The first of these days.',
    to_day: 'The last of these days.',
    days: 'The days at whose end the balance was known, in order.',
    totals: 'Total balance at the end of each of them, exact, in the same order.',
  },
  kinds: { from_day: 'day', to_day: 'day', days: 'texts', totals: 'texts' },
  from: ({ account, filters }) => ({ item: sql`(${trendsOf(account, filters)}) as v` }),
  filters: { ...balanceFilters, ...days },
  conditions: within('day_from', 'day_to'),
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

/** Whether any observation ever listed the asset. */
async function hasAsset(tx: Tx, account: string, asset: string): Promise<boolean> {
  const among = (table: string) => sql`exists (
    select from ${sql.raw(table)} b
    where b.account_id = ${account} and b.vault_type in ('all', 'warm', 'cold') and b.asset_id = ${asset})`;
  const { rows } = await tx.run('read.has-asset', (db) =>
    db.execute<{ found: boolean }>(
      sql`select ${among('custody.balances')} or ${among('custody.unreadable_balances')} as found`,
    ),
  );
  return rows[0]?.found === true;
}
