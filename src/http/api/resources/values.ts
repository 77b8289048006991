// What the account was worth day by day and what movements were worth, where there are prices.
import { movementValues, worthDaily } from '../../../store/reading/balances/worth.ts';
import { listOperation } from '../answer/list-operation.ts';
import { choice, day, moment, text } from '../answer/parameter-kinds.ts';
import { vaultType } from './balances.ts';

const tag = 'Reports';

const filters = {
  vault_type: vaultType,
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
    id: 'listWorthDays',
    path: '/v1/balances/worth/daily',
    tag,
    summary: 'What the account was worth at the end of each day, and what the sum leaves out',
    description: `${priced} A day without observations has no row: its worth is unknown.`,
    listing: worthDaily,
    row: 'WorthDay',
    filters: { ...days, ...filters },
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
