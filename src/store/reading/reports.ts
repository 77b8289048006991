// Reports of days, and who was paid: the views of reporting.
import { sql } from 'drizzle-orm';
import { type Filter, type Listing, ownRows } from './list/listing.ts';

const days = {
  day_from: { column: 'day', is: '>=' },
  day_to: { column: 'day', is: '<=' },
  asset_id: { column: 'asset_id', is: '=' },
} as const satisfies Record<string, Filter>;
const network = { network_id: { column: 'network_id', is: '=' } } as const satisfies Record<string, Filter>;

/** A report of days, now or as it was known at a moment. */
function reportOfDays(report: string): Listing['from'] {
  return ({ account, at }) => ({
    item:
      at === null
        ? sql`${sql.raw(`reporting.${report}`)} as v`
        : sql`${sql.raw(`reporting.${report}_at`)}(${at}::timestamptz) as v`,
    where: sql`v.account_id = ${account}`,
  });
}

export const flows: Listing = {
  name: 'flows',
  describedBy: 'reporting.flows_daily',
  columns: {
    day: 'day!',
    asset_id: 'text',
    asset_name: 'text',
    network_id: 'text',
    deposits: 'integer!',
    in_amount: 'amount',
    withdrawals: 'integer!',
    out_amount: 'amount',
    net_amount: 'amount',
    missing: 'integer!',
  },
  sums: { of: ['in_amount', 'out_amount', 'net_amount'], by: ['asset_id'] },
  from: reportOfDays('flows_daily'),
  filters: { ...days, ...network },
  orders: { day: ['day', 'asset_id', 'network_id'] },
  isOfDays: true,
  defaultOrder: '-day',
};

export const fees: Listing = {
  name: 'fees',
  describedBy: 'reporting.fees_daily',
  columns: {
    day: 'day!',
    fee_asset_id: 'text',
    fee_asset_is_assumed: 'boolean!',
    asset_id: 'text',
    asset_name: 'text',
    network_id: 'text',
    transaction_type: 'text',
    transactions: 'integer!',
    fee: 'amount',
    missing: 'integer!',
  },
  sums: { of: ['fee'], by: ['fee_asset_id'] },
  from: reportOfDays('fees_daily'),
  filters: {
    ...days,
    ...network,
    fee_asset_id: { column: 'fee_asset_id', is: '=' },
    transaction_type: { column: 'transaction_type', is: '=' },
  },
  orders: {
    day: ['day', 'fee_asset_id', 'asset_id', 'network_id', 'transaction_type', 'fee_asset_is_assumed'],
  },
  isOfDays: true,
  defaultOrder: '-day',
};

export const reconciliation: Listing = {
  name: 'reconciliation',
  describedBy: 'reporting.reconciliation_daily',
  columns: {
    day: 'day!',
    asset_id: 'text',
    asset_name: 'text',
    is_comparable: 'boolean!',
    is_explained: 'boolean',
    opening_observed_at: 'moment',
    opening_balance: 'amount',
    inflow: 'amount',
    outflow: 'amount',
    fees: 'amount',
    staking_rewards: 'amount',
    staking_losses: 'amount',
    expected_balance: 'amount',
    closing_balance: 'amount',
    closing_observed_at: 'moment!',
    timing_difference: 'amount',
    unexplained_difference: 'amount',
    uncertain_at_opening: 'amount',
    uncertain_at_closing: 'amount',
  },
  sums: {
    of: ['inflow', 'outflow', 'fees', 'staking_rewards', 'staking_losses', 'unexplained_difference'],
    by: ['asset_id'],
  },
  from: ownRows('reporting.reconciliation_daily'),
  filters: { ...days, is_explained: { column: 'is_explained', is: '=' } },
  orders: { day: ['day', 'asset_id'] },
  isOfDays: true,
  defaultOrder: '-day',
};

const destination = {
  destination_type: 'text',
  destination_id: 'text',
  destination_name: 'text',
  destination_address: 'text',
  asset_id: 'text',
  asset_name: 'text',
  network_id: 'text',
} as const;

