// Payees, and whether they were whitelisted: the views of reporting.
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { transactions as table } from '../../../drizzle/transactions.ts';
import { digestFilter } from './list/columns.ts';
import { asset, type Condition, days, list, network, ofDays, period, within } from './list/listing.ts';
import { flag, flagOrUnknown, text } from './list/parameter-kinds.ts';

const destination =
  'destination_type destination_id destination_name destination_address asset_id asset_name network_id';

const byDestination = {
  destination_id: text('Only this destination.', 'wl_dcaa3d11d3136c8d'),
  destination_address: text('Only this address, as the service writes it.', 'bc1qexample'),
  ...asset,
  ...network,
};

export const destinations = list({
  id: 'listDestinations',
  path: '/v1/destinations',
  summary: 'Payees, and whether they are whitelisted',
  row: 'Destination',
  view: 'reporting.destinations',
  columns: `
    ${destination} uses! completed_uses! completed_amount missing_uses! non_whitelisted_uses
    unknown_whitelist_uses! first_used_at! first_transaction_id! last_used_at! last_transaction_id!
    whitelisted_at_first_use whitelisted_now`,
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  filters: {
    ...byDestination,
    whitelisted_now: flag('Only destinations that are whitelisted now, or that are not.'),
    ...period('last_used', 'those last used'),
  },
  // A withdrawal has one destination, so its identifier distinguishes destinations.
  orders: {
    last_used_at: ['last_used_at', 'last_transaction_id'],
    first_used_at: ['first_used_at', 'first_transaction_id'],
  },
  defaultOrder: '-last_used_at',
});

export const destinationsDaily = list({
  id: 'listDestinationDays',
  path: '/v1/destinations/daily',
  summary: 'Withdrawals by the day they were first seen, by destination and asset',
  row: 'DestinationDay',
  name: 'destinations-daily',
  view: 'reporting.destinations_daily',
  describedBy: 'reporting.destinations',
  columns: `day! ${destination} uses! completed_uses! completed_amount`,
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  filters: { ...days, ...asset, ...byDestination },
  orders: {
    day: ['day', 'asset_id', 'network_id', 'destination_type', 'destination_id', 'destination_address'],
  },
  ...ofDays,
});

const paid = alias(table, 't');
const equals = digestFilter(paid);

/** Found by the index of digests: most destinations have few payments. */
function digested(column: 'destinationId' | 'destinationAddress'): Partial<Condition> {
  return {
    by: ({ account }, value) => sql`v.transaction_id in (
      select t.transaction_id from custody.transactions t
      where t.account_id = ${account} and ${equals({ account, column, value })})`,
  };
}

const firstSeen = period('first_seen', 'withdrawals first seen');

export const destinationUses = list({
  id: 'listDestinationUses',
  path: '/v1/destinations/uses',
  summary: 'Withdrawals in a period, and whether their destination was whitelisted at the time',
  row: 'DestinationUse',
  view: 'reporting.destination_uses',
  columns: `
    transaction_id! first_seen_after first_seen_at! status! is_completed! ${destination} amount is_whitelisted
    whitelist_reason! whitelisted_before known_before_at whitelisted_after known_after_at is_older_than_mirror!
    missing_since`,
  sums: { of: ['amount'], by: ['asset_id', 'status'] },
  filters: {
    ...byDestination,
    transaction_id: text('Only the withdrawal with this identifier.', '795d8712-0a2b-4ced-ad1a-67c831b7ccc3'),
    status: text('Only withdrawals with this status.', 'completed'),
    is_whitelisted: flagOrUnknown(
      'Only withdrawals to whitelisted destinations, to destinations known not to be whitelisted, or those for which it is unknown.',
    ),
    ...firstSeen,
  },
  conditions: {
    destination_id: digested('destinationId'),
    destination_address: digested('destinationAddress'),
  },
  orders: { first_seen_at: ['first_seen_at', 'transaction_id'] },
  defaultOrder: '-first_seen_at',
});

/** Sums of the withdrawals of a period. */
export const destinationUseTotals = list({
  id: 'listDestinationUseTotals',
  path: '/v1/destinations/uses/totals',
  summary:
    'Totals of the withdrawals in a period by asset, and how much went to non-whitelisted destinations',
  description: 'Amounts are of completed withdrawals. Set a period: without one, all withdrawals are read.',
  row: 'DestinationUseTotal',
  view: 'reporting.destination_use_totals',
  describedBy: 'reporting.destinations',
  columns: `
    asset_id asset_name network_id uses! completed_uses! completed_amount non_whitelisted_uses!
    non_whitelisted_amount unknown_whitelist_uses! unknown_whitelist_amount missing_uses!`,
  given: ({ account, filters: { first_seen_from, first_seen_to } }) => [
    account,
    first_seen_from,
    first_seen_to,
  ],
  filters: { ...asset, ...network, ...firstSeen },
  conditions: within('first_seen_from', 'first_seen_to'),
  orders: { asset_id: ['asset_id', 'network_id'] },
});
