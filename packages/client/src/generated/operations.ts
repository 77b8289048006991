// The operations of the read API: of each its path, what it takes and what it answers.
// Generated from docs/openapi.json by `npm run docs:generate`; do not edit.
import type { Calls } from '../calls/calls.ts';
import type * as api from './types/api-types.ts';

/** Each operation as a function, by its operationId. */
export function operationsOf(calls: Calls) {
  return {
    /** Transactions, now or as they were known at a moment. */
    listTransactions: calls.listAt<api.ListTransactionsQuery, api.ListTransactionsAnswer, api.Transaction, api.TransactionAt>(
      '/v1/transactions',
    ),
    /** Transactions, now or as they were known at a moment: the whole list as CSV. */
    listTransactionsCsv: calls.csv<api.ListTransactionsCsvQuery>('/v1/transactions.csv'),
    /** One transaction with its statuses, its revisions and the record as the service sent it. */
    getTransaction: calls.one<api.GetTransactionQuery, api.GetTransactionAnswer>(
      '/v1/transactions/{transaction_id}',
    ),
    /** How long the last completed transactions of the same type and asset took. */
    getUsualTimes: calls.one<api.GetUsualTimesQuery, api.GetUsualTimesAnswer>(
      '/v1/transactions/{transaction_id}/usual-times',
    ),
    /** The statuses of a transaction, each with the readings between which it changed. */
    listTransactionTimeline: calls.list<api.ListTransactionTimelineQuery, api.ListTransactionTimelineAnswer, api.TimelineEntry>(
      '/v1/transactions/{transaction_id}/timeline',
    ),
    /** The statuses of a transaction, each with the readings between which it changed: the whole list as CSV. */
    listTransactionTimelineCsv: calls.csv<api.ListTransactionTimelineCsvQuery>(
      '/v1/transactions/{transaction_id}/timeline.csv',
    ),
    /** The changes of a transaction in anything but its status, with the values before and after. */
    listTransactionRevisions: calls.list<api.ListTransactionRevisionsQuery, api.ListTransactionRevisionsAnswer, api.TransactionRevision>(
      '/v1/transactions/{transaction_id}/revisions',
    ),
    /** The changes of a transaction in anything but its status, with the values before and after: the whole list as CSV. */
    listTransactionRevisionsCsv: calls.csv<api.ListTransactionRevisionsCsvQuery>(
      '/v1/transactions/{transaction_id}/revisions.csv',
    ),
    /** Balances, now or at a moment. An observation counts from its answer on. Where `is_known` is false the figures are null because they are unknown, not zero. */
    listBalances: calls.listAt<api.ListBalancesQuery, api.ListBalancesAnswer, api.Balance, api.BalanceAt>(
      '/v1/balances',
    ),
    /** Balances, now or at a moment: the whole list as CSV. */
    listBalancesCsv: calls.csv<api.ListBalancesCsvQuery>('/v1/balances.csv'),
    /** Balances with all, warm and cold vaults side by side, now or at a moment. The three are separate answers of the service, a moment apart. Value is that of all vaults, at the latest price given until then. */
    listBalanceSplit: calls.listAt<api.ListBalanceSplitQuery, api.ListBalanceSplitAnswer, api.BalanceSplit, api.BalanceSplitAt>(
      '/v1/balances/split',
    ),
    /** Balances with all, warm and cold vaults side by side, now or at a moment: the whole list as CSV. */
    listBalanceSplitCsv: calls.csv<api.ListBalanceSplitCsvQuery>('/v1/balances/split.csv'),
    /** Every change of balances between two observations: the history of an asset. */
    listBalanceHistory: calls.list<api.ListBalanceHistoryQuery, api.ListBalanceHistoryAnswer, api.BalanceChange>(
      '/v1/balances/history',
    ),
    /** Every change of balances between two observations: the history of an asset: the whole list as CSV. */
    listBalanceHistoryCsv: calls.csv<api.ListBalanceHistoryCsvQuery>('/v1/balances/history.csv'),
    /** The complete observations of balances, also those in which nothing had changed. */
    listSnapshots: calls.list<api.ListSnapshotsQuery, api.ListSnapshotsAnswer, api.Snapshot>('/v1/snapshots'),
    /** The complete observations of balances, also those in which nothing had changed: the whole list as CSV. */
    listSnapshotsCsv: calls.csv<api.ListSnapshotsCsvQuery>('/v1/snapshots.csv'),
    /** The observations of all, warm and cold vaults of one tick, and the checkpoint that seals them. */
    getTick: calls.one<api.GetTickQuery, api.GetTickAnswer>('/v1/snapshots/{snapshot_at}'),
    /** The balances of one asset over a span of time, in even steps, with the gaps in which nothing was observed. The last observation of each step, exact; steps are as long as it takes for at most about 200 of them. Steps without an observation are left out, but one row tells of each gap. Every change is in /v1/balances/history. */
    listBalanceSeries: calls.list<api.ListBalanceSeriesQuery, api.ListBalanceSeriesAnswer, api.BalancePoint>(
      '/v1/balances/assets/{asset_id}/series',
    ),
    /** The balances of one asset over a span of time, in even steps, with the gaps in which nothing was observed: the whole list as CSV. */
    listBalanceSeriesCsv: calls.csv<api.ListBalanceSeriesCsvQuery>(
      '/v1/balances/assets/{asset_id}/series.csv',
    ),
    /** How much of each asset was held at the end of each of some days, in one row for each asset. The totals of the days, 30 without `day_from`, at most the last 366. A day without an observation, or at whose end the balance was unknown or not listed, is left out: that is not zero. */
    listBalanceTrends: calls.list<api.ListBalanceTrendsQuery, api.ListBalanceTrendsAnswer, api.BalanceTrend>(
      '/v1/balances/trends',
    ),
    /** How much of each asset was held at the end of each of some days, in one row for each asset: the whole list as CSV. */
    listBalanceTrendsCsv: calls.csv<api.ListBalanceTrendsCsvQuery>('/v1/balances/trends.csv'),
    /** What the account was worth at the end of each day, and what the sum leaves out. Prices are those of the table `custody.asset_prices`, which you fill. A day without observations has no row: its value is unknown. */
    listPortfolioValueDays: calls.list<api.ListPortfolioValueDaysQuery, api.ListPortfolioValueDaysAnswer, api.PortfolioValueDay>(
      '/v1/balances/value/daily',
    ),
    /** What the account was worth at the end of each day, and what the sum leaves out: the whole list as CSV. */
    listPortfolioValueDaysCsv: calls.csv<api.ListPortfolioValueDaysCsvQuery>('/v1/balances/value/daily.csv'),
    /** Completed deposits and withdrawals with what they were worth. Prices are those of the table `custody.asset_prices`, which you fill. A movement without a price has no row. Name `settled_from`: the orders other than by time read all that it allows. */
    listMovementValues: calls.list<api.ListMovementValuesQuery, api.ListMovementValuesAnswer, api.MovementValue>(
      '/v1/movements/values',
    ),
    /** Completed deposits and withdrawals with what they were worth: the whole list as CSV. */
    listMovementValuesCsv: calls.csv<api.ListMovementValuesCsvQuery>('/v1/movements/values.csv'),
    /** Balances that have a price, now or at a moment, with what they are worth. At the latest price given until then (custody.asset_prices). A balance without a price has no row: it is not worthless. */
    listBalanceValues: calls.listAt<api.ListBalanceValuesQuery, api.ListBalanceValuesAnswer, api.BalanceValue, api.BalanceValueAt>(
      '/v1/balances/values',
    ),
    /** Balances that have a price, now or at a moment, with what they are worth: the whole list as CSV. */
    listBalanceValuesCsv: calls.csv<api.ListBalanceValuesCsvQuery>('/v1/balances/values.csv'),
    /** What all balances are worth together, now or at a moment, and what is not in the sum. A row for each vault type and currency; none without any price. */
    listPortfolioValue: calls.listAt<api.ListPortfolioValueQuery, api.ListPortfolioValueAnswer, api.PortfolioValue, api.PortfolioValueAt>(
      '/v1/balances/value',
    ),
    /** What all balances are worth together, now or at a moment, and what is not in the sum: the whole list as CSV. */
    listPortfolioValueCsv: calls.csv<api.ListPortfolioValueCsvQuery>('/v1/balances/value.csv'),
    /** The prices of assets that people gave. */
    listPrices: calls.list<api.ListPricesQuery, api.ListPricesAnswer, api.Price>('/v1/prices'),
    /** The prices of assets that people gave: the whole list as CSV. */
    listPricesCsv: calls.csv<api.ListPricesCsvQuery>('/v1/prices.csv'),
    /** Vaults, now or as known at a moment. Now, those that the service no longer shows are among them, with `missing_since`. */
    listVaults: calls.listAt<api.ListVaultsQuery, api.ListVaultsAnswer, api.Vault, api.VaultAt>('/v1/vaults'),
    /** Vaults, now or as known at a moment: the whole list as CSV. */
    listVaultsCsv: calls.csv<api.ListVaultsCsvQuery>('/v1/vaults.csv'),
    /** One vault with its revisions. */
    getVault: calls.one<api.GetVaultQuery, api.GetVaultAnswer>('/v1/vaults/{vault_id}'),
    /** Whitelist, now or as known at a moment. Now, those that the service no longer shows are among them, with `missing_since`. */
    listWhitelist: calls.listAt<api.ListWhitelistQuery, api.ListWhitelistAnswer, api.WhitelistEntry, api.WhitelistEntryAt>(
      '/v1/whitelist',
    ),
    /** Whitelist, now or as known at a moment: the whole list as CSV. */
    listWhitelistCsv: calls.csv<api.ListWhitelistCsvQuery>('/v1/whitelist.csv'),
    /** One whitelist entry with its revisions. */
    getWhitelistEntry: calls.one<api.GetWhitelistEntryQuery, api.GetWhitelistEntryAnswer>(
      '/v1/whitelist/{entry_id}',
    ),
    /** What changed in vaults and whitelist entries, with the members before and after. Each observed state is a row. It began between `observed_after` and `observed_at`. */
    listDocumentChanges: calls.list<api.ListDocumentChangesQuery, api.ListDocumentChangesAnswer, api.DocumentChange>(
      '/v1/documents/changes',
    ),
    /** What changed in vaults and whitelist entries, with the members before and after: the whole list as CSV. */
    listDocumentChangesCsv: calls.csv<api.ListDocumentChangesCsvQuery>('/v1/documents/changes.csv'),
    /** The days of the account: when each begins and ends, and in which time zone. From the day on which the mirror began until today. All reports of days have these. */
    listDays: calls.list<api.ListDaysQuery, api.ListDaysAnswer, api.Day>('/v1/days'),
    /** The days of the account: when each begins and ends, and in which time zone: the whole list as CSV. */
    listDaysCsv: calls.csv<api.ListDaysCsvQuery>('/v1/days.csv'),
    /** What came in and went out, by day, asset and network. With `at`, as the days were known at that moment. */
    listFlows: calls.listAt<api.ListFlowsQuery, api.ListFlowsAnswer, api.Flow, api.FlowAt>('/v1/flows'),
    /** What came in and went out, by day, asset and network: the whole list as CSV. */
    listFlowsCsv: calls.csv<api.ListFlowsCsvQuery>('/v1/flows.csv'),
    /** Fees by day, asset of the fee, asset and type of the transaction. With `at`, as the days were known at that moment. */
    listFees: calls.listAt<api.ListFeesQuery, api.ListFeesAnswer, api.Fee, api.FeeAt>('/v1/fees'),
    /** Fees by day, asset of the fee, asset and type of the transaction: the whole list as CSV. */
    listFeesCsv: calls.csv<api.ListFeesCsvQuery>('/v1/fees.csv'),
    /** Sums of the fees of a span of days by the asset in which they were paid. Name the days: without them, all are read. */
    listFeeTotals: calls.list<api.ListFeeTotalsQuery, api.ListFeeTotalsAnswer, api.FeeTotal>(
      '/v1/fees/totals',
    ),
    /** Sums of the fees of a span of days by the asset in which they were paid: the whole list as CSV. */
    listFeeTotalsCsv: calls.csv<api.ListFeeTotalsCsvQuery>('/v1/fees/totals.csv'),
    /** Whether transactions explain the balances, by day and asset. */
    listReconciliation: calls.list<api.ListReconciliationQuery, api.ListReconciliationAnswer, api.ReconciledDay>(
      '/v1/reconciliation',
    ),
    /** Whether transactions explain the balances, by day and asset: the whole list as CSV. */
    listReconciliationCsv: calls.csv<api.ListReconciliationCsvQuery>('/v1/reconciliation.csv'),
    /** Whether transactions explain the balances between two observations, by asset. Without `from` and `to`, between the last two observations of all vaults. */
    listReconciledSpan: calls.list<api.ListReconciledSpanQuery, api.ListReconciledSpanAnswer, api.ExplainedChange>(
      '/v1/reconciliation/between',
    ),
    /** Whether transactions explain the balances between two observations, by asset: the whole list as CSV. */
    listReconciledSpanCsv: calls.csv<api.ListReconciledSpanCsvQuery>('/v1/reconciliation/between.csv'),
    /** What each observed change of a transaction did to the balance of an asset. */
    listPostings: calls.list<api.ListPostingsQuery, api.ListPostingsAnswer, api.Posting>('/v1/postings'),
    /** What each observed change of a transaction did to the balance of an asset: the whole list as CSV. */
    listPostingsCsv: calls.csv<api.ListPostingsCsvQuery>('/v1/postings.csv'),
    /** The postings behind each day of the reconciliation. Those of a day and asset add up to `inflow`, `outflow` and `fees` of its row. */
    listReconciledPostings: calls.list<api.ListReconciledPostingsQuery, api.ListReconciledPostingsAnswer, api.ReconciliationPosting>(
      '/v1/reconciliation/postings',
    ),
    /** The postings behind each day of the reconciliation: the whole list as CSV. */
    listReconciledPostingsCsv: calls.csv<api.ListReconciledPostingsCsvQuery>(
      '/v1/reconciliation/postings.csv',
    ),
    /** The postings that may lie on either side of the last observation of a day. That observation is the closing one of its day, and the opening one of the next day that has one. */
    listUncertainPostings: calls.list<api.ListUncertainPostingsQuery, api.ListUncertainPostingsAnswer, api.UncertainPosting>(
      '/v1/reconciliation/uncertain',
    ),
    /** The postings that may lie on either side of the last observation of a day: the whole list as CSV. */
    listUncertainPostingsCsv: calls.csv<api.ListUncertainPostingsCsvQuery>(
      '/v1/reconciliation/uncertain.csv',
    ),
    /** Where the figures known at the end of a day differ from those known now. */
    listLateCorrections: calls.list<api.ListLateCorrectionsQuery, api.ListLateCorrectionsAnswer, api.LateCorrection>(
      '/v1/late-corrections',
    ),
    /** Where the figures known at the end of a day differ from those known now: the whole list as CSV. */
    listLateCorrectionsCsv: calls.csv<api.ListLateCorrectionsCsvQuery>('/v1/late-corrections.csv'),
    /** Who was paid, and whether the whitelist held them. */
    listDestinations: calls.list<api.ListDestinationsQuery, api.ListDestinationsAnswer, api.Destination>(
      '/v1/destinations',
    ),
    /** Who was paid, and whether the whitelist held them: the whole list as CSV. */
    listDestinationsCsv: calls.csv<api.ListDestinationsCsvQuery>('/v1/destinations.csv'),
    /** Withdrawals by day on which they were first seen, destination and asset. */
    listDestinationDays: calls.list<api.ListDestinationDaysQuery, api.ListDestinationDaysAnswer, api.DestinationDay>(
      '/v1/destinations/daily',
    ),
    /** Withdrawals by day on which they were first seen, destination and asset: the whole list as CSV. */
    listDestinationDaysCsv: calls.csv<api.ListDestinationDaysCsvQuery>('/v1/destinations/daily.csv'),
    /** Withdrawals of a period, and whether the whitelist held their destination when they were made. */
    listDestinationUses: calls.list<api.ListDestinationUsesQuery, api.ListDestinationUsesAnswer, api.DestinationUse>(
      '/v1/destinations/uses',
    ),
    /** Withdrawals of a period, and whether the whitelist held their destination when they were made: the whole list as CSV. */
    listDestinationUsesCsv: calls.csv<api.ListDestinationUsesCsvQuery>('/v1/destinations/uses.csv'),
    /** Sums of the withdrawals of a period by asset, and how much of it went off the list. Amounts are of what was completed. Name a period: without one, all withdrawals are read. */
    listDestinationUseTotals: calls.list<api.ListDestinationUseTotalsQuery, api.ListDestinationUseTotalsAnswer, api.DestinationUseTotal>(
      '/v1/destinations/uses/totals',
    ),
    /** Sums of the withdrawals of a period by asset, and how much of it went off the list: the whole list as CSV. */
    listDestinationUseTotalsCsv: calls.csv<api.ListDestinationUseTotalsCsvQuery>(
      '/v1/destinations/uses/totals.csv',
    ),
    /** Everything that came into the histories after a place, in the order of commits. Keep `next_after` and ask with it as `after`: nothing is missed and nothing comes twice, whatever dies in between. With `wait` an answer without changes is held back until there are some. */
    followChanges: calls.one<api.FollowChangesQuery, api.FollowChangesAnswer>('/v1/changes'),
    /** The accounts that you may read. */
    listAccounts: calls.list<api.ListAccountsQuery, api.ListAccountsAnswer, api.Account>(
      '/v1/accounts',
      { takesAccount: false },
    ),
    /** The accounts that you may read: the whole list as CSV. */
    listAccountsCsv: calls.csv<api.ListAccountsCsvQuery>('/v1/accounts.csv', { takesAccount: false }),
    /** How fresh and how complete each resource is. */
    listFreshness: calls.list<api.ListFreshnessQuery, api.ListFreshnessAnswer, api.Freshness>(
      '/v1/freshness',
    ),
    /** How fresh and how complete each resource is: the whole list as CSV. */
    listFreshnessCsv: calls.csv<api.ListFreshnessCsvQuery>('/v1/freshness.csv'),
    /** The health of the mirror in a word, and its problems. */
    getHealth: calls.one<api.GetHealthQuery, api.GetHealthAnswer>('/v1/health'),
    /** Runs of the jobs, with what they did and their verdict. */
    listRuns: calls.list<api.ListRunsQuery, api.ListRunsAnswer, api.Run>('/v1/runs'),
    /** Runs of the jobs, with what they did and their verdict: the whole list as CSV. */
    listRunsCsv: calls.csv<api.ListRunsCsvQuery>('/v1/runs.csv'),
    /** Records that could not be read, with their text and the reason. */
    listQuarantine: calls.list<api.ListQuarantineQuery, api.ListQuarantineAnswer, api.QuarantinedRecord>(
      '/v1/quarantine',
    ),
    /** Records that could not be read, with their text and the reason: the whole list as CSV. */
    listQuarantineCsv: calls.csv<api.ListQuarantineCsvQuery>('/v1/quarantine.csv'),
    /** What is odd in the data of the service. */
    listAnomalies: calls.list<api.ListAnomaliesQuery, api.ListAnomaliesAnswer, api.Anomaly>('/v1/anomalies'),
    /** What is odd in the data of the service: the whole list as CSV. */
    listAnomaliesCsv: calls.csv<api.ListAnomaliesCsvQuery>('/v1/anomalies.csv'),
    /** What was learned about the service. */
    listFacts: calls.list<api.ListFactsQuery, api.ListFactsAnswer, api.Fact>('/v1/facts'),
    /** What was learned about the service: the whole list as CSV. */
    listFactsCsv: calls.csv<api.ListFactsCsvQuery>('/v1/facts.csv'),
  };
}
