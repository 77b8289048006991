// Reports of days: the views of reporting.
import { sql } from 'drizzle-orm';
import { type Filter, type Listing, ofDays } from './list/listing.ts';

export const days = {
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
  ...ofDays,
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
  ...ofDays,
  defaultOrder: '-day',
};
