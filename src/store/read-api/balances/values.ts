// The value of balances and movements, now, at a moment and day by day, at the prices that people state
// (custody.asset_prices), and these prices.
import { type SQL, sql } from 'drizzle-orm';
import { days, equal, listOf, ofDays, period } from '../list/list-of.ts';
import { held } from './held.ts';

const filters = equal('vault_type', 'currency');

/** The currencies that have prices, by one lookup for each asset and currency. */
function currencies(account: string): SQL {
  return sql`(
    with recursive priced as (
      (select asset_id, currency from custody.asset_prices where account_id = ${account} order by asset_id, currency limit 1)
      union all
      select n.asset_id, n.currency from priced c cross join lateral (
        select q.asset_id, q.currency from custody.asset_prices q
        where q.account_id = ${account} and (q.asset_id, q.currency) > (c.asset_id, c.currency)
        order by q.asset_id, q.currency limit 1
      ) as n
    ) select distinct currency from priced) as c`;
}

/** The latest price by then, as an item with the alias `p`. */
function latestPrice(account: string): SQL {
  return sql`lateral reporting.price_known(${account}, b.asset_id, c.currency, b.priced_before, 'infinity') as p`;
}

export const balanceValues = listOf({
  name: 'balance-values',
  describedBy: 'reporting.balance_values',
  columns: {
    vault_type: 'text!',
    asset_id: 'text!',
    asset_name: 'text',
    network_id: 'text!',
    network_name: 'text',
    currency: 'text!',
    price: 'amount!',
    price_as_of: 'moment!',
    total_balance: 'amount',
    total_value: 'amount',
    is_known: 'boolean!',
    observed_at: 'moment',
  },
  sums: { of: ['total_value'], by: ['vault_type', 'currency'] },
  from: (selection) => ({
    item: sql`(
      select b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, c.currency, p.price,
        p.as_of as price_as_of, b.total_balance, trim_scale(b.total_balance * p.price) as total_value, b.is_known, b.observed_at
      from ${held(selection)} cross join ${currencies(selection.account)} cross join ${latestPrice(selection.account)}) as v`,
  }),
  filters: { ...filters, ...equal('asset_id') },
  orders: { asset_id: ['asset_id', 'network_id', 'vault_type', 'currency'] },
});

const partSays = 'Null where the service did not send this part of a balance that is in the sum.';

/** The value of a part of the balances; a part that was not sent is unknown, not zero. */
function partValue(part: string): SQL {
  const balance = sql`b.${sql.identifier(`${part}_balance`)}`;
  return sql`case when not coalesce(bool_or(b.total_balance * p.price <> 0 and ${balance} is null), false)
    then trim_scale(coalesce(sum(${balance} * p.price), 0)) end as ${sql.identifier(`${part}_value`)}`;
}

export const portfolioValue = listOf({
  name: 'portfolio-value',
  describedBy: 'reporting.balance_values',
  columns: {
    vault_type: 'text!',
    currency: 'text!',
    total_value: 'amount!',
    available_value: 'amount',
    processing_value: 'amount',
    staking_value: 'amount',
    claimable_value: 'amount',
    valued: 'integer!',
    without_price: 'integer!',
    unknown: 'integer!',
    oldest_price_as_of: 'moment',
  },
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
  from: (selection) => ({
    item: sql`(
      select b.vault_type, c.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)) as total_value,
        ${sql.join(['available', 'processing', 'staking', 'claimable'].map(partValue), sql`, `)},
        count(b.total_balance * p.price) as valued,
        count(*) filter (where p.price is null and b.total_balance <> 0) as without_price,
        count(*) filter (where b.total_balance is null) as unknown,
        min(p.as_of) filter (where b.total_balance is not null) as oldest_price_as_of
      from ${held(selection)} cross join ${currencies(selection.account)} left join ${latestPrice(selection.account)} on true
      group by b.vault_type, c.currency) as v`,
  }),
  filters,
  orders: { vault_type: ['vault_type', 'currency'] },
});

export const prices = listOf({
  name: 'prices',
  describedBy: 'custody.asset_prices',
  columns: { asset_id: 'text!', currency: 'text!', as_of: 'moment!', price: 'amount!', source: 'text' },
  filters: {
    ...equal('asset_id', 'currency'),
    ...period('as_of', 'as_of'),
  },
  orders: { asset_id: ['asset_id', 'currency', 'as_of'] },
});

export const portfolioValueDaily = listOf({
  name: 'portfolio-value-daily',
  describedBy: 'reporting.portfolio_value_daily',
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
  filters: { ...days, ...filters },
  orders: { day: ['day', 'currency', 'vault_type'] },
  ...ofDays,
});

export const movementValues = listOf({
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
  filters: {
    ...equal('currency', 'direction', 'asset_id', 'network_id'),
    ...period('settled'),
    value_from: { column: 'value', is: '>=' },
    value_to: { column: 'value', is: '<=' },
  },
  orders: {
    value: ['value', 'transaction_id', 'currency'],
    settled_at: ['settled_at', 'transaction_id', 'currency'],
  },
  defaultOrder: '-settled_at',
});
