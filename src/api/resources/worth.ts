// What balances and movements are worth, and the prices by which they are valued.
import {
  balanceValues,
  movementValues,
  prices,
  worth,
  worthDaily,
} from '../../store/read-api/balances/worth.ts';
import { listOperation } from '../answer/list-operation.ts';
import { amount, choice, moment, text } from '../answer/parameter-kinds.ts';
import { vaultType } from './balances.ts';
import { days, network } from './reports.ts';

const filters = { vault_type: vaultType, currency: text('Only this currency.', 'USD') };

export const worthOperations = [
  listOperation({
    id: 'listBalanceValues',
    path: '/v1/balances/values',
    summary: 'Balances that have a price, now or at a moment, with what they are worth',
    description:
      'At the latest price given until then (custody.asset_prices). A balance without a price has no row: it is not worthless.',
    listing: balanceValues,
    row: 'BalanceValue',
    past: { listing: { ...balanceValues, name: 'balance-values-at' }, row: 'BalanceValueAt', of: 'balances' },
    filters: { ...filters, asset_id: days.asset_id },
  }),
  listOperation({
    id: 'listWorth',
    path: '/v1/balances/worth',
    summary: 'What all balances are worth together, now or at a moment, and what is not in the sum',
    description: 'A row for each vault type and currency; none without any price.',
    listing: worth,
    row: 'Worth',
    past: { listing: { ...worth, name: 'worth-at' }, row: 'WorthAt', of: 'balances' },
    filters,
  }),
  listOperation({
    id: 'listPrices',
    path: '/v1/prices',
    summary: 'The prices of assets that people gave',
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
    id: 'listWorthDays',
    path: '/v1/balances/worth/daily',
    summary: 'What the account was worth at the end of each day, and what the sum leaves out',
    description: `${priced} A day without observations has no row: its worth is unknown.`,
    listing: worthDaily,
    row: 'WorthDay',
    filters: { day_from: days.day_from, day_to: days.day_to, ...valued },
  }),
  listOperation({
    id: 'listMovementValues',
    path: '/v1/movements/values',
    summary: 'Completed deposits and withdrawals with what they were worth',
    description: `${priced} A movement without a price has no row. Name \`settled_from\`: the orders other than by time read all that it allows.`,
    listing: movementValues,
    row: 'MovementValue',
    filters: {
      currency: valued.currency,
      direction: choice(['in', 'out'], 'Only what came in, or only what went out.'),
      asset_id: days.asset_id,
      ...network,
      value_from: amount('Only what was worth at least this. Name `currency` with it.'),
      value_to: amount('Only what was worth at most this. Name `currency` with it.'),
      settled_from: moment('Only what was first seen completed at this moment or later.'),
      settled_to: moment('Only what was first seen completed before this moment.'),
    },
  }),
];
