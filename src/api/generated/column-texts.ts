// Meaning of columns that differs from shared-column-texts.ts, by `schema.table.column`. Generated from the comments in sql/ by npm run generate.

export const columnTexts = `
custody.accounts.first_seen_at: When the account was first mirrored.
custody.asset_prices.asset_id: The asset, spelled as in custody.balances.
custody.asset_prices.currency: Currency of the price, such as USD.
custody.asset_prices.price: Price of one unit of the asset, in the currency.
custody.balance_snapshots.vault_type: Vaults observed: all, warm or cold.
custody.document_revisions.address: Address recognised in the document; for whitelist entries only.
custody.document_revisions.asset_id: Asset recognised in the document; for whitelist entries only.
custody.document_revisions.change: added, changed, removed or restored.
custody.document_revisions.document: The whole record; on removal, the last one seen.
custody.document_revisions.name: Name recognised in the document; null if none was, as in the next four columns.
custody.document_revisions.network_id: Network recognised in the document; for whitelist entries only.
custody.document_revisions.observed_after: When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading.
custody.document_revisions.observed_at: When the answer that showed it arrived.
custody.document_revisions.revision: Number of the state within the document; 1 is the first sighting.
custody.document_revisions.vault_type: Vault type recognised in the document; for vaults only.
custody.transaction_revisions.after: The changed fields after the change, without those that are absent now.
custody.transaction_revisions.before: The changed fields before the change, without those that were absent.
custody.transaction_revisions.changed_fields: Names of the changed columns; a field without a column appears as raw. and its path in the record.
custody.transaction_revisions.observed_at: When the answer that showed the change arrived. The change itself happened earlier.
custody.transaction_revisions.revision: Number of the change within the transaction, from 1.
custody.vaults.changed_at: When the answer that last changed this row arrived.
custody.vaults.missing_since: When the service stopped listing it; null while it lists it.
custody.vaults.vault_type: warm or cold.
custody.whitelist_entries.asset_id: Identifier of the asset, if recognised.
custody.whitelist_entries.changed_at: When the answer that last changed this row arrived.
custody.whitelist_entries.missing_since: When the service stopped listing it; null while it lists it.
custody.whitelist_entries.name: Name of the entry, if recognised.
custody.whitelist_entries.network_id: Identifier of the network, if recognised.
reporting.balance_snapshots.observed_at: When the change was first seen.
reporting.calendar.time_zone: Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.
reporting.destination_uses.amount: Amount in units of the asset: exact, without padding zeros. Null if the service sent none.
reporting.destination_uses.destination_name: Name of the destination.
reporting.destinations.asset_name: Name of the asset, from the last withdrawal.
reporting.document_changes.address: Wallet address, if recognised; for whitelist entries only.
reporting.document_changes.asset_id: Asset the entry is for; null if it names none, and for vaults.
reporting.document_changes.change: added, changed, removed or restored.
reporting.document_changes.document: The whole record as JSON text; on removal, the last one seen. custody.document_revisions holds it as jsonb.
reporting.document_changes.is_older_than_mirror: It existed when the list was first read, so its beginning is unknown.
reporting.document_changes.kind: vault or whitelist_entry.
reporting.document_changes.name: Name recognised in the document.
reporting.document_changes.network_id: Network the entry is for; null if it names none, and for vaults.
reporting.document_changes.observed_after: When the state had certainly not begun yet: the start of the previous reading of the list. Null at the first reading.
reporting.document_changes.observed_at: When the state was first seen; it began between observed_after and this moment.
reporting.document_changes.revision: Number of the state within the document; 1 is the first sighting.
reporting.document_changes.vault_type: warm or cold, if recognised; for vaults only.
reporting.fees_daily.asset_id: Identifier of the asset of the transactions.
reporting.fees_daily.asset_name: Name of the asset of the transactions.
reporting.fees_daily.fee: Sum of their fees, in units of fee_asset_id.
reporting.fees_daily.fee_asset_is_assumed: True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.
reporting.fees_daily.transactions: Number of transactions with a fee other than 0.
reporting.late_corrections.asset_id: Identifier of the asset, null for the value; for the measure fee, the asset in which the fee is paid.
reporting.late_corrections.currency: For the value: currency of the prices; else null.
reporting.late_corrections.day: Calendar day in the account's time zone (SCHEDULE_TIMEZONE) on which the transactions count.
reporting.late_corrections.reason: Cause of the difference: answer (the service showed something else later), fee rule (custody.fee_rules was changed), price (custody.asset_prices was changed); several are separated by commas.
reporting.late_corrections.vault_type: For the value: all, warm or cold; else null.
reporting.movement_values.price: Latest price of one unit of the asset when it was completed, from custody.asset_prices.
reporting.movement_values.transaction_type: deposit or withdraw.
reporting.portfolio_value_daily.currency: Currency of the prices, from custody.asset_prices.
reporting.portfolio_value_daily.observed_at: When the observation of these figures was made.
reporting.portfolio_value_daily.total_value: Sum of total balance times price, exact: round it as the currency requires. It leaves out balances without a price and unknown ones: see without_price and unknown.
reporting.postings.asset_id: Identifier of the asset moved. A fee in another asset than the transaction has its own row.
reporting.postings.asset_name: Name of the asset; null for a fee in another asset.
reporting.postings.observed_at: When the change was first seen.
reporting.postings.total_change: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.reconciliation_daily.inflow: Inflows by accounting_rules. Deposits in progress count, as they do in the balance. Null on the first day, and if an amount is unknown.
reporting.reconciliation_daily.outflow: Outflows without fees. Null on the first day, and if an amount is unknown.
reporting.reconciliation_postings.asset_id: Identifier of the asset moved. A fee in another asset than the transaction has its own row.
reporting.reconciliation_postings.asset_name: Name of the asset; null for a fee in another asset.
reporting.reconciliation_postings.fee_asset_is_assumed: True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. Null for a correction that changes no fee.
reporting.reconciliation_postings.from_status: Previous status; null at the first sighting.
reporting.reconciliation_postings.observed_after: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.
reporting.reconciliation_postings.observed_at: When the change was first seen.
reporting.reconciliation_postings.total_change: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.reconciliation_uncertain.asset_id: Identifier of the asset moved. A fee in another asset than the transaction has its own row.
reporting.reconciliation_uncertain.asset_name: Name of the asset; null for a fee in another asset.
reporting.reconciliation_uncertain.closing_observed_at: When the observation was made (its snapshot_at): the last one answered on the day.
reporting.reconciliation_uncertain.from_status: Previous status; null at the first sighting.
reporting.reconciliation_uncertain.observed_after: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.
reporting.reconciliation_uncertain.observed_at: When the change was first seen.
reporting.reconciliation_uncertain.total_change: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.sync_health.complete_since: From when the whole list of transactions is mirrored; null until the first sweep has ended.
reporting.sync_health.last_success_at: When a run of any resource last succeeded.
reporting.sync_health.time_zone: Time zone of the account's days and months.
reporting.transaction_timeline.is_current: True for the current status.
reporting.transaction_timeline.sequence: Number of the observed status within the transaction, from 1 (first sighting).
reporting.transaction_timeline.status: The observed status.
reporting.transactions.amount: Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.
reporting.transactions.changed_at: When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since.
reporting.transactions.destination_id: Identifier of the destination.
reporting.transactions.destination_name: Name of the destination.
reporting.transactions.direction: Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown.
reporting.transactions.fee: Fee in units of fee_asset_id, exact. Null if the service sent none.
reporting.transactions.fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.
reporting.transactions.fee_asset_is_assumed: True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.
reporting.transactions.settled_at: When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.
reporting.transactions.vault_id: The account's own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.
reporting.transactions.vault_type: warm or cold; null if the vault is not mirrored.
reporting.vault_split.observed_at: When the balances were observed.
sync.anomalies.kind: The kind of anomaly; docs/data.md explains each.
sync.anomalies.resolved_at: When it ended; null while it is open. The row is deleted 90 days later.
sync.learned.value: What was learned.
sync.quarantine.run_id: The run (sync.runs) that last saw it.
sync.runs.run_id: Number of the run.
sync.runs.status: running, succeeded, failed, or abandoned because its process stopped.
`;
