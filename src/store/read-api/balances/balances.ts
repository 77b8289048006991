// Balances now, at a moment and as their history, and the observations they come from.
import { balanceSnapshots } from '../../../../drizzle/balances.ts';
import { balanceVaultTypes } from '../../../domain/balance.ts';
import { balanceAmounts, balanceFields, balanceNames, columnOf, namesOf } from '../../../domain/fields.ts';
import { isDay } from '../../../domain/instant.ts';
import { fieldColumns, tableColumns } from '../list/columns.ts';
import { type Given, list, period, within } from '../list/list-of.ts';
import { choice, fieldParameter, text } from '../list/parameter-kinds.ts';

/** Whose balances, as of when: now, at a moment, or at the close of a day. */
export const heldBy: Given = ({ account, at }) =>
  at !== null && isDay(at) ? [account, null, at] : [account, at, null];

export const vaultType = {
  vault_type: choice(
    balanceVaultTypes,
    'Only the balances of all vaults, or of one type. Do not add them up: all includes the other two.',
  ),
};

const places = {
  asset_id: fieldParameter(balanceNames.assetId.filter),
  network_id: fieldParameter(balanceNames.networkId.filter),
};
export const balanceFilters = { ...vaultType, ...places };

const figures = `vault_type! ${fieldColumns(balanceFields)} is_known! last_known_at unchanged_since`;
const { totalBalance, ...parts } = balanceAmounts;

export const balances = list({
  id: 'listBalances',
  path: '/v1/balances',
  summary: 'Balances, now or at a moment',
  description:
    'An observation counts from its response on. Where `is_known` is false, the figures are null because they are unknown, not zero.',
  row: 'Balance',
  name: 'balances',
  view: 'reporting.balances_current',
  columns: `${figures} observed_at!`,
  sums: { of: namesOf(balanceAmounts).map(columnOf), by: ['vault_type', 'asset_id'] },
  filters: balanceFilters,
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type'] },
  past: {
    row: 'BalanceAt',
    of: 'balances',
    view: 'reporting.balances_held',
    describedBy: 'reporting.balances_current',
    columns: `${figures} observed_at`,
    given: heldBy,
  },
});

/**
 * One row for each asset and network, with what all, warm and cold vaults hold of it side by side, and its
 * value in one currency.
 */
export const balanceSplit = list({
  id: 'listBalanceSplit',
  path: '/v1/balances/split',
  summary: 'Balances with all, warm and cold vaults side by side, now or at a moment',
  description:
    'The three come from separate responses of the service, moments apart. The value is that of all vaults, at the latest price known by then.',
  row: 'BalanceSplit',
  name: 'balance-split',
  view: 'reporting.balance_split',
  describedBy: 'reporting.vault_split',
  columns: `
    ${fieldColumns(balanceNames)} all_total warm_total cold_total all_is_known warm_is_known cold_is_known
    ${fieldColumns(parts)} unchanged_since last_known_at observed_at currency price price_as_of total_value`,
  says: {
    all_total: 'Total of all vaults, exact; null when it is unknown or not listed.',
    warm_total: 'Total of the warm vaults; null when it is unknown or not listed.',
    cold_total: 'Total of the cold vaults; null when it is unknown or not listed.',
    all_is_known:
      'True: the total of all vaults is known; false: it is unknown, not zero; null: the observation of all vaults showed no such asset.',
    warm_is_known: 'The same for the warm vaults.',
    cold_is_known: 'The same for the cold vaults.',
    available_balance: 'Part of all vaults that is available.',
    processing_balance: 'Part of all vaults that is being processed in a transaction.',
    staking_balance: 'Part of all vaults that is staked.',
    claimable_balance: 'Part of all vaults that can be claimed from staking.',
    unchanged_since: 'First snapshot that showed these values of all vaults.',
    last_known_at: 'Where the balance of all vaults is unknown: the last observation that showed it.',
    observed_at: 'When the observation of all vaults was made.',
    currency: 'The requested currency; null without one.',
    price: 'The latest price by then; null where none was given.',
    price_as_of: 'Of when the price is.',
    total_value: 'Value of what all vaults hold; null where the balance or the price is unknown.',
  },
  sums: { of: ['total_value'], by: ['currency'] },
  given: (selection) => {
    const [account, ...when] = heldBy(selection);
    return [account, selection.filters['currency'], ...when];
  },
  filters: { ...places, currency: text('The currency for values. Default: none.', 'USD') },
  conditions: within('currency'),
  orders: { asset_id: ['asset_id', 'network_id'], total_value: ['total_value', 'asset_id', 'network_id'] },
  past: { row: 'BalanceSplitAt', of: 'balances' },
});

export const balanceHistory = list({
  id: 'listBalanceHistory',
  path: '/v1/balances/history',
  summary: 'Every change of balances between two observations: the history of an asset',
  row: 'BalanceChange',
  name: 'balance-history',
  view: 'reporting.balance_changes',
  columns: `
    vault_type! ${fieldColumns(balanceNames)} changed_after changed_before! changed_at! unchanged_until change!
    total_before total_after total_change available_before available_after processing_before processing_after
    staking_before staking_after claimable_before claimable_after`,
  sums: { of: ['total_change'], by: ['vault_type', 'asset_id'] },
  filters: { ...balanceFilters, ...period('changed', 'changes first observed') },
  // At one moment a balance may disappear and appear with another network, never twice of one asset, network
  // and vault type.
  orders: { changed_at: ['changed_at', 'asset_id', 'network_id', 'vault_type'] },
  defaultOrder: '-changed_at',
  spannedBy: { column: 'changed_at', from: 'changed_from', to: 'changed_to' },
});

export const snapshots = list({
  id: 'listSnapshots',
  path: '/v1/snapshots',
  summary: 'All complete observations of balances, including those without changes',
  row: 'Snapshot',
  name: 'snapshots',
  view: 'custody.balance_snapshots',
  columns: tableColumns(balanceSnapshots),
  filters: { ...vaultType, ...period('snapshot', 'observations', 'of') },
  orders: { snapshot_at: ['snapshot_at', 'vault_type'] },
  defaultOrder: '-snapshot_at',
});
