// The queries about balances, their values and their reconciliation.
import { day, from, month, type ReportQuery, to } from './report-query.ts';

export const balanceQueries: readonly ReportQuery[] = [
  {
    view: 'balance_snapshots',
    asked: 'one asset, a month',
    sql: `select * from reporting.balance_snapshots
      where ${month('snapshot_at')} and asset_id = 'AST007' and vault_type = 'all'`,
    fact: 'balance_snapshots',
  },
  {
    view: 'balance_snapshots',
    asked: 'all assets, an hour',
    sql: `select * from reporting.balance_snapshots where snapshot_at >= ${from} and snapshot_at < ${from} + interval '1 hour'`,
    fact: 'balance_snapshots',
  },
  {
    view: 'balances_current',
    asked: 'all',
    sql: `select * from reporting.balances_current`,
    fact: 'balances',
  },
  {
    view: 'balances_daily',
    asked: 'a month',
    sql: `select * from reporting.balances_daily where ${day}`,
    fact: 'balances',
  },
  {
    view: 'balances_daily',
    asked: 'one asset, a month',
    sql: `select * from reporting.balances_daily where ${day} and asset_id = 'AST007' and vault_type = 'all'`,
    fact: 'balances',
  },
  {
    view: 'balance_changes',
    asked: 'a month',
    sql: `select * from reporting.balance_changes where ${month('changed_at')}`,
    fact: 'balances',
  },
  {
    view: 'balances_at()',
    asked: 'the beginning of a month',
    sql: `select * from reporting.balances_at(${from})`,
    fact: 'balances',
  },
  {
    view: 'balance_values',
    asked: 'all',
    sql: `select * from reporting.balance_values`,
    fact: 'asset_prices',
  },
  {
    view: 'balance_values_daily',
    asked: 'a month, in one currency',
    sql: `select day, vault_type, sum(total_value) from reporting.balance_values_daily where ${day} and currency = 'USD' group by 1, 2`,
    fact: 'asset_prices',
  },
  {
    view: 'portfolio_value_daily',
    asked: 'a month, in one currency',
    sql: `select day, vault_type, total_value from reporting.portfolio_value_daily where ${day} and currency = 'USD'`,
    fact: 'asset_prices',
  },
  {
    view: 'price_known()',
    asked: 'one asset, now',
    sql: `select * from reporting.price_known('bench', 'AST001', 'USD', ${from}, 'infinity')`,
    fact: 'asset_prices',
  },
  {
    view: 'portfolio_value_daily_at()',
    asked: 'a month, in one currency, as known at its end',
    sql: `select day, vault_type, total_value from reporting.portfolio_value_daily_at(${to}) where ${day} and currency = 'USD'`,
    fact: 'asset_prices',
  },
  {
    view: 'balance_values_daily_at()',
    asked: 'a month, in one currency, as known at its end',
    sql: `select day, vault_type, sum(total_value) from reporting.balance_values_daily_at(${to}) where ${day} and currency = 'USD' group by 1, 2`,
    fact: 'asset_prices',
  },
  {
    view: 'price_known()',
    asked: 'a constant',
    sql: `select * from reporting.price_known('bench', 'AST001', 'USD', ${to}, ${to})`,
    fact: 'asset_prices',
  },
  {
    view: 'price_currencies',
    asked: 'all',
    sql: `select * from reporting.price_currencies`,
    fact: 'asset_prices',
  },
  {
    view: 'vault_split',
    asked: 'all',
    sql: `select * from reporting.vault_split`,
    fact: 'balances',
  },
  {
    view: 'reconciliation_daily',
    asked: 'a month',
    sql: `select * from reporting.reconciliation_daily where ${day}`,
    fact: 'transaction_status_history',
  },
  {
    view: 'reconciliation_daily',
    asked: 'a week, not explained',
    sql: `select * from reporting.reconciliation_daily
      where day >= ${from}::date and day < ${from}::date + 7 and not is_explained`,
    fact: 'transaction_status_history',
  },
  {
    view: 'balances_shown()',
    asked: 'a snapshot',
    sql: `select b.* from (select account_id, snapshot_at from custody.balance_snapshots where snapshot_at >= ${from}
        and vault_type = 'all' order by snapshot_at limit 1) s
      cross join lateral reporting.balances_shown(s.account_id, 'all', s.snapshot_at) b`,
    fact: 'balances',
  },
  {
    view: 'reconciliation_between()',
    asked: 'two observations a day apart',
    sql: `select r.* from (select account_id, snapshot_at from custody.balance_snapshots where snapshot_at >= ${from}
        and vault_type = 'all' order by snapshot_at limit 1) s
      cross join lateral reporting.reconciliation_between(s.account_id, s.snapshot_at, s.snapshot_at + interval '1 day') r`,
    fact: 'transaction_status_history',
  },
  {
    view: 'uncertain_postings()',
    asked: 'an observation',
    sql: `select u.* from (select account_id, snapshot_at from custody.balance_snapshots where snapshot_at >= ${from}
        and vault_type = 'all' order by snapshot_at limit 1) s
      cross join lateral reporting.uncertain_postings(s.account_id, s.snapshot_at, s.snapshot_at + interval '1 day') u`,
    fact: 'transaction_status_history',
  },
  {
    view: 'reconciliation_postings',
    asked: 'a day',
    sql: `select * from reporting.reconciliation_postings where ${day}`,
    fact: 'transaction_status_history',
  },
  {
    view: 'reconciliation_uncertain',
    asked: 'a day',
    sql: `select * from reporting.reconciliation_uncertain where ${day}`,
    fact: 'transaction_status_history',
  },
  {
    view: 'uncertain_lines()',
    asked: 'an observation',
    sql: `select u.* from (select account_id, snapshot_at from custody.balance_snapshots where snapshot_at >= ${from}
        and vault_type = 'all' order by snapshot_at limit 1) s
      cross join lateral reporting.uncertain_lines(s.account_id, s.snapshot_at, s.snapshot_at + interval '1 day') u`,
    fact: 'transaction_status_history',
  },
  {
    view: 'balances_held()',
    asked: 'now',
    sql: `select * from reporting.balances_held('bench', null, null)`,
    fact: 'balances',
  },
  {
    view: 'balances_held()',
    asked: 'the close of a day',
    sql: `select * from reporting.balances_held('bench', null, ${from}::date)`,
    fact: 'balances',
  },
  {
    view: 'snapshot_held()',
    asked: 'a moment',
    sql: `select * from reporting.snapshot_held('bench', 'all', ${from}, null)`,
    fact: 'balance_snapshots',
  },
  {
    view: 'currencies_priced()',
    asked: 'one account',
    sql: `select * from reporting.currencies_priced('bench')`,
    fact: 'asset_prices',
  },
  {
    view: 'balance_values_held()',
    asked: 'a moment',
    sql: `select * from reporting.balance_values_held('bench', ${from}, null)`,
    fact: 'asset_prices',
  },
  {
    view: 'portfolio_value_held()',
    asked: 'now',
    sql: `select * from reporting.portfolio_value_held('bench', null, null)`,
    fact: 'asset_prices',
  },
  {
    view: 'balance_split()',
    asked: 'the close of a day',
    sql: `select * from reporting.balance_split('bench', 'USD', null, ${from}::date)`,
    fact: 'balances',
  },
  {
    view: 'balance_series()',
    asked: 'a month',
    sql: `select * from reporting.balance_series('bench', 'AST001', ${from}, ${to})`,
    fact: 'balance_snapshots',
  },
  {
    view: 'reconciliation_of_span()',
    asked: 'a day',
    sql: `select * from reporting.reconciliation_of_span('bench', ${from}, ${from} + interval '1 day')`,
    fact: 'transaction_status_history',
  },
];
