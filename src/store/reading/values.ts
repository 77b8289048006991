// What balances and movements are worth, where people keep prices in custody.asset_prices, and how balances lie in warm and cold vaults.
import { type Filter, type Listing, ownRows } from './list/listing.ts';

const filters = {
  vault_type: { column: 'vault_type', is: '=' },
  currency: { column: 'currency', is: '=' },
} as const satisfies Record<string, Filter>;

const ofAsset = {
  asset_id: { column: 'asset_id', is: '=' },
  network_id: { column: 'network_id', is: '=' },
} as const satisfies Record<string, Filter>;

const days = {
  day_from: { column: 'day', is: '>=' },
  day_to: { column: 'day', is: '<=' },
} as const satisfies Record<string, Filter>;

const asset = {
  asset_id: 'text!',
  asset_name: 'text',
  network_id: 'text!',
  network_name: 'text',
} as const;

const worthColumns = {
  vault_type: 'text!',
  currency: 'text!',
  total_value: 'amount',
  available_value: 'amount',
  processing_value: 'amount',
  staking_value: 'amount',
  claimable_value: 'amount',
  assets: 'integer!',
  valued_assets: 'integer!',
  unpriced_assets: 'integer!',
  unknown_assets: 'integer!',
  oldest_price_as_of: 'moment',
  observed_at: 'moment!',
} as const;

export const worth: Listing = {
  name: 'worth',
  describedBy: 'reporting.worth',
  columns: worthColumns,
  from: ownRows('reporting.worth'),
  filters,
  orders: { currency: ['currency', 'vault_type'] },
  defaultOrder: 'currency',
};

export const worthDaily: Listing = {
  name: 'worth-daily',
  describedBy: 'reporting.worth_daily',
  columns: { day: 'day!', ...worthColumns },
  from: ownRows('reporting.worth_daily'),
  filters: { ...days, ...filters },
  orders: { day: ['day', 'currency', 'vault_type'] },
  isOfDays: true,
  defaultOrder: '-day',
};

const valueColumns = {
  vault_type: 'text!',
  ...asset,
  total_balance: 'amount',
  currency: 'text!',
  price: 'amount!',
  price_as_of: 'moment!',
  total_value: 'amount',
  is_known: 'boolean!',
  observed_at: 'moment!',
} as const;

export const balanceValues: Listing = {
  name: 'balance-values',
  describedBy: 'reporting.balance_values',
  columns: valueColumns,
  from: ownRows('reporting.balance_values'),
  filters: { ...filters, ...ofAsset },
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type', 'currency'] },
  defaultOrder: 'asset_id',
};

export const balanceValuesDaily: Listing = {
  name: 'balance-values-daily',
  describedBy: 'reporting.balance_values_daily',
  columns: { day: 'day!', ...valueColumns },
  from: ownRows('reporting.balance_values_daily'),
  filters: { ...days, ...filters, ...ofAsset },
  orders: { day: ['day', 'asset_id', 'network_id', 'vault_type', 'currency'] },
  isOfDays: true,
  defaultOrder: '-day',
};

export const vaultSplit: Listing = {
  name: 'vault-split',
  describedBy: 'reporting.vault_split',
  columns: {
    ...asset,
    all_total: 'amount',
    warm_total: 'amount',
    cold_total: 'amount',
    difference: 'amount',
    agrees: 'boolean',
    cold_share: 'amount',
    is_known: 'boolean!',
    observed_at: 'moment!',
  },
  from: ownRows('reporting.vault_split'),
  filters: ofAsset,
  orders: { asset_id: ['asset_id', 'network_id'] },
  defaultOrder: 'asset_id',
};

export const movementValues: Listing = {
  name: 'movement-values',
  describedBy: 'reporting.movement_values',
  columns: {
    transaction_id: 'text!',
    settled_at: 'moment!',
    direction: 'text!',
    transaction_type: 'text!',
    asset_id: 'text!',
    asset_name: 'text',
    network_id: 'text',
    amount: 'amount!',
    currency: 'text!',
    price: 'amount!',
    price_as_of: 'moment!',
    value: 'amount!',
    counterparty_name: 'text',
    counterparty_address: 'text',
    missing_since: 'moment',
  },
  from: ownRows('reporting.movement_values'),
  filters: {
    currency: filters.currency,
    direction: { column: 'direction', is: '=' },
    ...ofAsset,
    settled_from: { column: 'settled_at', is: '>=' },
    settled_to: { column: 'settled_at', is: '<' },
  },
  orders: {
    value: ['value', 'transaction_id', 'currency'],
    settled_at: ['settled_at', 'transaction_id', 'currency'],
  },
  defaultOrder: '-settled_at',
};
