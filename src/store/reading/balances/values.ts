// What the account was worth day by day and what movements were worth, where people keep prices in
// custody.asset_prices.
import { type Filter, type Listing, ownRows } from '../list/listing.ts';

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

export const worthDaily: Listing = {
  name: 'worth-daily',
  describedBy: 'reporting.worth_daily',
  columns: {
    day: 'day!',
    vault_type: 'text!',
    currency: 'text!',
    total_value: 'amount!',
    valued: 'integer!',
    without_price: 'integer!',
    unknown: 'integer!',
    oldest_price_as_of: 'moment',
    observed_at: 'moment!',
  },
  from: ownRows('reporting.worth_daily'),
  filters: { ...days, ...filters },
  orders: { day: ['day', 'currency', 'vault_type'] },
  isOfDays: true,
  defaultOrder: '-day',
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
