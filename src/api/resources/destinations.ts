// Payees, and whether they were whitelisted.
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
    summary: 'Payees, and whether they are whitelisted',
    listing: destinations,
    row: 'Destination',
    filters: {
      ...destination,
      whitelisted_now: flag('Only destinations that are whitelisted now, or that are not.'),
      last_used_from: moment('Only those last used at this moment or later.'),
      last_used_to: moment('Only those last used before this moment.'),
    },
  }),
  listOperation({
    id: 'listDestinationDays',
    path: '/v1/destinations/daily',
    summary: 'Withdrawals by the day they were first seen, by destination and asset',
    listing: destinationsDaily,
    row: 'DestinationDay',
    filters: { ...days, ...destination },
  }),
  listOperation({
    id: 'listDestinationUses',
    path: '/v1/destinations/uses',
    summary: 'Withdrawals in a period, and whether their destination was whitelisted at the time',
    listing: destinationUses,
    row: 'DestinationUse',
    filters: {
      ...destination,
      transaction_id: text(
        'Only the withdrawal with this identifier.',
        '795d8712-0a2b-4ced-ad1a-67c831b7ccc3',
      ),
      status: text('Only withdrawals with this status.', 'completed'),
      is_whitelisted: flagOrUnknown(
        'Only withdrawals to whitelisted destinations, to destinations known not to be whitelisted, or those for which it is unknown.',
      ),
      first_seen_from: moment('Only withdrawals first seen at this moment or later.'),
      first_seen_to: moment('Only withdrawals first seen before this moment.'),
    },
  }),
  listOperation({
    id: 'listDestinationUseTotals',
    path: '/v1/destinations/uses/totals',
    summary:
      'Totals of the withdrawals in a period by asset, and how much went to non-whitelisted destinations',
    description: 'Amounts are of completed withdrawals. Set a period: without one, all withdrawals are read.',
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
