// Who was paid, and whether the whitelist held them.
import {
  destinations,
  destinationsDaily,
  destinationUses,
  destinationUseTotals,
} from '../../store/read-api/destinations.ts';
import { listOperation } from '../answer/list-operation.ts';
import { flag, flagOrUnknown, moment, text } from '../answer/parameter-kinds.ts';
import { days, network } from './reports.ts';

const destination = {
  destination_id: text('Only this destination.', 'wl_dcaa3d11d3136c8d'),
  destination_address: text('Only this address, as the service writes it.', 'bc1qexample'),
  asset_id: text('Only this asset.', 'BTC'),
  ...network,
};

export const destinationOperations = [
  listOperation({
    id: 'listDestinations',
    path: '/v1/destinations',
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
    summary: 'Withdrawals by day on which they were first seen, destination and asset',
    listing: destinationsDaily,
    row: 'DestinationDay',
    filters: { ...days, ...destination },
  }),
  listOperation({
    id: 'listDestinationUses',
    path: '/v1/destinations/uses',
    summary: 'Withdrawals of a period, and whether the whitelist held their destination when they were made',
    listing: destinationUses,
    row: 'DestinationUse',
    filters: {
      ...destination,
      transaction_id: text(
        'Only the withdrawal with this identifier.',
        '795d8712-0a2b-4ced-ad1a-67c831b7ccc3',
      ),
      status: text('Only withdrawals of this status.', 'completed'),
      is_whitelisted: flagOrUnknown(
        'Only withdrawals to a listed destination, certainly not to one, or those for which that is unknown.',
      ),
      first_seen_from: moment('Only withdrawals first seen at this moment or later.'),
      first_seen_to: moment('Only withdrawals first seen before this moment.'),
    },
  }),
  listOperation({
    id: 'listDestinationUseTotals',
    path: '/v1/destinations/uses/totals',
    summary: 'Sums of the withdrawals of a period by asset, and how much of it went off the list',
    description: 'Amounts are of what was completed. Name a period: without one, all withdrawals are read.',
    listing: destinationUseTotals,
    row: 'DestinationUseTotal',
    filters: {
      asset_id: destination.asset_id,
      ...network,
      first_seen_from: moment('Only withdrawals first seen at this moment or later.'),
      first_seen_to: moment('Only withdrawals first seen before this moment.'),
    },
  }),
];
