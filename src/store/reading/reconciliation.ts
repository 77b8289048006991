// Whether transactions explain the balances, down to the postings: the views of reporting.
import { type Filter, type Listing, ofDays, ownRows } from './list/listing.ts';
import { days } from './reports.ts';

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
  ...ofDays,
  defaultOrder: '-day',
};

const posting = {
  day: 'day!',
  asset_id: 'text',
  asset_name: 'text',
  network_id: 'text',
  transaction_id: 'text!',
  kind: 'text!',
  number: 'integer!',
  observed_after: 'moment',
  observed_at: 'moment!',
  transaction_type: 'text',
  from_status: 'text',
  to_status: 'text!',
  inflow: 'amount',
  outflow: 'amount',
  fee: 'amount',
  total_change: 'amount',
  staked_change: 'amount',
} as const;

const postingFilters = {
  ...days,
  kind: { column: 'kind', is: '=' },
} as const satisfies Record<string, Filter>;

const byDay = { day: ['day', 'observed_at', 'transaction_id', 'kind', 'number', 'asset_id'] };

export const reconciliationPostings: Listing = {
  name: 'reconciliation-postings',
  describedBy: 'reporting.reconciliation_postings',
  columns: { ...posting, fee_asset_is_assumed: 'boolean' },
  sums: { of: ['inflow', 'outflow', 'fee'], by: ['asset_id'] },
  from: ownRows('reporting.reconciliation_postings'),
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
  defaultOrder: '-day',
};

export const reconciliationUncertain: Listing = {
  name: 'reconciliation-uncertain',
  describedBy: 'reporting.reconciliation_uncertain',
  columns: { ...posting, closing_observed_at: 'moment!' },
  from: ownRows('reporting.reconciliation_uncertain'),
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
  defaultOrder: '-day',
};

export const lateCorrections: Listing = {
  name: 'late-corrections',
  describedBy: 'reporting.late_corrections',
  columns: {
    day: 'day!',
    measure: 'text!',
    transaction_type: 'text',
    asset_id: 'text',
    network_id: 'text',
    as_reported: 'amount',
    as_known_now: 'amount',
    difference: 'amount',
    transactions: 'integer!',
    corrected_at: 'moment!',
    corrected_after: 'seconds!',
  },
  from: ownRows('reporting.late_corrections'),
  filters: { ...days, measure: { column: 'measure', is: '=' } },
  orders: { day: ['day', 'measure', 'transaction_type', 'asset_id', 'network_id'] },
  ...ofDays,
  defaultOrder: '-day',
};
