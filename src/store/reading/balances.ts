// Balances now, at a moment and as their history, and the observations they come from.
import { sql } from 'drizzle-orm';
import { type Filter, type Listing, ownRows } from './list/listing.ts';

const filters = {
  vault_type: { column: 'vault_type', is: '=', isFrequent: true },
  asset_id: { column: 'asset_id', is: '=', isFrequent: true },
  network_id: { column: 'network_id', is: '=', isFrequent: true },
} as const satisfies Record<string, Filter>;

const asset = {
  asset_id: 'text!',
  asset_name: 'text',
  network_id: 'text!',
  network_name: 'text',
} as const;

const figures = {
  vault_type: 'text!',
  ...asset,
  total_balance: 'amount',
  available_balance: 'amount',
  processing_balance: 'amount',
  staking_balance: 'amount',
  claimable_balance: 'amount',
  is_known: 'boolean!',
  last_known_at: 'moment',
  unchanged_since: 'moment',
} as const;

const byAsset = { asset_id: ['asset_id', 'network_id', 'vault_type'] } as const;

export const balances: Listing = {
  name: 'balances',
  describedBy: 'reporting.balances_current',
  columns: { ...figures, observed_at: 'moment!' },
  from: ownRows('reporting.balances_current'),
  filters,
  orders: byAsset,
  defaultOrder: 'asset_id',
};

export const balancesAt: Listing = {
  name: 'balances-at',
  describedBy: 'reporting.balances_current',
  columns: { ...figures, observed_at: 'moment' },
  from: ({ account, at }) => ({
    item: sql`reporting.balances_at(${at}::timestamptz) as v`,
    where: sql`v.account_id = ${account}`,
  }),
  filters,
  orders: byAsset,
  defaultOrder: 'asset_id',
};

export const balanceHistory: Listing = {
  name: 'balance-history',
  describedBy: 'reporting.balance_changes',
  columns: {
    vault_type: 'text!',
    ...asset,
    changed_after: 'moment',
    changed_before: 'moment!',
    changed_at: 'moment!',
    change: 'text!',
    total_before: 'amount',
    total_after: 'amount',
    total_change: 'amount',
    available_before: 'amount',
    available_after: 'amount',
    processing_before: 'amount',
    processing_after: 'amount',
    staking_before: 'amount',
    staking_after: 'amount',
    claimable_before: 'amount',
    claimable_after: 'amount',
  },
  from: ownRows('reporting.balance_changes'),
  filters: {
    ...filters,
    changed_from: { column: 'changed_at', is: '>=' },
    changed_to: { column: 'changed_at', is: '<' },
  },
  // At one moment a balance may disappear and appear with another network, never twice of one asset, network and vault type.
  orders: { changed_at: ['changed_at', 'asset_id', 'network_id', 'vault_type'] },
  defaultOrder: '-changed_at',
};

export const snapshots: Listing = {
  name: 'snapshots',
  describedBy: 'custody.balance_snapshots',
  columns: {
    vault_type: 'text!',
    snapshot_at: 'moment!',
    asked_at: 'moment!',
    answered_at: 'moment!',
    source_timestamp: 'moment',
    asset_count: 'integer!',
    changed_count: 'integer!',
    quarantined_count: 'integer!',
    unidentified_count: 'integer!',
    run_id: 'integer!',
  },
  from: ownRows('custody.balance_snapshots'),
  filters: {
    vault_type: filters.vault_type,
    snapshot_from: { column: 'snapshot_at', is: '>=' },
    snapshot_to: { column: 'snapshot_at', is: '<' },
  },
  orders: { snapshot_at: ['snapshot_at', 'vault_type'] },
  defaultOrder: '-snapshot_at',
};
