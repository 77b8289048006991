// Balances now, at a moment and as their history, and the observations they come from.
import { sql } from 'drizzle-orm';
import { balanceSnapshots } from '../../../../drizzle/balances.ts';
import { balanceVaultTypes } from '../../../domain/balance.ts';
import { balanceAmounts, balanceFields, balanceNames, columnOf, namesOf } from '../../../domain/fields.ts';
import { isDay } from '../../../domain/instant.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { fieldColumns, tableColumns } from '../list/columns.ts';
import { asset, days, type Given, list, network, ofDays, period, range, within } from '../list/listing.ts';
import { choice, fieldParameter, identifier, moment, text } from '../list/parameter-kinds.ts';

/** Whose balances, as of when: now, at a moment, or at the close of a day. */
const heldBy: Given = ({ account, at }) =>
  at !== null && isDay(at) ? [account, null, at] : [account, at, null];

const vaultType = {
  vault_type: choice(
    balanceVaultTypes,
    'Only the balances of all vaults, or of one type. Do not add them up: all includes the other two.',
  ),
};

const places = {
  asset_id: fieldParameter(balanceNames.assetId.filter),
  network_id: fieldParameter(balanceNames.networkId.filter),
};
const balanceFilters = { ...vaultType, ...places };

const figures = `vault_type! ${fieldColumns(balanceFields)} is_known! last_known_at unchanged_since`;
const { totalBalance, ...parts } = balanceAmounts;

export const balances = list({
  id: 'listBalances',
  path: '/v1/balances',
  summary: 'Balances, now or at a moment',
  description:
    'An observation counts from its response on. Where `is_known` is false, the figures are null because they are unknown, not zero.',
  row: 'Balance',
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
  view: 'reporting.balance_split',
  describedBy: 'reporting.vault_split',
  columns: `
    ${fieldColumns(balanceNames)} all_total warm_total cold_total all_is_known warm_is_known cold_is_known
    ${fieldColumns(parts)} unchanged_since last_known_at observed_at currency price price_as_of total_value`,
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
  view: 'custody.balance_snapshots',
  columns: tableColumns(balanceSnapshots),
  filters: { ...vaultType, ...period('snapshot', 'observations', 'of') },
  orders: { snapshot_at: ['snapshot_at', 'vault_type'] },
  defaultOrder: '-snapshot_at',
});

// The balances of assets over a span of time: of one asset, step by step, for a chart, and of all, day by
// day, for lines that are small enough to fit into a table.

export const balanceSeries = list({
  id: 'listBalanceSeries',
  path: '/v1/balances/assets/{asset_id}/series',
  summary:
    'The balances of one asset over a span of time, evenly sampled, with gaps where nothing was observed',
  description:
    'The exact last observation of each step; the length of steps is chosen to give at most about 200. Steps without an observation are left out; each gap has one row. /v1/balances/history has every change.',
  row: 'BalancePoint',
  view: 'reporting.balance_series',
  describedBy: 'reporting.balance_snapshots',
  columns: `
    starts_at! ends_at! vault_type! asset_id! asset_name network_id! network_name state! observed_at
    ${fieldColumns(balanceAmounts)} gap_from gap_to`,
  given: ({ account, filters: { asset_id, from, to } }) => [account, asset_id, from, to],
  filters: {
    asset_id: identifier('Identifier of the asset.', 'BTC'),
    network_id: balanceFilters.network_id,
    vault_type: balanceFilters.vault_type,
    from: moment(
      'Start of the span. Default: 30 days before its end. Anything before the initial sync is left out.',
    ),
    to: moment('End of the span. Default, and latest: now.'),
  },
  conditions: within('asset_id', 'from', 'to'),
  orders: { starts_at: ['starts_at', 'vault_type', 'network_id'] },
  exists: hasAsset,
});

export const balanceTrends = list({
  id: 'listBalanceTrends',
  path: '/v1/balances/trends',
  summary: 'How much of each asset was held at the end of each day, in one row for each asset',
  description:
    'Daily totals: 30 days without `day_from`, at most the last 366. A day without an observation, or with an unknown or unlisted closing balance, is left out: that is not zero.',
  row: 'BalanceTrend',
  view: 'custody.balance_trends',
  describedBy: 'reporting.balances_daily',
  columns: 'vault_type! asset_id! network_id! from_day! to_day! days! totals!',
  kinds: { from_day: 'day', to_day: 'day', days: 'texts', totals: 'texts' },
  given: ({ account, filters: { day_from, day_to } }) => [account, day_from, day_to],
  filters: { ...balanceFilters, ...days },
  conditions: within('day_from', 'day_to'),
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type'] },
});

/** Whether any observation ever listed the asset. */
async function hasAsset(tx: Tx, account: string, asset: string): Promise<boolean> {
  const among = (table: string) => sql`exists (
    select from ${sql.raw(table)} b
    where b.account_id = ${account} and b.vault_type in ('all', 'warm', 'cold') and b.asset_id = ${asset})`;
  const rows = await tx.ask<{ found: boolean }>(
    'read.has-asset',
    sql`select ${among('custody.balances')} or ${among('custody.unreadable_balances')} as found`,
  );
  return rows[0]?.found === true;
}

// The value of balances and movements, now, at a moment and day by day, at the prices that people state
// (custody.asset_prices), and these prices.

const filters = { ...vaultType, currency: text('Only this currency.', 'USD') };
const valued = { ...vaultType, currency: text('Only values in this currency.', 'USD') };
const priced = 'Prices are those of the table `custody.asset_prices`, which you fill.';

export const balanceValues = list({
  id: 'listBalanceValues',
  path: '/v1/balances/values',
  summary: 'Balances that have a price, with their value, now or at a moment',
  description:
    'At the latest price known by then (custody.asset_prices). A balance without a price has no row: its value is unknown, not zero.',
  row: 'BalanceValue',
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
  view: 'reporting.portfolio_value_held',
  describedBy: 'reporting.balance_values',
  columns: `
    vault_type! currency! total_value! available_value processing_value staking_value claimable_value valued!
    without_price! unknown! oldest_price_as_of`,
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
