// Payees, and whether they were whitelisted: the views of reporting.
import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { transactions as table } from '../../../drizzle/transactions.ts';
import { digestFilter } from './list/digest-filter.ts';
import { days, equal, listOf, ofDays, period } from './list/list-of.ts';
import type { Filter, Listing } from './list/listing.ts';

const destination = {
  destination_type: 'text',
  destination_id: 'text',
  destination_name: 'text',
  destination_address: 'text',
  asset_id: 'text',
  asset_name: 'text',
  network_id: 'text',
} as const;

const byDestination = equal('destination_id', 'destination_address', 'asset_id', 'network_id');

export const destinations = listOf({
  name: 'destinations',
  describedBy: 'reporting.destinations',
  columns: {
    ...destination,
    uses: 'integer!',
    completed_uses: 'integer!',
    completed_amount: 'amount',
    missing_uses: 'integer!',
    non_whitelisted_uses: 'integer',
    unknown_whitelist_uses: 'integer!',
    first_used_at: 'moment!',
    first_transaction_id: 'text!',
    last_used_at: 'moment!',
    last_transaction_id: 'text!',
    whitelisted_at_first_use: 'boolean',
    whitelisted_now: 'boolean',
  },
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  filters: {
    ...byDestination,
    ...equal('whitelisted_now'),
    ...period('last_used'),
  },
  // A withdrawal has one destination, so its identifier distinguishes destinations.
  orders: {
    last_used_at: ['last_used_at', 'last_transaction_id'],
    first_used_at: ['first_used_at', 'first_transaction_id'],
  },
  defaultOrder: '-last_used_at',
});

const paid = alias(table, 't');
const equals = digestFilter(paid);

/** Found by the index of digests: most destinations have few payments. */
function digested(column: 'destinationId' | 'destinationAddress'): Filter {
  return {
    column: paid[column].name,
    is: '=',
    by: ({ account }, value) => sql`v.transaction_id in (
      select t.transaction_id from custody.transactions t
      where t.account_id = ${account} and ${equals({ account, column, value })})`,
  };
}

export const destinationUses = listOf({
  name: 'destination-uses',
  describedBy: 'reporting.destination_uses',
  columns: {
    transaction_id: 'text!',
    first_seen_after: 'moment',
    first_seen_at: 'moment!',
    status: 'text!',
    is_completed: 'boolean!',
    ...destination,
    amount: 'amount',
    is_whitelisted: 'boolean',
    whitelist_reason: 'text!',
    whitelisted_before: 'boolean',
    known_before_at: 'moment',
    whitelisted_after: 'boolean',
    known_after_at: 'moment',
    is_older_than_mirror: 'boolean!',
    missing_since: 'moment',
  },
  sums: { of: ['amount'], by: ['asset_id', 'status'] },
  filters: {
    ...byDestination,
    destination_id: digested('destinationId'),
    destination_address: digested('destinationAddress'),
    ...equal('transaction_id', 'status', 'is_whitelisted'),
    ...period('first_seen'),
  },
  orders: { first_seen_at: ['first_seen_at', 'transaction_id'] },
  defaultOrder: '-first_seen_at',
});

/** Sums of the withdrawals of a period. The filters are those of the withdrawals that are summed up. */
export const destinationUseTotals = listOf({
  name: 'destination-use-totals',
  describedBy: 'reporting.destinations',
  columns: {
    asset_id: 'text',
    asset_name: 'text',
    network_id: 'text',
    uses: 'integer!',
    completed_uses: 'integer!',
    completed_amount: 'amount',
    non_whitelisted_uses: 'integer!',
    non_whitelisted_amount: 'amount',
    unknown_whitelist_uses: 'integer!',
    unknown_whitelist_amount: 'amount',
    missing_uses: 'integer!',
  },
  from: (scope) => ({
    item: sql`(
      select u.asset_id, max(u.asset_name) as asset_name, u.network_id, count(*) as uses,
        count(*) filter (where u.is_completed) as completed_uses, ${completed(sql`true`)} as completed_amount,
        count(*) filter (where not u.is_whitelisted) as non_whitelisted_uses,
        ${completed(sql`not u.is_whitelisted`)} as non_whitelisted_amount,
        count(*) filter (where u.is_whitelisted is null) as unknown_whitelist_uses,
        ${completed(sql`u.is_whitelisted is null`)} as unknown_whitelist_amount,
        count(u.missing_since) as missing_uses
      from reporting.destination_uses u where ${usesOf(scope)}
      group by u.asset_id, u.network_id
    ) as v`,
  }),
  filters: {
    ...equal('asset_id', 'network_id'),
    first_seen_from: { column: 'first_seen_at', is: '>=', by: () => sql`true` },
    first_seen_to: { column: 'first_seen_at', is: '<', by: () => sql`true` },
  },
  orders: { asset_id: ['asset_id', 'network_id'] },
});

/** The sum of what was completed; null where one of the amounts is unknown. */
function completed(only: SQL): SQL {
  return sql`case when bool_or(u.is_completed and u.amount is null and ${only}) then null
    else trim_scale(coalesce(sum(u.amount) filter (where u.is_completed and ${only}), 0)) end`;
}

function usesOf({ account, filters = {} }: Parameters<Listing['from']>[0]): SQL {
  const { first_seen_from: from, first_seen_to: to } = filters;
  return sql`u.account_id = ${account}
    ${from === undefined ? sql`` : sql` and u.first_seen_at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql` and u.first_seen_at < ${to}::timestamptz`}`;
}

/** Completed withdrawals by calendar day of the account and destination. */
export const destinationsDaily = listOf({
  name: 'destinations-daily',
  describedBy: 'reporting.destinations',
  columns: {
    day: 'day!',
    ...destination,
    uses: 'integer!',
    completed_uses: 'integer!',
    completed_amount: 'amount',
  },
  sums: { of: ['completed_amount'], by: ['asset_id'] },
  from: ({ account }) => ({
    item: sql`(
      select c.day, d.* from reporting.calendar c cross join lateral (
        select u.destination_type, u.destination_id, max(u.destination_name) as destination_name, u.destination_address,
          u.asset_id, max(u.asset_name) as asset_name, u.network_id, count(*) as uses,
          count(*) filter (where u.status = 'completed') as completed_uses,
          case when bool_or(u.status = 'completed' and u.amount is null) then null
            else trim_scale(coalesce(sum(u.amount) filter (where u.status = 'completed'), 0)) end as completed_amount
        from custody.transactions u
        where u.account_id = c.account_id and u.transaction_type = 'withdraw'
          and u.first_seen_at >= c.starts_at and u.first_seen_at < c.ends_at
        group by u.destination_type, u.destination_id, u.destination_address, u.asset_id, u.network_id
      ) as d where c.account_id = ${account}
    ) as v`,
  }),
  filters: { ...days, ...byDestination },
  orders: {
    day: ['day', 'asset_id', 'network_id', 'destination_type', 'destination_id', 'destination_address'],
  },
  ...ofDays,
});
