// Days, and reports of them.
import { calendar, fees, feeTotals, flows } from '../../store/read-api/reports.ts';
import { listOperation } from '../answer/list-operation.ts';
import { day, moment, text } from '../answer/parameter-kinds.ts';

export const days = {
  day_from: day("Only this day and later ones, in the account's time zone."),
  day_to: day("Only this day and earlier ones, in the account's time zone."),
  asset_id: text('Only this asset.', 'BTC'),
};
export const network = { network_id: text('Only this network; empty if the service names none.', 'BTC') };
export const reportOperations = [
  listOperation({
    id: 'listDays',
    path: '/v1/days',
    summary: 'The days of the account: when each begins and ends, and in which time zone',
    description: 'From the first mirrored day until today. All daily reports use these days.',
    listing: calendar,
    row: 'Day',
    filters: {
      day_from: days.day_from,
      day_to: days.day_to,
      holds: moment('Only the day that contains this moment.'),
    },
  }),
  listOperation({
    id: 'listFlows',
    path: '/v1/flows',
    summary: 'What came in and went out, by day, asset and network',
    description: 'With `at`, as the days were known at that moment.',
    listing: flows,
    row: 'Flow',
    past: { listing: { ...flows, name: 'flows-at' }, row: 'FlowAt', of: 'transactions' },
    filters: { ...days, ...network },
  }),
  listOperation({
    id: 'listFees',
    path: '/v1/fees',
    summary: 'Fees by day, asset of the fee, asset and type of the transaction',
    description: 'With `at`, as the days were known at that moment.',
    listing: fees,
    row: 'Fee',
    past: { listing: { ...fees, name: 'fees-at' }, row: 'FeeAt', of: 'transactions' },
    filters: {
      ...days,
      ...network,
      fee_asset_id: text('Only fees paid in this asset.', 'ETH'),
      transaction_type: text('Only fees of transactions of this type.', 'withdraw'),
    },
  }),
  listOperation({
    id: 'listFeeTotals',
    path: '/v1/fees/totals',
    summary: 'Total fees over a span of days by the asset in which they were paid',
    description: 'Set the days: without them, all are read.',
    listing: feeTotals,
    row: 'FeeTotal',
    filters: { day_from: days.day_from, day_to: days.day_to },
  }),
];
