// What explains a change of a balance: what each observed change of a transaction did to it, and the sum of that between two
// observations.
import { sql } from 'drizzle-orm';
import { type Listing, ownRows } from './list/listing.ts';

export const postings: Listing = {
  name: 'postings',
  describedBy: 'reporting.postings',
  columns: {
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
  from: ownRows('reporting.postings'),
  filters: {
    transaction_id: { column: 'transaction_id', is: '=' },
    asset_id: { column: 'asset_id', is: '=' },
    observed_from: { column: 'observed_at', is: '>=' },
    observed_to: { column: 'observed_at', is: '<' },
  },
  orders: { observed_at: ['observed_at', 'transaction_id', 'kind', 'asset_id'] },
  defaultOrder: '-observed_at',
};

export const explained: Listing = {
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
    opening_observed_at:
      'The last observation of all vaults that was answered before `from` (its snapshot_at); null when there is none.',
    opening_answered_at: 'When its answer had arrived: transactions count from here on.',
    inflow: 'What came in, by accounting_rules; null when an amount is unknown.',
    fees: 'Fees taken from the balance.',
    closing_balance:
      'Total balance of all vaults then; 0 when the asset is not listed, null when it is unknown.',
    closing_observed_at: 'The last observation of all vaults that was answered by `to` (its snapshot_at).',
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
        where s.account_id = ${account} and s.vault_type = 'all' and s.answered_at <= coalesce(${to ?? null}::timestamptz, 'infinity')
        order by s.answered_at desc, s.snapshot_at desc limit 1
      ) as e
      left join lateral (
        select s.snapshot_at, s.answered_at from custody.balance_snapshots s
        where s.account_id = ${account} and s.vault_type = 'all'
          and s.answered_at < least(coalesce(${from ?? null}::timestamptz, 'infinity'), e.answered_at)
        order by s.answered_at desc, s.snapshot_at desc limit 1
      ) as o on true
      cross join lateral reporting.reconciliation_between(${account}, o.snapshot_at, e.snapshot_at) as q) as v`,
    where: sql`true`,
  }),
  filters: {
    asset_id: { column: 'asset_id', is: '=' },
    from: { column: 'opening_observed_at', is: 'within' },
    to: { column: 'closing_observed_at', is: 'within' },
  },
  orders: { asset_id: ['asset_id'] },
  defaultOrder: 'asset_id',
};
