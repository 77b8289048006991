// Reports of days, and who was paid.
import { explained, postings } from '../../../store/reading/explained.ts';
import {
  destinations,
  destinationsDaily,
  destinationUses,
  fees,
  flows,
  reconciliation,
} from '../../../store/reading/reports.ts';
import { listOperation } from '../answer/list-operation.ts';
import { day, flag, moment, text } from '../answer/parameter-kinds.ts';

const tag = 'Reports';

const days = {
  day_from: day("Only this day and later ones, in the account's time zone."),
  day_to: day("Only this day and earlier ones, in the account's time zone."),
  asset_id: text('Only this asset.', 'BTC'),
};
const network = { network_id: text('Only this network; empty where the service names none.', 'BTC') };
const destination = {
  destination_id: text('Only this destination.', 'wl_dcaa3d11d3136c8d'),
  destination_address: text('Only this address, as the service writes it.', 'bc1qexample'),
  asset_id: text('Only this asset.', 'BTC'),
  ...network,
};

export const reportOperations = [
  listOperation({
    id: 'listFlows',
    path: '/v1/flows',
    tag,
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
    tag,
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
    id: 'listReconciliation',
    path: '/v1/reconciliation',
    tag,
    summary: 'Whether transactions explain the balances, by day and asset',
    listing: reconciliation,
    row: 'ReconciledDay',
    filters: { ...days, is_explained: flag('Only days that are explained, or that are not.') },
  }),
  listOperation({
    id: 'listReconciliationBetween',
    path: '/v1/reconciliation/between',
    tag,
    summary: 'Whether transactions explain the balances between two observations, by asset',
    description: 'Without `from` and `to`, between the last two observations of all vaults.',
    listing: explained,
    row: 'ExplainedChange',
    filters: {
      from: moment('The opening is the last observation that was answered before this moment.'),
      to: moment('The closing is the last observation that was answered by this moment.'),
      asset_id: days.asset_id,
    },
  }),
  listOperation({
    id: 'listPostings',
    path: '/v1/postings',
    tag,
    summary: 'What each observed change of a transaction did to the balance of an asset',
    listing: postings,
    row: 'Posting',
    filters: {
      transaction_id: text('Only those of this transaction.', '795d8712-0a2b-4ced-ad1a-67c831b7ccc3'),
      asset_id: days.asset_id,
      observed_from: moment('Only what was first seen at this moment or later.'),
      observed_to: moment('Only what was first seen before this moment.'),
    },
  }),
  listOperation({
    id: 'listDestinations',
    path: '/v1/destinations',
    tag,
    summary: 'Who was paid, and whether the whitelist held them',
    listing: destinations,
    row: 'Destination',
    filters: {
      ...destination,
      whitelisted_now: flag('Only destinations that the whitelist holds now, or that it does not.'),
      last_used_from: moment('Only those last used at this moment or later.'),
      last_used_to: moment('Only those last used before this moment.'),
    },
  }),
  listOperation({
    id: 'listDestinationDays',
    path: '/v1/destinations/daily',
    tag,
    summary: 'Withdrawals by day on which they were first seen, destination and asset',
    listing: destinationsDaily,
    row: 'DestinationDay',
    filters: { ...days, ...destination },
  }),
  listOperation({
    id: 'listDestinationUses',
    path: '/v1/destinations/uses',
    tag,
    summary: 'Withdrawals of a period, and whether the whitelist held their destination when they were made',
    listing: destinationUses,
    row: 'DestinationUse',
    filters: {
      ...destination,
      status: text('Only withdrawals of this status.', 'completed'),
      is_whitelisted: flag('Only withdrawals to a listed destination, or certainly not to one.'),
      first_seen_from: moment('Only withdrawals first seen at this moment or later.'),
      first_seen_to: moment('Only withdrawals first seen before this moment.'),
    },
  }),
];
