// The value of balances and movements, now, at a moment and day by day, at the prices that people state
// (custody.asset_prices), and these prices.
import { asset, days, list, network, ofDays, period, range } from '../list/list-of.ts';
import { choice, text } from '../list/parameter-kinds.ts';
import { heldBy, vaultType } from './balances.ts';

const filters = { ...vaultType, currency: text('Only this currency.', 'USD') };
const valued = { ...vaultType, currency: text('Only values in this currency.', 'USD') };
const priced = 'Prices are those of the table `custody.asset_prices`, which you fill.';
const partSays = 'Null where the service did not send this part of a balance that is in the sum.';

export const balanceValues = list({
  id: 'listBalanceValues',
  path: '/v1/balances/values',
  summary: 'Balances that have a price, with their value, now or at a moment',
  description:
    'At the latest price known by then (custody.asset_prices). A balance without a price has no row: its value is unknown, not zero.',
  row: 'BalanceValue',
  name: 'balance-values',
  view: 'reporting.balance_values_held',
  describedBy: 'reporting.balance_values',
  columns: `
    vault_type! asset_id! asset_name network_id! network_name currency! price! price_as_of! total_balance
    total_value is_known! observed_at`,
  sums: { of: ['total_value'], by: ['vault_type', 'currency'] },
  given: heldBy,
  filters: { ...filters, ...asset },
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type', 'currency'] },
  past: { row: 'BalanceValueAt', of: 'balances' },
});

export const portfolioValue = list({
  id: 'listPortfolioValue',
  path: '/v1/balances/value',
  summary: 'The total value of all balances, now or at a moment, and what it leaves out',
  description: 'One row for each vault type and currency; none if there are no prices.',
  row: 'PortfolioValue',
  name: 'portfolio-value',
  view: 'reporting.portfolio_value_held',
  describedBy: 'reporting.balance_values',
  columns: `
    vault_type! currency! total_value! available_value processing_value staking_value claimable_value valued!
    without_price! unknown! oldest_price_as_of`,
  says: {
    total_value: 'Sum of the known balances that have a price. The next two count what it leaves out.',
    available_value: `What is available of it. ${partSays}`,
    processing_value: `What is being processed in transactions. ${partSays}`,
    staking_value: `What is staked. ${partSays}`,
    claimable_value: `What can be claimed from staking. ${partSays}`,
    valued: 'Number of balances in the sum, one per asset and network, zeros included.',
    without_price: 'Number of nonzero balances without a price in this currency.',
    unknown: 'Balances that are not known.',
    oldest_price_as_of: 'When the oldest of the prices took effect; null for an empty sum.',
  },
  given: heldBy,
  filters,
  orders: { vault_type: ['vault_type', 'currency'] },
  past: { row: 'PortfolioValueAt', of: 'balances' },
});

export const prices = list({
  id: 'listPrices',
  path: '/v1/prices',
  summary: 'The prices of assets, as entered',
  row: 'Price',
  name: 'prices',
  view: 'custody.asset_prices',
  columns: 'asset_id! currency! as_of! price! source',
  filters: { ...asset, currency: filters.currency, ...period('as_of', 'prices', 'of') },
  orders: { asset_id: ['asset_id', 'currency', 'as_of'] },
});

export const portfolioValueDaily = list({
  id: 'listPortfolioValueDays',
  path: '/v1/balances/value/daily',
  summary: 'The total value at the end of each day, and what it leaves out',
  description: `${priced} A day without observations has no row: its value is unknown.`,
  row: 'PortfolioValueDay',
  name: 'portfolio-value-daily',
  view: 'reporting.portfolio_value_daily',
  columns: `
    day! vault_type! currency! total_value! valued! without_price! unknown! oldest_price_as_of observed_at!`,
  filters: { ...days, ...valued },
  orders: { day: ['day', 'currency', 'vault_type'] },
  ...ofDays,
});

export const movementValues = list({
  id: 'listMovementValues',
  path: '/v1/movements/values',
  summary: 'Completed deposits and withdrawals with their value',
  description: `${priced} A movement without a price has no row. Set \`settled_from\`: orders other than by time read everything that it allows.`,
  row: 'MovementValue',
  name: 'movement-values',
  view: 'reporting.movement_values',
  columns: `
    transaction_id! settled_at! direction! transaction_type! asset_id! asset_name network_id amount! currency!
    price! price_as_of! value! counterparty_name counterparty_address missing_since`,
  filters: {
    currency: valued.currency,
    direction: choice(['in', 'out'], 'Only incoming, or only outgoing movements.'),
    ...asset,
    ...network,
    ...range('value', 'values', ' Set `currency` too.'),
    ...period('settled', 'movements first seen completed'),
  },
  orders: {
    value: ['value', 'transaction_id', 'currency'],
    settled_at: ['settled_at', 'transaction_id', 'currency'],
  },
  defaultOrder: '-settled_at',
});
