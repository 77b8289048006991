// Whether transactions explain the balances, down to the postings: the views of reporting.

import { sql } from 'drizzle-orm';
import { castTo } from './list/columns.ts';
import { asset, calling, days, type Listing, list, network, ofDays, period, within } from './list/listing.ts';
import { choice, flagOrUnknown, moment, text } from './list/parameter-kinds.ts';

// Days, and reports of them: the views of reporting.

/** A daily report as it was known at a moment. */
function knownAt(report: string): Listing['from'] {
  return ({ account, at }) => ({
    item: sql`${sql.raw(`reporting.${report}_at`)}(${at}::timestamptz) as v`,
    where: sql`v.account_id = ${account}`,
  });
}

/** The day that holds a moment is that of UTC or a neighbour: the others need not be computed. */
function holds(_selection: unknown, moment: string) {
  const at = castTo('moment', sql`${moment}`);
  return sql`v.starts_at <= ${at} and v.ends_at > ${at}
    and v.day between (${at} at time zone 'UTC')::date - 2 and (${at} at time zone 'UTC')::date + 2`;
}

export const calendar = list({
  id: 'listDays',
  path: '/v1/days',
  summary: 'The days of the account: when each begins and ends, and in which time zone',
  description: 'From the first mirrored day until today. All daily reports use these days.',
  row: 'Day',
  view: 'reporting.calendar',
  columns: 'day! starts_at! ends_at! time_zone!',
  filters: { ...days, holds: moment('Only the day that contains this moment.') },
  conditions: { holds: { column: 'starts_at', is: '<=', by: holds } },
  orders: { day: ['day'] },
  defaultOrder: '-day',
});

export const flows = list({
  id: 'listFlows',
  path: '/v1/flows',
  summary: 'What came in and went out, by day, asset and network',
  description: 'With `at`, as the days were known at that moment.',
  row: 'Flow',
  view: 'reporting.flows_daily',
  columns:
    'day! asset_id asset_name network_id deposits! in_amount withdrawals! out_amount net_amount missing!',
  sums: { of: ['in_amount', 'out_amount', 'net_amount'], by: ['asset_id'] },
  filters: { ...days, ...asset, ...network },
  orders: { day: ['day', 'asset_id', 'network_id'] },
  ...ofDays,
  past: { row: 'FlowAt', of: 'transactions', from: knownAt('flows_daily') },
});

export const fees = list({
  id: 'listFees',
  path: '/v1/fees',
  summary: 'Fees by day, asset of the fee, asset and type of the transaction',
  description: 'With `at`, as the days were known at that moment.',
  row: 'Fee',
  view: 'reporting.fees_daily',
  columns: `
    day! fee_asset_id fee_asset_is_assumed! asset_id asset_name network_id transaction_type transactions! fee
    missing!`,
  sums: { of: ['fee'], by: ['fee_asset_id'] },
  filters: {
    ...days,
    ...asset,
    ...network,
    fee_asset_id: text('Only fees paid in this asset.', 'ETH'),
    transaction_type: text('Only fees of transactions of this type.', 'withdraw'),
  },
  orders: {
    day: ['day', 'fee_asset_id', 'asset_id', 'network_id', 'transaction_type', 'fee_asset_is_assumed'],
  },
  ...ofDays,
  past: { row: 'FeeAt', of: 'transactions', from: knownAt('fees_daily') },
});

export const feeTotals = list({
  id: 'listFeeTotals',
  path: '/v1/fees/totals',
  summary: 'Total fees over a span of days by the asset in which they were paid',
  description: 'Set the days: without them, all are read.',
  row: 'FeeTotal',
  view: 'reporting.fee_totals',
  describedBy: 'reporting.fees_daily',
  columns: 'fee_asset_id fee_asset_is_assumed! transactions! fee',
  given: ({ account, filters: { day_from, day_to } }) => [account, day_from, day_to],
  filters: days,
  conditions: within('day_from', 'day_to'),
  orders: { fee_asset_id: ['fee_asset_id'] },
});

export const reconciliation = list({
  id: 'listReconciliation',
  path: '/v1/reconciliation',
  summary: 'Whether transactions explain the balances, by day and asset',
  row: 'ReconciledDay',
  view: 'reporting.reconciliation_daily',
  columns: `
    day! asset_id asset_name is_comparable! is_explained opening_observed_at opening_balance inflow outflow fees
    staking_rewards staking_losses expected_balance closing_balance closing_observed_at! timing_difference
    unexplained_difference uncertain_at_opening uncertain_at_closing`,
  sums: {
    of: ['inflow', 'outflow', 'fees', 'staking_rewards', 'staking_losses', 'unexplained_difference'],
    by: ['asset_id'],
  },
  filters: {
    ...days,
    ...asset,
    is_explained: flagOrUnknown('Only days that are explained, not explained, or undecided.'),
  },
  orders: { day: ['day', 'asset_id'] },
  ...ofDays,
});

