// Whether transactions explain the balances, down to the postings: the views of reporting.
import { days, equal, listOf, ofDays } from './list/list-of.ts';

export const reconciliation = listOf({
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
  filters: { ...days, ...equal('asset_id', 'is_explained') },
  orders: { day: ['day', 'asset_id'] },
  ...ofDays,
});

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

const postingFilters = { ...days, ...equal('asset_id', 'kind') };

const byDay = { day: ['day', 'observed_at', 'transaction_id', 'kind', 'number', 'asset_id'] };

export const reconciliationPostings = listOf({
  name: 'reconciliation-postings',
  describedBy: 'reporting.reconciliation_postings',
  columns: { ...posting, fee_asset_is_assumed: 'boolean' },
  sums: { of: ['inflow', 'outflow', 'fee'], by: ['asset_id'] },
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
});

export const reconciliationUncertain = listOf({
  name: 'reconciliation-uncertain',
  describedBy: 'reporting.reconciliation_uncertain',
  columns: { ...posting, closing_observed_at: 'moment!' },
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
});

export const lateCorrections = listOf({
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
    reason: 'text!',
    currency: 'text',
    vault_type: 'text',
  },
  says: { corrected_after: 'How many seconds after the end of the day that was.' },
  filters: { ...days, ...equal('asset_id', 'measure') },
  orders: { day: ['day', 'measure', 'transaction_type', 'asset_id', 'network_id', 'currency', 'vault_type'] },
  ...ofDays,
});
