// Balances now, at a moment and as their history, and the observations they come from.
import { type SQL, sql } from 'drizzle-orm';
import { balanceSnapshots } from '../../../../drizzle/balances.ts';
import { columnOf, namesOf } from '../../../domain/field.ts';
import { balanceAmounts, balanceFields, balanceNames } from '../../../domain/fields.ts';
import { fieldColumns, tableColumns } from '../list/columns.ts';
import { equal, listOf, period } from '../list/list-of.ts';
import type { Scope } from '../list/listing.ts';
import { held, isAnsweredBy } from './held.ts';

const filters = equal('vault_type', 'asset_id', 'network_id');

const asset = fieldColumns(balanceNames);

const figures = {
  vault_type: 'text!',
  ...fieldColumns(balanceFields),
  is_known: 'boolean!',
  last_known_at: 'moment',
  unchanged_since: 'moment',
} as const;

const { totalBalance, ...parts } = balanceAmounts;
const partColumns = namesOf(parts).map(columnOf);

const byAsset = { asset_id: ['asset_id', 'network_id', 'vault_type'] } as const;

const sums = {
  of: namesOf(balanceAmounts).map(columnOf),
  by: ['vault_type', 'asset_id'],
} as const;

export const balances = listOf({
  name: 'balances',
  describedBy: 'reporting.balances_current',
  columns: { ...figures, observed_at: 'moment!' },
  sums,
  filters,
  orders: byAsset,
});

export const balancesAt = listOf({
  name: 'balances-at',
  describedBy: 'reporting.balances_current',
  columns: { ...figures, observed_at: 'moment' },
  sums,
  from: (scope) => ({ item: sql`(select b.* from ${held(scope)}) as v` }),
  filters,
  orders: byAsset,
});

/**
 * One row for each asset and network, with what all, warm and cold vaults hold of it side by side, and its
 * value in one currency.
 */
export const balanceSplit = listOf({
  name: 'balance-split',
  describedBy: 'reporting.vault_split',
  columns: {
    ...asset,
    all_total: 'amount',
    warm_total: 'amount',
    cold_total: 'amount',
    all_is_known: 'boolean',
    warm_is_known: 'boolean',
    cold_is_known: 'boolean',
    ...fieldColumns(parts),
    unchanged_since: 'moment',
    last_known_at: 'moment',
    observed_at: 'moment',
    currency: 'text',
    price: 'amount',
    price_as_of: 'moment',
    total_value: 'amount',
  },
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
  from: ({ account, at, filters: { currency } }) => ({
    item: sql`(
      select s.*, ${currency ?? null}::text as currency, p.price, p.as_of as price_as_of,
        trim_scale(s.all_total * p.price) as total_value
      from (
        select b.asset_id, max(b.asset_name) as asset_name, b.network_id, max(b.network_name) as network_name,
          ${only('all', 'total_balance')} as all_total, ${only('warm', 'total_balance')} as warm_total,
          ${only('cold', 'total_balance')} as cold_total, ${knownOf('all', { account, at })} as all_is_known,
          ${knownOf('warm', { account, at })} as warm_is_known, ${knownOf('cold', { account, at })} as cold_is_known,
          ${sql.join(
            partColumns.map((part) => sql`${only('all', part)} as ${sql.identifier(part)}`),
            sql`, `,
          )},
          ${only('all', 'unchanged_since')} as unchanged_since, ${only('all', 'last_known_at')} as last_known_at,
          ${only('all', 'observed_at')} as observed_at, max(b.priced_before) as priced_before
        from ${held({ account, at })}
        group by b.asset_id, b.network_id
      ) as s
      left join lateral reporting.price_known(${account}, s.asset_id, ${currency ?? null}, s.priced_before, 'infinity') as p on true) as v`,
  }),
  filters: {
    ...equal('asset_id', 'network_id'),
    currency: { column: 'currency', is: 'within' },
  },
  orders: { asset_id: ['asset_id', 'network_id'], total_value: ['total_value', 'asset_id', 'network_id'] },
});

/**
 * Null only where an observation showed that there is no such balance: not where there is none of these
 * vaults, and not where it may be a record that could not be identified.
 */
function knownOf(vaultType: string, scope: Scope): SQL {
  const { account, at } = scope;
  const type = sql.raw(`'${vaultType}'`);
  const order = at === null ? sql`o.snapshot_at desc` : sql`o.answered_at desc, o.snapshot_at desc`;
  return sql`coalesce(bool_or(b.is_known) filter (where b.vault_type = ${type}), nullif((
    select o.unidentified_count = 0 from custody.balance_snapshots o
    where o.account_id = ${account} and o.vault_type = ${type} and ${isAnsweredBy(scope)} order by ${order} limit 1
  ) is true, true))`;
}

/** A figure of one vault type, of which a group has one row at most. */
function only(vaultType: string, column: string): SQL {
  return sql`max(b.${sql.identifier(column)}) filter (where b.vault_type = ${sql.raw(`'${vaultType}'`)})`;
}

export const balanceHistory = listOf({
  name: 'balance-history',
  describedBy: 'reporting.balance_changes',
  columns: {
    vault_type: 'text!',
    ...asset,
    changed_after: 'moment',
    changed_before: 'moment!',
    changed_at: 'moment!',
    unchanged_until: 'moment',
    change: 'text!',
    total_before: 'amount',
    total_after: 'amount',
    total_change: 'amount',
    available_before: 'amount',
    available_after: 'amount',
    processing_before: 'amount',
    processing_after: 'amount',
    staking_before: 'amount',
    staking_after: 'amount',
    claimable_before: 'amount',
    claimable_after: 'amount',
  },
  sums: { of: ['total_change'], by: ['vault_type', 'asset_id'] },
  filters: {
    ...filters,
    ...period('changed'),
  },
  // At one moment a balance may disappear and appear with another network, never twice of one asset, network
  // and vault type.
  orders: { changed_at: ['changed_at', 'asset_id', 'network_id', 'vault_type'] },
  defaultOrder: '-changed_at',
  spannedBy: { column: 'changed_at', from: 'changed_from', to: 'changed_to' },
});

export const snapshots = listOf({
  name: 'snapshots',
  describedBy: 'custody.balance_snapshots',
  columns: tableColumns(balanceSnapshots),
  filters: {
    ...equal('vault_type', 'snapshot_at'),
    ...period('snapshot'),
  },
  orders: { snapshot_at: ['snapshot_at', 'vault_type'] },
  defaultOrder: '-snapshot_at',
});
