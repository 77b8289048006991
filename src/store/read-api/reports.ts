// Days, and reports of them: the views of reporting.
import { type SQL, sql } from 'drizzle-orm';
import { castTo } from './list/columns.ts';
import { days, equal, listOf, ofDays } from './list/list-of.ts';
import type { Listing } from './list/listing.ts';

/** A daily report, as known now or at a moment. */
function reportOfDays(report: string): Listing['from'] {
  return ({ account, at }) => ({
    item:
      at === null
        ? sql`${sql.raw(`reporting.${report}`)} as v`
        : sql`${sql.raw(`reporting.${report}_at`)}(${at}::timestamptz) as v`,
    where: sql`v.account_id = ${account}`,
  });
}

/** The day that holds a moment is that of UTC or a neighbour: the others need not be computed. */
function holds(_selection: unknown, moment: string): SQL {
  const at = castTo('moment', sql`${moment}`);
  return sql`v.starts_at <= ${at} and v.ends_at > ${at}
    and v.day between (${at} at time zone 'UTC')::date - 2 and (${at} at time zone 'UTC')::date + 2`;
}

export const calendar = listOf({
  name: 'days',
  describedBy: 'reporting.calendar',
  columns: { day: 'day!', starts_at: 'moment!', ends_at: 'moment!', time_zone: 'text!' },
  filters: { ...days, holds: { column: 'starts_at', is: '<=', by: holds } },
  orders: { day: ['day'] },
  defaultOrder: '-day',
});

export const flows = listOf({
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
  filters: { ...days, ...equal('asset_id', 'network_id') },
  orders: { day: ['day', 'asset_id', 'network_id'] },
  ...ofDays,
});

export const fees = listOf({
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
  filters: { ...days, ...equal('asset_id', 'network_id', 'fee_asset_id', 'transaction_type') },
  orders: {
    day: ['day', 'fee_asset_id', 'asset_id', 'network_id', 'transaction_type', 'fee_asset_is_assumed'],
  },
  ...ofDays,
});

/** Sums of the fees of a span of days. The filters are those of the days that are summed up. */
export const feeTotals = listOf({
  name: 'fee-totals',
  describedBy: 'reporting.fees_daily',
  columns: {
    fee_asset_id: 'text',
    fee_asset_is_assumed: 'boolean!',
    transactions: 'integer!',
    fee: 'amount',
  },
  says: {
    fee_asset_is_assumed:
      'Whether that is so for some of them: without a rule the asset of the transaction is assumed.',
  },
  from: ({ account, filters: { day_from: from, day_to: to } }) => ({
    item: sql`(
      select f.fee_asset_id, bool_or(f.fee_asset_is_assumed) as fee_asset_is_assumed, sum(f.transactions) as transactions,
        trim_scale(sum(f.fee)) as fee
      from reporting.fees_daily f
      where f.account_id = ${account}
        ${from === undefined ? sql`` : sql` and f.day >= ${from}::date`}
        ${to === undefined ? sql`` : sql` and f.day <= ${to}::date`}
      group by f.fee_asset_id
    ) as v`,
  }),
  filters: {
    day_from: { ...days.day_from, by: () => sql`true` },
    day_to: { ...days.day_to, by: () => sql`true` },
  },
  orders: { fee_asset_id: ['fee_asset_id'] },
});
