// The queries about transactions, flows, fees and destinations.
import { day, from, month, type ReportQuery, to } from './report-query.ts';

export const transactionQueries: readonly ReportQuery[] = [
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
    view: 'movement_values',
    asked: 'settled in a month, the largest',
    sql: `select * from reporting.movement_values where ${month('settled_at')} and currency = 'USD' order by value desc limit 5`,
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
    view: 'missing_transactions',
    asked: 'all',
    sql: `select * from reporting.missing_transactions`,
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
    isOfAll: true,
  },
  {
    view: 'destination_uses',
    asked: 'not known to be whitelisted, in a month',
    sql: `select * from reporting.destination_uses where ${month('first_seen_at')} and is_whitelisted is not true`,
    fact: 'transactions',
  },
  {
    view: 'postings_of_days()',
    asked: 'a month',
    sql: `select * from reporting.postings_of_days('bench', ${from}, ${to})`,
    fact: 'transaction_status_history',
  },
  {
    view: 'postings_of_transaction()',
    asked: 'one',
    sql: `select * from reporting.postings_of_transaction('bench', 'tx-1')`,
    fact: 'transaction_status_history',
  },
  {
    view: 'fee_totals()',
    asked: 'a month',
    sql: `select * from reporting.fee_totals('bench', ${from}::date, ${to}::date)`,
    fact: 'transactions',
  },
  {
    view: 'destination_use_totals()',
    asked: 'a month',
    sql: `select * from reporting.destination_use_totals('bench', ${from}, ${to})`,
    fact: 'transactions',
  },
  {
    view: 'destinations_daily',
    asked: 'a month',
    sql: `select * from reporting.destinations_daily where ${day}`,
    fact: 'transactions',
  },
];
