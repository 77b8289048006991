// What each view must show at any moment of the month: most of them to the last digit from what was written
// down beside the mirror when it was read; the others by what the month itself knows.
import {
  balancesAtRows,
  changeRows,
  closing,
  currentRows,
  dailyRows,
  type Price,
  snapshotRows,
  splitRows,
  valueRows,
} from '../expected-balances.ts';
import { destinationRows, destinationUseRows } from '../expected-destinations.ts';
import { transactionsAtRows } from '../expected-moments.ts';
import { reconciliationRows } from '../expected-reconciliation.ts';
import { feeRows, flowRows, outcomeRows, postingRows } from '../expected-sums.ts';
import { missingRows, openRows, timelineRows, transactionRows } from '../expected-transactions.ts';
import type { Observed } from '../observed.ts';
import type { ViewRow } from '../views.ts';
import { type Micros, micros } from '../zones.ts';

type Expected = (observed: Observed, now: Micros) => readonly ViewRow[];

const asOf = micros('2025-06-01T00:00:00Z');
export const prices: readonly Price[] = [
  { assetId: 'BTC', currency: 'USD', asOf, price: '100000' },
  { assetId: 'ETH', currency: 'USD', asOf, price: '2500' },
  { assetId: 'USDC', currency: 'USD', asOf, price: '1' },
];

/** Nothing, before transactions were read. */
const ofTransactions =
  (rows: Expected): Expected =>
  (observed, now) =>
    observed.transactions.length === 0 ? [] : rows(observed, now);

/** Before the whitelist was read nobody knows who was on it: the key was refused. */
const withoutWhitelist =
  (rows: Expected, unknown: ViewRow): Expected =>
  (observed, now) =>
    rows(observed, now).map((row) => (observed.whitelist.length === 0 ? { ...row, ...unknown } : row));

export const ledger: Readonly<Record<string, Expected>> = {
  transactions: ofTransactions(transactionRows),
  open_transactions: ofTransactions(openRows),
  missing_transactions: ofTransactions(missingRows),
  transaction_timeline: ofTransactions(timelineRows),
  transaction_outcomes_daily: ofTransactions((observed) => outcomeRows(observed, 'UTC')),
  flows_daily: ofTransactions((observed) => flowRows(observed, 'UTC')),
  fees_daily: ofTransactions((observed) => feeRows(observed, 'UTC')),
  postings: ofTransactions(postingRows),
  destinations: ofTransactions(withoutWhitelist(destinationRows, { non_whitelisted_uses: null })),
  destination_uses: ofTransactions(
    withoutWhitelist(destinationUseRows, { whitelist_reason: 'unknown: the key may not read the whitelist' }),
  ),
  balance_snapshots: snapshotRows,
  balances_current: currentRows,
  balance_changes: changeRows,
  balances_daily: (observed, now) => dailyRows(observed, 'UTC', now),
  vault_split: splitRows,
  balance_values: (observed, now) => valueRows(currentRows(observed, now), prices, () => now),
  balance_values_daily: (observed, now) => valueRows(dailyRows(observed, 'UTC', now), prices, closing(now)),
  reconciliation_daily: ofTransactions((observed) => reconciliationRows(observed, 'UTC')),
};

/** What was known at a moment, asked whenever. */
export const ledgerAt: Readonly<
  Record<'balances_at' | 'transactions_at', (observed: Observed, at: Micros) => readonly ViewRow[]>
> = {
  balances_at: balancesAtRows,
  transactions_at: (observed, at) =>
    observed.transactions.length === 0 ? [] : transactionsAtRows(observed, at),
};

/** Functions that answer for a moment what the view answered then. */
export const asKnownAt: Readonly<Record<string, string>> = {
  flows_daily_at: 'flows_daily',
  fees_daily_at: 'fees_daily',
  transaction_outcomes_daily_at: 'transaction_outcomes_daily',
  balance_values_daily_at: 'balance_values_daily',
  portfolio_value_daily_at: 'portfolio_value_daily',
};
