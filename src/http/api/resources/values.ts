// What balances and movements are worth, where there are prices, and how balances lie in warm and cold vaults.
import {
  balanceValues,
  balanceValuesDaily,
  movementValues,
  vaultSplit,
  worth,
  worthDaily,
} from '../../../store/reading/values.ts';
import { listOperation } from '../answer/list-operation.ts';
import { choice, day, moment, text } from '../answer/parameter-kinds.ts';

const tag = 'Values';

const filters = {
  vault_type: choice(
    ['all', 'warm', 'cold'],
    'Only what all vaults hold, or those of one type. Do not add them up: all holds the other two.',
  ),
  currency: text('Only values in this currency.', 'USD'),
};
const ofAsset = {
  asset_id: text('Only this asset.', 'BTC'),
  network_id: text('Only this network; empty where the service names none.', 'BTC'),
};
const days = {
  day_from: day("Only this day and later ones, in the account's time zone."),
  day_to: day("Only this day and earlier ones, in the account's time zone."),
};
const priced = 'Prices are those of the table `custody.asset_prices`, which you fill.';

export const valueOperations = [
  listOperation({
    id: 'listWorth',
    path: '/v1/worth',
    tag,
    summary: 'What the account is worth by currency and type of vaults, and what the sum leaves out',
    description: `${priced} Without prices the list is empty.`,
    listing: worth,
    row: 'Worth',
    filters,
  }),
  listOperation({
    id: 'listWorthDays',
    path: '/v1/worth/daily',
    tag,
    summary: 'What the account was worth at the end of each day, and what the sum leaves out',
    description: `${priced} A day without observations has no row: its worth is unknown.`,
    listing: worthDaily,
    row: 'WorthDay',
    filters: { ...days, ...filters },
  }),
  listOperation({
    id: 'listBalanceValues',
    path: '/v1/balances/values',
    tag,
    summary: 'What each balance is worth',
    description: `${priced} A balance without a price has no row: it is not worthless.`,
    listing: balanceValues,
    row: 'BalanceValue',
    filters: { ...filters, ...ofAsset },
  }),
  listOperation({
    id: 'listBalanceValueDays',
    path: '/v1/balances/values/daily',
    tag,
    summary: 'What each balance was worth at the end of each day',
    description: `${priced} A balance that had no price has no row: it was not worthless.`,
    listing: balanceValuesDaily,
    row: 'BalanceValueDay',
    filters: { ...days, ...filters, ...ofAsset },
  }),
  listOperation({
    id: 'listVaultSplit',
    path: '/v1/balances/split',
    tag,
    summary: 'How much of each asset lies in warm vaults and how much in cold ones',
    listing: vaultSplit,
    row: 'VaultSplit',
    filters: ofAsset,
  }),
  listOperation({
    id: 'listMovementValues',
    path: '/v1/movements/values',
    tag,
    summary: 'Completed deposits and withdrawals with what they were worth',
    description: `${priced} A movement without a price has no row. Name \`settled_from\`: the orders other than by time read all that it allows.`,
    listing: movementValues,
    row: 'MovementValue',
    filters: {
      currency: filters.currency,
      direction: choice(['in', 'out'], 'Only what came in, or only what went out.'),
      ...ofAsset,
      settled_from: moment('Only what was first seen completed at this moment or later.'),
      settled_to: moment('Only what was first seen completed before this moment.'),
    },
  }),
];
