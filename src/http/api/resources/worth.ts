// What balances are worth, and the prices by which they are valued.
import { balanceValues, prices, worth } from '../../../store/reading/balances/worth.ts';
import { listOperation } from '../answer/list-operation.ts';
import { moment, text } from '../answer/parameter-kinds.ts';
import { vaultType } from './balances.ts';

const tag = 'Balances';

const filters = {
  vault_type: vaultType,
  currency: text('Only this currency.', 'USD'),
};
const asset = text('Only this asset.', 'BTC');

export const worthOperations = [
  listOperation({
    id: 'listBalanceValues',
    path: '/v1/balances/values',
    tag,
    summary: 'Balances that have a price, now or at a moment, with what they are worth',
    description:
      'At the latest price given until then (custody.asset_prices). A balance without a price has no row: it is not worthless.',
    listing: balanceValues,
    row: 'BalanceValue',
    past: { listing: { ...balanceValues, name: 'balance-values-at' }, row: 'BalanceValueAt', of: 'balances' },
    filters: { ...filters, asset_id: asset },
  }),
  listOperation({
    id: 'listWorth',
    path: '/v1/balances/worth',
    tag,
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
    tag,
    summary: 'The prices of assets that people gave',
    listing: prices,
    row: 'Price',
    filters: {
      asset_id: asset,
      currency: filters.currency,
      as_of_from: moment('Only prices of this moment or later.'),
      as_of_to: moment('Only prices before this moment.'),
    },
  }),
];