export const explained = list({
  id: 'listReconciledSpan',
  path: '/v1/reconciliation/between',
  summary: 'Whether transactions explain the balances between two observations, by asset',
  description: 'Default: between the last two observations of all vaults.',
  row: 'ExplainedChange',
  name: 'reconciliation-between',
  view: 'reporting.reconciliation_of_span',
  describedBy: 'reporting.reconciliation_daily',
  columns: `
    asset_id asset_name opening_observed_at opening_answered_at opening_balance inflow outflow fees
    closing_balance closing_observed_at! closing_answered_at! difference staked_rest`,
  given: ({ account, filters: { from, to } }) => [account, from, to],
  filters: {
    from: moment(
      'The opening is the last observation that began by this moment (snapshot_at), before the closing.',
    ),
    to: moment('The closing is the last observation that began by this moment (snapshot_at).'),
    ...asset,
  },
  conditions: within('from', 'to'),
  orders: { asset_id: ['asset_id'] },
});

export const postings = list({
  id: 'listPostings',
  path: '/v1/postings',
  summary: 'The effect of each observed transaction change on the balance of an asset',
  row: 'Posting',
  view: 'reporting.postings_of_days',
  describedBy: 'reporting.postings',
  columns: `
    day! transaction_id! kind! sequence revision observed_after observed_at! transaction_type from_status
    to_status asset_id asset_name network_id inflow outflow fee total_change staked_change fee_asset_is_assumed`,
  sums: { of: ['inflow', 'outflow', 'fee', 'total_change', 'staked_change'], by: ['asset_id'] },
  from: ({ account, filters: { transaction_id, observed_from, observed_to } }) =>
    transaction_id === undefined
      ? calling('reporting.postings_of_days', [account, observed_from, observed_to])
      : calling('reporting.postings_of_transaction', [account, transaction_id]),
  filters: {
    transaction_id: text('Only those of this transaction.', '795d8712-0a2b-4ced-ad1a-67c831b7ccc3'),
    ...asset,
    ...period('observed', 'what was first seen'),
  },
  orders: { day: ['day', 'observed_at', 'transaction_id', 'kind', 'asset_id'] },
  ...ofDays,
});

const posting = `
  day! asset_id asset_name network_id transaction_id! kind! number! observed_after observed_at!
  transaction_type from_status to_status! inflow outflow fee total_change staked_change`;
const postingFilters = {
  ...days,
  ...asset,
  kind: choice(['status', 'correction'], 'Only changes of a status, or only corrections.'),
};
const byDay = { day: ['day', 'observed_at', 'transaction_id', 'kind', 'number', 'asset_id'] };

export const reconciliationPostings = list({
  id: 'listReconciledPostings',
  path: '/v1/reconciliation/postings',
  summary: 'The postings behind each day of the reconciliation',
  description: 'Those of a day and asset add up to `inflow`, `outflow` and `fees` of its row.',
  row: 'ReconciliationPosting',
  name: 'reconciliation-postings',
  view: 'reporting.reconciliation_postings',
  columns: `${posting} fee_asset_is_assumed`,
  sums: { of: ['inflow', 'outflow', 'fee'], by: ['asset_id'] },
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
});

export const reconciliationUncertain = list({
  id: 'listUncertainPostings',
  path: '/v1/reconciliation/uncertain',
  summary: 'Postings that may belong on either side of the last observation of a day',
  description: 'That observation closes its day and opens the next observed day.',
  row: 'UncertainPosting',
  name: 'reconciliation-uncertain',
  view: 'reporting.reconciliation_uncertain',
  columns: `${posting} closing_observed_at!`,
  filters: postingFilters,
  orders: byDay,
  ...ofDays,
});

export const lateCorrections = list({
  id: 'listLateCorrections',
  path: '/v1/late-corrections',
  summary: 'Figures known at the end of a day that differ from those known now',
  row: 'LateCorrection',
  view: 'reporting.late_corrections',
  columns: `
    day! measure! transaction_type asset_id network_id as_reported as_known_now difference transactions!
    corrected_at! corrected_after! reason! currency vault_type`,
  filters: { ...days, ...asset, measure: text('Only this figure.', 'in_amount') },
  orders: { day: ['day', 'measure', 'transaction_type', 'asset_id', 'network_id', 'currency', 'vault_type'] },
  ...ofDays,
});
