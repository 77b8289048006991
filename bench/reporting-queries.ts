// The measured queries: each view and each function of reporting at least once, as a person or a BI tool asks
// it: for a month, or for the current state, without naming the account.
import { day, type ReportQuery } from './report-query.ts';
import { balanceQueries } from './reporting-queries-balances.ts';
import { transactionQueries } from './reporting-queries-transactions.ts';

export const reportQueries: readonly ReportQuery[] = [
  ...transactionQueries,
  ...balanceQueries,
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
    view: 'document_changes',
    asked: 'the last hundred',
    sql: `select * from reporting.document_changes where account_id = 'bench' order by observed_at desc limit 100`,
    fact: null,
  },
  {
    view: 'checkpoints',
    asked: 'the last',
    sql: `select * from reporting.checkpoints where account_id = 'bench' order by tree_size desc limit 1`,
    fact: null,
  },
  {
    view: 'data_freshness',
    asked: 'all',
    sql: 'select * from reporting.data_freshness',
    fact: null,
  },
  { view: 'sync_health', asked: 'all', sql: 'select * from reporting.sync_health', fact: null },
  {
    view: 'half_erased_accounts',
    asked: 'all',
    sql: 'select * from reporting.half_erased_accounts',
    fact: null,
  },
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