const byDestination = {
  destination_id: { column: 'destination_id', is: '=' },
  destination_address: { column: 'destination_address', is: '=' },
  asset_id: { column: 'asset_id', is: '=' },
  network_id: { column: 'network_id', is: '=' },
} as const satisfies Record<string, Filter>;

export const destinations: Listing = {
  name: 'destinations',
  describedBy: 'reporting.destinations',
  columns: {
    ...destination,
    uses: 'integer!',
    completed_uses: 'integer!',
    completed_amount: 'amount',
    missing_uses: 'integer!',
    off_whitelist_uses: 'integer',
    unknown_whitelist_uses: 'integer!',
    first_used_at: 'moment!',
    first_transaction_id: 'text!',
    last_used_at: 'moment!',
    last_transaction_id: 'text!',
    whitelisted_at_first_use: 'boolean',
    whitelisted_now: 'boolean',
  },
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  from: ownRows('reporting.destinations'),
  filters: {
    ...byDestination,
    whitelisted_now: { column: 'whitelisted_now', is: '=' },
    last_used_from: { column: 'last_used_at', is: '>=' },
    last_used_to: { column: 'last_used_at', is: '<' },
  },
  // A withdrawal has one destination, so its identifier tells destinations apart.
  orders: {
    last_used_at: ['last_used_at', 'last_transaction_id'],
    first_used_at: ['first_used_at', 'first_transaction_id'],
  },
  defaultOrder: '-last_used_at',
};

export const destinationUses: Listing = {
  name: 'destination-uses',
  describedBy: 'reporting.destination_uses',
  columns: {
    transaction_id: 'text!',
    first_seen_after: 'moment',
    first_seen_at: 'moment!',
    status: 'text!',
    is_completed: 'boolean!',
    ...destination,
    amount: 'amount',
    is_whitelisted: 'boolean',
    whitelist_reason: 'text!',
    whitelisted_before: 'boolean',
    known_before_at: 'moment',
    whitelisted_after: 'boolean',
    known_after_at: 'moment',
    is_older_than_mirror: 'boolean!',
    missing_since: 'moment',
  },
  sums: { of: ['amount'], by: ['asset_id', 'status'] },
  from: ownRows('reporting.destination_uses'),
  filters: {
    ...byDestination,
    transaction_id: { column: 'transaction_id', is: '=' },
    status: { column: 'status', is: '=' },
    is_whitelisted: { column: 'is_whitelisted', is: '=' },
    first_seen_from: { column: 'first_seen_at', is: '>=' },
    first_seen_to: { column: 'first_seen_at', is: '<' },
  },
  orders: { first_seen_at: ['first_seen_at', 'transaction_id'] },
  defaultOrder: '-first_seen_at',
};

/** Completed withdrawals by calendar day of the account and destination. */
export const destinationsDaily: Listing = {
  name: 'destinations-daily',
  describedBy: 'reporting.destinations',
  columns: {
    day: 'day!',
    ...destination,
    uses: 'integer!',
    completed_uses: 'integer!',
    completed_amount: 'amount',
  },
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  from: ({ account }) => ({
    item: sql`(
      select c.day, d.* from reporting.calendar c cross join lateral (
        select u.destination_type, u.destination_id, max(u.destination_name) as destination_name, u.destination_address,
          u.asset_id, max(u.asset_name) as asset_name, u.network_id, count(*) as uses,
          count(*) filter (where u.status = 'completed') as completed_uses,
          case when bool_or(u.status = 'completed' and u.amount is null) then null
            else trim_scale(coalesce(sum(u.amount) filter (where u.status = 'completed'), 0)) end as completed_amount
        from custody.transactions u
        where u.account_id = c.account_id and u.transaction_type = 'withdraw'
          and u.first_seen_at >= c.starts_at and u.first_seen_at < c.ends_at
        group by u.destination_type, u.destination_id, u.destination_address, u.asset_id, u.network_id
      ) as d where c.account_id = ${account}
    ) as v`,
    where: sql`true`,
  }),
  filters: { ...days, ...byDestination },
  orders: {
    day: ['day', 'asset_id', 'network_id', 'destination_type', 'destination_id', 'destination_address'],
  },
  isOfDays: true,
  defaultOrder: '-day',
};
