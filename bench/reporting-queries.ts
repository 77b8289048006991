// The canonical queries: each view and each function of reporting at least once, as a BI tool or a person would ask it: a
// month, or what is current, and no word about the account.

export interface ReportQuery {
  /** The view or function of reporting. */
  readonly view: string;
  /** What is asked for, in words. */
  readonly asked: string;
  readonly sql: string;
  /** The table it would have to read whole if it were slow; null where there is none. */
  readonly fact: FactTable | null;
}

/** Tables that grow with every transaction, change, day or price. */
export const factTables = [
  'transactions',
  'transaction_status_history',
  'transaction_revisions',
  'balance_snapshots',
  'balances',
  'asset_prices',
] as const;

export type FactTable = (typeof factTables)[number];

/** A whole calendar month, half way through the third year. */
const from = `(date_trunc('month', now()) - interval '6 months')`;
const to = `(date_trunc('month', now()) - interval '5 months')`;
const day = `day >= ${from}::date and day < ${to}::date`;
const month = (column: string) => `${column} >= ${from} and ${column} < ${to}`;

export const reportQueries: readonly ReportQuery[] = [
  {
    view: 'transactions',
    asked: 'first seen in a month',
    sql: `select * from reporting.transactions where ${month('first_seen_at')}`,
    fact: 'transactions',
  },
  {
    view: 'transactions',
    asked: 'settled in a month, by type',
    sql: `select transaction_type, status, count(*), sum(amount), avg(age) from reporting.transactions
      where ${month('status_since')} and not is_open group by 1, 2`,
    fact: 'transactions',
  },
  {
    view: 'transactions',
    asked: 'one, by its identifier',
    sql: `select * from reporting.transactions where transaction_id =
      (select transaction_id from reporting.transactions where ${month('first_seen_at')} order by first_seen_at limit 1)`,
    fact: 'transactions',
  },
  {
    view: 'open_transactions',
    asked: 'all',
    sql: `select * from reporting.open_transactions order by age desc`,
    fact: 'transactions',
  },
  {
    view: 'open_transactions',
    asked: 'by age band',
    sql: `select age_band_order, age_band, count(*) from reporting.open_transactions group by 1, 2 order by 1`,
    fact: 'transactions',
  },
  {
    view: 'transaction_timeline',
    asked: 'entered in a month',
    sql: `select * from reporting.transaction_timeline where ${month('entered_at')}`,
    fact: 'transaction_status_history',
  },
  {
    view: 'transaction_timeline',
    asked: 'of one transaction',
    sql: `select * from reporting.transaction_timeline where transaction_id =
      (select transaction_id from reporting.transactions where ${month('first_seen_at')} order by first_seen_at limit 1)`,
    fact: 'transaction_status_history',
  },
  {
    view: 'status_durations',
    asked: 'a month',
    sql: `select * from reporting.status_durations where month = ${from}::date`,
    fact: 'transaction_status_history',
  },
  {
    view: 'transaction_outcomes_daily',
    asked: 'a month',
    sql: `select * from reporting.transaction_outcomes_daily where ${day}`,
    fact: 'transactions',
  },
  {
    view: 'postings',
    asked: 'a month',
    sql: `select * from reporting.postings where ${month('observed_at')}`,
    fact: 'transaction_status_history',
  },
  {
    view: 'flows_daily',
    asked: 'a month',
    sql: `select day, sum(deposits), sum(withdrawals) from reporting.flows_daily where ${day} group by 1 order by 1`,
    fact: 'transactions',
  },
  {
    view: 'fees_daily',
    asked: 'a month, by asset',
    sql: `select asset_id, sum(fee) from reporting.fees_daily where ${day} group by 1`,
    fact: 'transactions',
  },
  {
    view: 'flows_daily_at()',
    asked: 'a month, as known at its end',
    sql: `select day, sum(deposits), sum(withdrawals) from reporting.flows_daily_at(${to}) where ${day} group by 1 order by 1`,
    fact: 'transactions',
  },
  {
    view: 'fees_daily_at()',
    asked: 'a month, as known at its end',
    sql: `select fee_asset_id, sum(fee) from reporting.fees_daily_at(${to}) where ${day} group by 1`,
    fact: 'transactions',
  },
  {
    view: 'transaction_outcomes_daily_at()',
    asked: 'a month, as known at its end',
    sql: `select * from reporting.transaction_outcomes_daily_at(${to}) where ${day}`,
    fact: 'transactions',
  },
  {
    view: 'settlement_history',
    asked: 'a month',
    sql: `select * from reporting.settlement_history where ${month('settled_at')}`,
    fact: 'transactions',
  },
  {
    view: 'late_corrections',
    asked: 'a month',
    sql: `select * from reporting.late_corrections where ${day}`,
    fact: 'transactions',
  },
  {
    view: 'vanished_transactions',
    asked: 'all',
    sql: `select * from reporting.vanished_transactions`,
    fact: 'transactions',
  },
  {
    view: 'transactions_at()',
    asked: 'first seen in a month, as known at its end',
    sql: `select * from reporting.transactions_at(${to}) where ${month('first_seen_at')}`,
    fact: 'transactions',
  },
  {
    view: 'destinations',
    asked: 'all',
    sql: `select * from reporting.destinations order by completed_amount desc`,
    fact: 'transactions',
  },
  {
    view: 'destination_uses',
    asked: 'not known to be whitelisted, in a month',
    sql: `select * from reporting.destination_uses where ${month('first_seen_at')} and is_whitelisted is not true`,
    fact: 'transactions',
  },
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
    view: 'day_starts_at()',
    asked: 'a constant',
    sql: `select reporting.day_starts_at('2026-03-29', 'Europe/Zurich')`,
    fact: null,
  },
  {
    view: 'calendar',
    asked: 'a month',
    sql: `select * from reporting.calendar where ${day}`,
    fact: null,
  },
  {
    view: 'accounting_rules',
    asked: 'all',
    sql: 'select * from reporting.accounting_rules',
    fact: null,
  },
  { view: 'vaults', asked: 'all', sql: 'select * from reporting.vaults', fact: null },
  {
    view: 'whitelist_history',
    asked: 'current',
    sql: 'select * from reporting.whitelist_history where is_current',
    fact: null,
  },
  {
    view: 'data_freshness',
    asked: 'all',
    sql: 'select * from reporting.data_freshness',
    fact: null,
  },
  { view: 'sync_health', asked: 'all', sql: 'select * from reporting.sync_health', fact: null },
  { view: 'health_problems', asked: 'all', sql: 'select * from reporting.health_problems', fact: null },
  {
    view: 'is_settled()',
    asked: 'a constant',
    sql: `select reporting.is_settled('completed')`,
    fact: null,
  },
  {
    view: 'is_documented_status()',
    asked: 'a constant',
    sql: `select reporting.is_documented_status('on hold')`,
    fact: null,
  },
  {
    view: 'address_key()',
    asked: 'a constant',
    sql: `select reporting.address_key('0xAB')`,
    fact: null,
  },
  {
    view: 'direction_of()',
    asked: 'a constant',
    sql: `select reporting.direction_of('deposit', null, null)`,
    fact: null,
  },
];
