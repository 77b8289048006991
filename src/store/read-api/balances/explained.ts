// What explains a change of a balance: what each observed change of a transaction did to it, and the sum of
// that between two observations.
import { type SQL, sql } from 'drizzle-orm';
import { equal, listOf, ofDays, period } from '../list/list-of.ts';

export const postings = listOf({
  name: 'postings',
  describedBy: 'reporting.postings',
  columns: {
    day: 'day!',
    transaction_id: 'text!',
    kind: 'text!',
    sequence: 'integer',
    revision: 'integer',
    observed_after: 'moment',
    observed_at: 'moment!',
    transaction_type: 'text',
    from_status: 'text',
    to_status: 'text',
    asset_id: 'text',
    asset_name: 'text',
    network_id: 'text',
    inflow: 'amount',
    outflow: 'amount',
    fee: 'amount',
    total_change: 'amount',
    staked_change: 'amount',
    fee_asset_is_assumed: 'boolean',
  },
  sums: { of: ['inflow', 'outflow', 'fee', 'total_change', 'staked_change'], by: ['asset_id'] },
  says: { day: 'Calendar day of observed_at in the time zone of the account (SCHEDULE_TIMEZONE).' },
  from: ({ account, filters: { transaction_id, observed_from, observed_to } }) => ({
    item:
      transaction_id === undefined
        ? postingsOfDays(account, observed_from ?? '-infinity', observed_to ?? 'infinity')
        : postingsOf(account, transaction_id),
  }),
  filters: {
    ...equal('transaction_id', 'asset_id'),
    ...period('observed'),
  },
  orders: { day: ['day', 'observed_at', 'transaction_id', 'kind', 'asset_id'] },
  ...ofDays,
});

/**
 * Day by day: all at once, the postings of the whole history would be computed and sorted for the first page.
 */
function postingsOfDays(account: string, from: string, to: string): SQL {
  return sql`(
    select c.day, p.* from reporting.calendar c cross join lateral (
      select q.* from reporting.postings q
      where q.account_id = ${account} and q.observed_at >= greatest(c.starts_at, ${from}::timestamptz)
        and q.observed_at < least(c.ends_at, ${to}::timestamptz)
      offset 0
    ) as p
    where c.account_id = ${account} and c.ends_at > ${from}::timestamptz and c.starts_at < ${to}::timestamptz) as v`;
}

/** The date of the account is that of UTC or a neighbour: so few days of the calendar are computed. */
function postingsOf(account: string, transaction: string): SQL {
  return sql`(
    select c.day, q.* from reporting.postings q
    cross join lateral (select (q.observed_at at time zone 'UTC')::date as utc_day) as d
    join reporting.calendar c on c.account_id = q.account_id and c.day between d.utc_day - 1 and d.utc_day + 1
      and q.observed_at >= c.starts_at and q.observed_at < c.ends_at
    where q.account_id = ${account} and q.transaction_id = ${transaction}) as v`;
}

export const explained = listOf({
  name: 'reconciliation-between',
  describedBy: 'reporting.reconciliation_daily',
  columns: {
    asset_id: 'text',
    asset_name: 'text',
    opening_observed_at: 'moment',
    opening_answered_at: 'moment',
    opening_balance: 'amount',
    inflow: 'amount',
    outflow: 'amount',
    fees: 'amount',
    closing_balance: 'amount',
    closing_observed_at: 'moment!',
    closing_answered_at: 'moment!',
    difference: 'amount',
    staked_rest: 'amount',
  },
  says: {
    opening_observed_at: 'The opening observation of all vaults (its snapshot_at); null when there is none.',
    opening_answered_at: 'When its answer had arrived: transactions count from here on.',
    inflow: 'What came in, by accounting_rules; null when an amount is unknown.',
    fees: 'Fees taken from the balance.',
    closing_balance:
      'Total balance of all vaults then; 0 when the asset is not listed, null when it is unknown.',
    closing_observed_at: 'The closing observation of all vaults (its snapshot_at).',
    closing_answered_at: 'When its answer had arrived: transactions count up to here.',
    difference:
      'closing_balance - opening_balance - inflow + outflow + fees: what no transaction explains. Part of it may be staking (staked_rest), or a transaction that was read later.',
    staked_rest: 'Change of the staked and claimable balances that no transaction explains.',
  },
  from: ({ account, filters: { from, to } }) => ({
    item: sql`(
      select q.asset_id, q.asset_name, o.snapshot_at as opening_observed_at, o.answered_at as opening_answered_at,
        trim_scale(q.opening_balance) as opening_balance, trim_scale(q.inflow) as inflow, trim_scale(q.outflow) as outflow,
        trim_scale(q.fees) as fees, trim_scale(q.closing_balance) as closing_balance, e.snapshot_at as closing_observed_at,
        e.answered_at as closing_answered_at, trim_scale(q.difference) as difference, trim_scale(q.staked_rest) as staked_rest
      from (
        select s.snapshot_at, s.answered_at from custody.balance_snapshots s
        where s.account_id = ${account} and s.vault_type = 'all' and s.snapshot_at <= coalesce(${to ?? null}::timestamptz, 'infinity')
        order by s.snapshot_at desc limit 1
      ) as e
      left join lateral (
        select s.snapshot_at, s.answered_at from custody.balance_snapshots s
        where s.account_id = ${account} and s.vault_type = 'all' and s.snapshot_at <= coalesce(${from ?? null}::timestamptz, 'infinity')
          and s.snapshot_at < e.snapshot_at
        order by s.snapshot_at desc limit 1
      ) as o on true
      cross join lateral reporting.reconciliation_between(${account}, o.snapshot_at, e.snapshot_at) as q) as v`,
  }),
  filters: {
    ...equal('asset_id'),
    from: { column: 'opening_observed_at', is: 'within' },
    to: { column: 'closing_observed_at', is: 'within' },
  },
  orders: { asset_id: ['asset_id'] },
});
