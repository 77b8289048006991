// The operations of the read API: of each its path, what it takes and what it answers.
// Generated from docs/openapi.json by `npm run generate`; do not edit.
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
    /** One transaction with its statuses, revisions and the record as the service sent it. */
    getTransaction: calls.one<api.GetTransactionQuery, api.GetTransactionAnswer>(
      '/v1/transactions/{transaction_id}',
    ),
    /** How long recent completed transactions of the same type and asset took. */
    getUsualTimes: calls.one<api.GetUsualTimesQuery, api.GetUsualTimesAnswer>(
      '/v1/transactions/{transaction_id}/usual-times',
    ),
    /** The statuses of a transaction, each with the reads between which it changed. */
    listTransactionTimeline: calls.list<api.ListTransactionTimelineQuery, api.ListTransactionTimelineAnswer, api.TimelineEntry>(
      '/v1/transactions/{transaction_id}/timeline',
    ),
    /** The statuses of a transaction, each with the reads between which it changed: the whole list as CSV. */
    listTransactionTimelineCsv: calls.csv<api.ListTransactionTimelineCsvQuery>(
      '/v1/transactions/{transaction_id}/timeline.csv',
    ),
    /** All changes to a transaction other than its status, with the values before and after. */
    listTransactionRevisions: calls.list<api.ListTransactionRevisionsQuery, api.ListTransactionRevisionsAnswer, api.TransactionRevision>(
      '/v1/transactions/{transaction_id}/revisions',
    ),
    /** All changes to a transaction other than its status, with the values before and after: the whole list as CSV. */
    listTransactionRevisionsCsv: calls.csv<api.ListTransactionRevisionsCsvQuery>(
      '/v1/transactions/{transaction_id}/revisions.csv',
    ),
    /** Balances, now or at a moment. An observation counts from its response on. Where `is_known` is false, the figures are null because they are unknown, not zero. */
    listBalances: calls.listAt<api.ListBalancesQuery, api.ListBalancesAnswer, api.Balance, api.BalanceAt>(
      '/v1/balances',
    ),
    /** Balances, now or at a moment: the whole list as CSV. */
    listBalancesCsv: calls.csv<api.ListBalancesCsvQuery>('/v1/balances.csv'),
    /** Balances with all, warm and cold vaults side by side, now or at a moment. The three come from separate responses of the service, moments apart. The value is that of all vaults, at the latest price known by then. */
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
    /** All complete observations of balances, including those without changes. */
    listSnapshots: calls.list<api.ListSnapshotsQuery, api.ListSnapshotsAnswer, api.Snapshot>('/v1/snapshots'),
    /** All complete observations of balances, including those without changes: the whole list as CSV. */
    listSnapshotsCsv: calls.csv<api.ListSnapshotsCsvQuery>('/v1/snapshots.csv'),
    /** The observations of all, warm and cold vaults of one tick, and the checkpoint that seals them. */
    getTick: calls.one<api.GetTickQuery, api.GetTickAnswer>('/v1/snapshots/{snapshot_at}'),
    /** The balances of one asset over a span of time, evenly sampled, with gaps where nothing was observed. The exact last observation of each step; the length of steps is chosen to give at most about 200. Steps without an observation are left out; each gap has one row. /v1/balances/history has every change. */
    listBalanceSeries: calls.list<api.ListBalanceSeriesQuery, api.ListBalanceSeriesAnswer, api.BalancePoint>(
      '/v1/balances/assets/{asset_id}/series',
    ),
    /** The balances of one asset over a span of time, evenly sampled, with gaps where nothing was observed: the whole list as CSV. */
    listBalanceSeriesCsv: calls.csv<api.ListBalanceSeriesCsvQuery>(
      '/v1/balances/assets/{asset_id}/series.csv',
    ),
    /** How much of each asset was held at the end of each day, in one row for each asset. Daily totals: 30 days without `day_from`, at most the last 366. A day without an observation, or with an unknown or unlisted closing balance, is left out: that is not zero. */
    listBalanceTrends: calls.list<api.ListBalanceTrendsQuery, api.ListBalanceTrendsAnswer, api.BalanceTrend>(
      '/v1/balances/trends',
    ),
    /** How much of each asset was held at the end of each day, in one row for each asset: the whole list as CSV. */
    listBalanceTrendsCsv: calls.csv<api.ListBalanceTrendsCsvQuery>('/v1/balances/trends.csv'),
    /** The total value at the end of each day, and what it leaves out. Prices are those of the table `custody.asset_prices`, which you fill. A day without observations has no row: its value is unknown. */
    listPortfolioValueDays: calls.list<api.ListPortfolioValueDaysQuery, api.ListPortfolioValueDaysAnswer, api.PortfolioValueDay>(
      '/v1/balances/value/daily',
    ),
    /** The total value at the end of each day, and what it leaves out: the whole list as CSV. */
    listPortfolioValueDaysCsv: calls.csv<api.ListPortfolioValueDaysCsvQuery>('/v1/balances/value/daily.csv'),
    /** Completed deposits and withdrawals with their value. Prices are those of the table `custody.asset_prices`, which you fill. A movement without a price has no row. Set `settled_from`: orders other than by time read everything that it allows. */
    listMovementValues: calls.list<api.ListMovementValuesQuery, api.ListMovementValuesAnswer, api.MovementValue>(
      '/v1/movements/values',
    ),
    /** Completed deposits and withdrawals with their value: the whole list as CSV. */
    listMovementValuesCsv: calls.csv<api.ListMovementValuesCsvQuery>('/v1/movements/values.csv'),
    /** Balances that have a price, with their value, now or at a moment. At the latest price known by then (custody.asset_prices). A balance without a price has no row: its value is unknown, not zero. */
    listBalanceValues: calls.listAt<api.ListBalanceValuesQuery, api.ListBalanceValuesAnswer, api.BalanceValue, api.BalanceValueAt>(
      '/v1/balances/values',
    ),
    /** Balances that have a price, with their value, now or at a moment: the whole list as CSV. */
    listBalanceValuesCsv: calls.csv<api.ListBalanceValuesCsvQuery>('/v1/balances/values.csv'),
    /** The total value of all balances, now or at a moment, and what it leaves out. One row for each vault type and currency; none if there are no prices. */
    listPortfolioValue: calls.listAt<api.ListPortfolioValueQuery, api.ListPortfolioValueAnswer, api.PortfolioValue, api.PortfolioValueAt>(
      '/v1/balances/value',
    ),
    /** The total value of all balances, now or at a moment, and what it leaves out: the whole list as CSV. */
    listPortfolioValueCsv: calls.csv<api.ListPortfolioValueCsvQuery>('/v1/balances/value.csv'),
    /** The prices of assets, as entered. */
    listPrices: calls.list<api.ListPricesQuery, api.ListPricesAnswer, api.Price>('/v1/prices'),
    /** The prices of assets, as entered: the whole list as CSV. */
    listPricesCsv: calls.csv<api.ListPricesCsvQuery>('/v1/prices.csv'),
    /** Vaults, now or as known at a moment. Without `at`, those that the service no longer lists are included, with `missing_since`. */
    listVaults: calls.listAt<api.ListVaultsQuery, api.ListVaultsAnswer, api.Vault, api.VaultAt>('/v1/vaults'),
    /** Vaults, now or as known at a moment: the whole list as CSV. */
    listVaultsCsv: calls.csv<api.ListVaultsCsvQuery>('/v1/vaults.csv'),
    /** One vault with its revisions. */
    getVault: calls.one<api.GetVaultQuery, api.GetVaultAnswer>('/v1/vaults/{vault_id}'),
    /** Whitelist, now or as known at a moment. Without `at`, those that the service no longer lists are included, with `missing_since`. */
    listWhitelist: calls.listAt<api.ListWhitelistQuery, api.ListWhitelistAnswer, api.WhitelistEntry, api.WhitelistEntryAt>(
      '/v1/whitelist',
    ),
    /** Whitelist, now or as known at a moment: the whole list as CSV. */
    listWhitelistCsv: calls.csv<api.ListWhitelistCsvQuery>('/v1/whitelist.csv'),
    /** One whitelist entry with its revisions. */
    getWhitelistEntry: calls.one<api.GetWhitelistEntryQuery, api.GetWhitelistEntryAnswer>(
      '/v1/whitelist/{entry_id}',
    ),
    /** Changes in vaults and whitelist entries, with the members before and after. Each observed state is a row. It began between `observed_after` and `observed_at`. */
    listDocumentChanges: calls.list<api.ListDocumentChangesQuery, api.ListDocumentChangesAnswer, api.DocumentChange>(
      '/v1/documents/changes',
    ),
    /** Changes in vaults and whitelist entries, with the members before and after: the whole list as CSV. */
    listDocumentChangesCsv: calls.csv<api.ListDocumentChangesCsvQuery>('/v1/documents/changes.csv'),
    /** The days of the account: when each begins and ends, and in which time zone. From the first mirrored day until today. All daily reports use these days. */
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
    /** Total fees over a span of days by the asset in which they were paid. Set the days: without them, all are read. */
    listFeeTotals: calls.list<api.ListFeeTotalsQuery, api.ListFeeTotalsAnswer, api.FeeTotal>(
      '/v1/fees/totals',
    ),
    /** Total fees over a span of days by the asset in which they were paid: the whole list as CSV. */
    listFeeTotalsCsv: calls.csv<api.ListFeeTotalsCsvQuery>('/v1/fees/totals.csv'),
    /** Whether transactions explain the balances, by day and asset. */
    listReconciliation: calls.list<api.ListReconciliationQuery, api.ListReconciliationAnswer, api.ReconciledDay>(
      '/v1/reconciliation',
    ),
    /** Whether transactions explain the balances, by day and asset: the whole list as CSV. */
    listReconciliationCsv: calls.csv<api.ListReconciliationCsvQuery>('/v1/reconciliation.csv'),
    /** Whether transactions explain the balances between two observations, by asset. Default: between the last two observations of all vaults. */
    listReconciledSpan: calls.list<api.ListReconciledSpanQuery, api.ListReconciledSpanAnswer, api.ExplainedChange>(
      '/v1/reconciliation/between',
    ),
    /** Whether transactions explain the balances between two observations, by asset: the whole list as CSV. */
    listReconciledSpanCsv: calls.csv<api.ListReconciledSpanCsvQuery>('/v1/reconciliation/between.csv'),
    /** The effect of each observed transaction change on the balance of an asset. */
    listPostings: calls.list<api.ListPostingsQuery, api.ListPostingsAnswer, api.Posting>('/v1/postings'),
    /** The effect of each observed transaction change on the balance of an asset: the whole list as CSV. */
    listPostingsCsv: calls.csv<api.ListPostingsCsvQuery>('/v1/postings.csv'),
    /** The postings behind each day of the reconciliation. Those of a day and asset add up to `inflow`, `outflow` and `fees` of its row. */
    listReconciledPostings: calls.list<api.ListReconciledPostingsQuery, api.ListReconciledPostingsAnswer, api.ReconciliationPosting>(
      '/v1/reconciliation/postings',
    ),
    /** The postings behind each day of the reconciliation: the whole list as CSV. */
    listReconciledPostingsCsv: calls.csv<api.ListReconciledPostingsCsvQuery>(
      '/v1/reconciliation/postings.csv',
    ),
    /** Postings that may belong on either side of the last observation of a day. That observation closes its day and opens the next observed day. */
    listUncertainPostings: calls.list<api.ListUncertainPostingsQuery, api.ListUncertainPostingsAnswer, api.UncertainPosting>(
      '/v1/reconciliation/uncertain',
    ),
    /** Postings that may belong on either side of the last observation of a day: the whole list as CSV. */
    listUncertainPostingsCsv: calls.csv<api.ListUncertainPostingsCsvQuery>(
      '/v1/reconciliation/uncertain.csv',
    ),
    /** Figures known at the end of a day that differ from those known now. */
    listLateCorrections: calls.list<api.ListLateCorrectionsQuery, api.ListLateCorrectionsAnswer, api.LateCorrection>(
      '/v1/late-corrections',
    ),
    /** Figures known at the end of a day that differ from those known now: the whole list as CSV. */
    listLateCorrectionsCsv: calls.csv<api.ListLateCorrectionsCsvQuery>('/v1/late-corrections.csv'),
    /** Payees, and whether they are whitelisted. */
    listDestinations: calls.list<api.ListDestinationsQuery, api.ListDestinationsAnswer, api.Destination>(
      '/v1/destinations',
    ),
    /** Payees, and whether they are whitelisted: the whole list as CSV. */
    listDestinationsCsv: calls.csv<api.ListDestinationsCsvQuery>('/v1/destinations.csv'),
    /** Withdrawals by the day they were first seen, by destination and asset. */
    listDestinationDays: calls.list<api.ListDestinationDaysQuery, api.ListDestinationDaysAnswer, api.DestinationDay>(
      '/v1/destinations/daily',
    ),
    /** Withdrawals by the day they were first seen, by destination and asset: the whole list as CSV. */
    listDestinationDaysCsv: calls.csv<api.ListDestinationDaysCsvQuery>('/v1/destinations/daily.csv'),
    /** Withdrawals in a period, and whether their destination was whitelisted at the time. */
    listDestinationUses: calls.list<api.ListDestinationUsesQuery, api.ListDestinationUsesAnswer, api.DestinationUse>(
      '/v1/destinations/uses',
    ),
    /** Withdrawals in a period, and whether their destination was whitelisted at the time: the whole list as CSV. */
    listDestinationUsesCsv: calls.csv<api.ListDestinationUsesCsvQuery>('/v1/destinations/uses.csv'),
    /** Totals of the withdrawals in a period by asset, and how much went to non-whitelisted destinations. Amounts are of completed withdrawals. Set a period: without one, all withdrawals are read. */
    listDestinationUseTotals: calls.list<api.ListDestinationUseTotalsQuery, api.ListDestinationUseTotalsAnswer, api.DestinationUseTotal>(
      '/v1/destinations/uses/totals',
    ),
    /** Totals of the withdrawals in a period by asset, and how much went to non-whitelisted destinations: the whole list as CSV. */
    listDestinationUseTotalsCsv: calls.csv<api.ListDestinationUseTotalsCsvQuery>(
      '/v1/destinations/uses/totals.csv',
    ),
    /** Everything added to the histories after a position, in commit order. Store `next_after` and `history`, and send them as the next `after` and `history`: nothing is missed or repeated, whatever crashes in between, and a place that a restored database cannot continue is refused (`history-changed`). With `wait`, a response without changes is held until there are some. */
    followChanges: calls.one<api.FollowChangesQuery, api.FollowChangesAnswer>('/v1/changes'),
    /** The accounts that you can read. */
    listAccounts: calls.list<api.ListAccountsQuery, api.ListAccountsAnswer, api.Account>(
      '/v1/accounts',
      { takesAccount: false },
    ),
    /** The accounts that you can read: the whole list as CSV. */
    listAccountsCsv: calls.csv<api.ListAccountsCsvQuery>('/v1/accounts.csv', { takesAccount: false }),
    /** How fresh and how complete each resource is. */
    listFreshness: calls.list<api.ListFreshnessQuery, api.ListFreshnessAnswer, api.Freshness>(
      '/v1/freshness',
    ),
    /** How fresh and how complete each resource is: the whole list as CSV. */
    listFreshnessCsv: calls.csv<api.ListFreshnessCsvQuery>('/v1/freshness.csv'),
    /** Health in one word, and the problems. */
    getHealth: calls.one<api.GetHealthQuery, api.GetHealthAnswer>('/v1/health'),
    /** Runs of the jobs, what they did, and their verdicts. */
    listRuns: calls.list<api.ListRunsQuery, api.ListRunsAnswer, api.Run>('/v1/runs'),
    /** Runs of the jobs, what they did, and their verdicts: the whole list as CSV. */
    listRunsCsv: calls.csv<api.ListRunsCsvQuery>('/v1/runs.csv'),
    /** Unreadable records, with their text and the reason. */
    listQuarantine: calls.list<api.ListQuarantineQuery, api.ListQuarantineAnswer, api.QuarantinedRecord>(
      '/v1/quarantine',
    ),
    /** Unreadable records, with their text and the reason: the whole list as CSV. */
    listQuarantineCsv: calls.csv<api.ListQuarantineCsvQuery>('/v1/quarantine.csv'),
    /** Anomalies in the data of the service. */
    listAnomalies: calls.list<api.ListAnomaliesQuery, api.ListAnomaliesAnswer, api.Anomaly>('/v1/anomalies'),
    /** Anomalies in the data of the service: the whole list as CSV. */
    listAnomaliesCsv: calls.csv<api.ListAnomaliesCsvQuery>('/v1/anomalies.csv'),
    /** Facts learned about the service. */
    listFacts: calls.list<api.ListFactsQuery, api.ListFactsAnswer, api.Fact>('/v1/facts'),
    /** Facts learned about the service: the whole list as CSV. */
    listFactsCsv: calls.csv<api.ListFactsCsvQuery>('/v1/facts.csv'),
  };
}
