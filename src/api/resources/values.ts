// The value of balances and movements, and the prices behind it.
import {
  balanceValues,
  movementValues,
  portfolioValue,
  portfolioValueDaily,
  prices,
} from '../../store/read-api/balances/values.ts';
import { listOperation } from '../answer/list-operation.ts';
import { amount, choice, moment, text } from '../answer/parameter-kinds.ts';
import { vaultType } from './balances.ts';
import { days, network } from './reports.ts';

const filters = { vault_type: vaultType, currency: text('Only this currency.', 'USD') };

export const portfolioOperations = [
  listOperation({
    id: 'listBalanceValues',
    path: '/v1/balances/values',
    summary: 'Balances that have a price, with their value, now or at a moment',
    description:
      'At the latest price known by then (custody.asset_prices). A balance without a price has no row: its value is unknown, not zero.',
    listing: balanceValues,
    row: 'BalanceValue',
    past: { listing: { ...balanceValues, name: 'balance-values-at' }, row: 'BalanceValueAt', of: 'balances' },
    filters: { ...filters, asset_id: days.asset_id },
  }),
  listOperation({
    id: 'listPortfolioValue',
    path: '/v1/balances/value',
    summary: 'The total value of all balances, now or at a moment, and what it leaves out',
    description: 'One row for each vault type and currency; none if there are no prices.',
    listing: portfolioValue,
    row: 'PortfolioValue',
    past: {
      listing: { ...portfolioValue, name: 'portfolio-value-at' },
      row: 'PortfolioValueAt',
      of: 'balances',
    },
    filters,
  }),
  listOperation({
    id: 'listPrices',
    path: '/v1/prices',
    summary: 'The prices of assets, as entered',
    listing: prices,
    row: 'Price',
    filters: {
      asset_id: days.asset_id,
      currency: filters.currency,
      as_of_from: moment('Only prices of this moment or later.'),
      as_of_to: moment('Only prices before this moment.'),
    },
  }),
];

const valued = { vault_type: vaultType, currency: text('Only values in this currency.', 'USD') };
const priced = 'Prices are those of the table `custody.asset_prices`, which you fill.';

export const valueOperations = [
  listOperation({
    id: 'listPortfolioValueDays',
    path: '/v1/balances/value/daily',
    summary: 'The total value at the end of each day, and what it leaves out',
    description: `${priced} A day without observations has no row: its value is unknown.`,
    listing: portfolioValueDaily,
    row: 'PortfolioValueDay',
    filters: { day_from: days.day_from, day_to: days.day_to, ...valued },
  }),
  listOperation({
    id: 'listMovementValues',
    path: '/v1/movements/values',
    summary: 'Completed deposits and withdrawals with their value',
    description: `${priced} A movement without a price has no row. Set \`settled_from\`: orders other than by time read everything that it allows.`,
    listing: movementValues,
    row: 'MovementValue',
    filters: {
      currency: valued.currency,
      direction: choice(['in', 'out'], 'Only incoming, or only outgoing movements.'),
      asset_id: days.asset_id,
      ...network,
      value_from: amount('Only values of at least this. Set `currency` too.'),
      value_to: amount('Only values of at most this. Set `currency` too.'),
      settled_from: moment('Only movements first seen completed at this moment or later.'),
      settled_to: moment('Only movements first seen completed before this moment.'),
    },
  }),
];
