// Days, and reports of them: the views of reporting.
import { sql } from 'drizzle-orm';
import { castTo } from './list/columns.ts';
import { asset, days, list, network, ofDays, within } from './list/list-of.ts';
import type { Listing } from './list/listing.ts';
import { moment, text } from './list/parameter-kinds.ts';

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
  name: 'days',
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
  name: 'flows',
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
  name: 'fees',
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
  name: 'fee-totals',
  view: 'reporting.fee_totals',
  describedBy: 'reporting.fees_daily',
  columns: 'fee_asset_id fee_asset_is_assumed! transactions! fee',
  says: {
    fee_asset_is_assumed:
      'Whether that is so for some of them: without a rule the asset of the transaction is assumed.',
  },
  given: ({ account, filters: { day_from, day_to } }) => [account, day_from, day_to],
  filters: days,
  conditions: within('day_from', 'day_to'),
  orders: { fee_asset_id: ['fee_asset_id'] },
});
