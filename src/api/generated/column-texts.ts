// What columns mean where a table differs from shared-column-texts.ts, by `schema.table.column`. Made from the comments in sql/ by npm run docs:generate.

export const columnTexts = `
custody.accounts.first_seen_at: When the account was mirrored for the first time.
custody.asset_prices.asset_id: The asset, spelled as in custody.balances.
custody.asset_prices.currency: Currency of the price, such as USD.
custody.asset_prices.price: Price of one unit of the asset, in the currency.
custody.balance_snapshots.vault_type: What was observed: all vaults, warm vaults or cold vaults.
custody.document_revisions.address: Address that was recognised in the document of this revision; for whitelist entries only.
custody.document_revisions.asset_id: Asset that was recognised in the document of this revision; for whitelist entries only.
custody.document_revisions.change: What happened: added, changed, removed or restored.
custody.document_revisions.document: The whole record; at a removal the last one seen.
custody.document_revisions.name: Name that was recognised in the document of this revision; null where none was, as in the next four columns.
custody.document_revisions.network_id: Network that was recognised in the document of this revision; for whitelist entries only.
custody.document_revisions.observed_after: When the last whole reading of the list before this one began: the change happened between then and observed_at. Null at the first reading.
custody.document_revisions.observed_at: When the answer that showed it had arrived.
custody.document_revisions.revision: Number of the state within the document; 1 is the first sighting.
custody.document_revisions.vault_type: Vault type that was recognised in the document of this revision; for vaults only.
custody.transaction_revisions.after: The changed fields after; a field that is absent now is left out.
custody.transaction_revisions.before: The changed fields before; a field that was absent is left out.
custody.transaction_revisions.changed_fields: Names of the columns that changed; a field without a column appears as raw. and its path in the record.
custody.transaction_revisions.observed_at: When the answer that showed the change had arrived. The change itself happened earlier.
custody.transaction_revisions.revision: Number of the change within the transaction, from 1.
custody.vaults.changed_at: When the answer that last changed this row had arrived.
custody.vaults.first_seen_at: When the mirror first saw the vault.
custody.vaults.missing_since: Since when the service no longer lists the vault; null while it does.
custody.vaults.vault_type: Type of the vault: warm or cold.
custody.whitelist_entries.asset_id: Identifier of the asset, where one was recognised.
custody.whitelist_entries.changed_at: When the answer that last changed this row had arrived.
custody.whitelist_entries.first_seen_at: When the mirror first saw the entry.
custody.whitelist_entries.missing_since: Since when the service no longer lists the entry; null while it does.
custody.whitelist_entries.name: Name of the entry, where one was recognised.
custody.whitelist_entries.network_id: Identifier of the network, where one was recognised.
reporting.balance_values.is_known: False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.
reporting.calendar.time_zone: Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.
reporting.destination_uses.amount: Amount, in units of the asset, exact, without padding zeros. Null when the service sent none.
reporting.destination_uses.destination_name: Name of the destination.
reporting.destination_uses.destination_type: Where it went: whitelist, vault, network, stake pool or validator.
reporting.destination_uses.missing_since: Since when the service no longer shows it; null while it shows it.
reporting.destinations.asset_name: Name of the asset, from the last withdrawal.
reporting.document_changes.address: Wallet address that was recognised; for whitelist entries only.
reporting.document_changes.asset_id: Asset the entry is for; null when it names none, and for vaults.
reporting.document_changes.change: What happened: added, changed, removed or restored.
reporting.document_changes.document: The whole record, as JSON in a text; at a removal the last one seen. As jsonb it is in custody.document_revisions.
reporting.document_changes.is_older_than_mirror: It existed when the list was first read, so that its beginning is unknown.
reporting.document_changes.kind: What it is: vault or whitelist_entry.
reporting.document_changes.name: Name that was recognised in the document of this state.
reporting.document_changes.network_id: Network the entry is for; null when it names none, and for vaults.
reporting.document_changes.observed_after: When the state had certainly not begun yet: the start of the reading of the list before. Null at the first reading.
reporting.document_changes.observed_at: When the state was first seen; it began between observed_after and this.
reporting.document_changes.revision: Number of the state within the document; 1 is the first sighting.
reporting.document_changes.run_id: The run (sync.runs) that saw it.
reporting.document_changes.vault_type: Warm or cold, where it was recognised; for vaults only.
reporting.fees_daily.asset_id: Identifier of the asset of the transactions.
reporting.fees_daily.asset_name: Name of the asset of the transactions.
reporting.fees_daily.fee: Sum of their fees, in units of fee_asset_id.
reporting.fees_daily.fee_asset_is_assumed: True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.
reporting.fees_daily.transactions: Transactions with a fee other than 0.
reporting.late_corrections.asset_id: Identifier of the asset, null for the worth; for the measure fee, the asset in which the fee is paid.
reporting.late_corrections.currency: Of the worth: currency of the prices; else null.
reporting.late_corrections.day: Calendar day in the time zone of the account (SCHEDULE_TIMEZONE), on which the transactions count.
reporting.late_corrections.reason: What made the difference: answer (the service showed something else later), fee rule (a person changed custody.fee_rules), price (a person changed custody.asset_prices); more than one are separated by commas.
reporting.late_corrections.vault_type: Of the worth: which vaults, all, warm or cold; else null.
reporting.movement_values.price: Price of one unit of the asset, from custody.asset_prices: the latest one when it was completed.
reporting.movement_values.transaction_type: Kind of transaction: deposit or withdraw.
reporting.postings.asset_id: Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.
reporting.postings.asset_name: Name of the asset; null for a fee in another asset.
reporting.postings.network_id: Identifier of the blockchain network of the transaction; empty or null when the service names none.
reporting.postings.observed_at: When the change was first seen.
reporting.postings.total_change: Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.
reporting.reconciliation_daily.inflow: What came in, by accounting_rules: deposits on their way count already, as they do in the balance. Null on the first day, and when an amount is unknown.
reporting.reconciliation_daily.outflow: What went out, without fees. Null on the first day, and when an amount is unknown.
reporting.reconciliation_postings.asset_id: Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.
reporting.reconciliation_postings.asset_name: Name of the asset; null for a fee in another asset.
reporting.reconciliation_postings.fee_asset_is_assumed: True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.
reporting.reconciliation_postings.from_status: Status before; null at the first sighting.
reporting.reconciliation_postings.network_id: Identifier of the blockchain network of the transaction; empty or null when the service names none.
reporting.reconciliation_postings.observed_after: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.
reporting.reconciliation_postings.observed_at: When the change was first seen.
reporting.reconciliation_postings.total_change: Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.
reporting.reconciliation_uncertain.asset_id: Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.
reporting.reconciliation_uncertain.asset_name: Name of the asset; null for a fee in another asset.
reporting.reconciliation_uncertain.closing_observed_at: When the observation was made (its snapshot_at): the last one that was answered on the day.
reporting.reconciliation_uncertain.from_status: Status before; null at the first sighting.
reporting.reconciliation_uncertain.network_id: Identifier of the blockchain network of the transaction; empty or null when the service names none.
reporting.reconciliation_uncertain.observed_after: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.
reporting.reconciliation_uncertain.observed_at: When the change was first seen.
reporting.reconciliation_uncertain.total_change: Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.
reporting.sync_health.complete_since: Since when the whole list of transactions is mirrored; null until the first sweep has ended.
reporting.sync_health.last_success_at: When a run of any resource last succeeded.
reporting.sync_health.open_anomalies: Findings that are not resolved.
reporting.sync_health.quarantined_records: Records that could not be read.
reporting.sync_health.time_zone: Time zone of its days and months.
reporting.transaction_timeline.is_current: The status lasts.
reporting.transaction_timeline.sequence: Number of the observed status within the transaction; 1 is the first sighting.
reporting.transaction_timeline.status: The status.
reporting.transactions.amount: Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.
reporting.transactions.changed_at: When the answer that last changed anything of it had arrived. That it vanished is not such a change: see missing_since.
reporting.transactions.destination_id: Identifier of the destination.
reporting.transactions.destination_name: Name of the destination.
reporting.transactions.destination_type: Where it went: vault, whitelist, network, stake pool or validator.
reporting.transactions.direction: Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.
reporting.transactions.fee: Fee, in units of fee_asset_id, exact. Null when the service sent none.
reporting.transactions.fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.
reporting.transactions.fee_asset_is_assumed: True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.
reporting.transactions.first_seen_after: A moment at which it certainly did not exist yet: it appeared between this and first_seen_at. Null when unknown, as for what existed before the mirror.
reporting.transactions.missing_since: Since when the service no longer shows it; null while it shows it.
reporting.transactions.settled_at: When the mirror saw its present status begin, if that is final: of one that was completed and then failed, when it failed. Null while open, and when it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.
reporting.transactions.vault_id: The own vault: where it arrives if it comes from elsewhere, else the vault it leaves, whatever its type says. From the transaction itself, so that it is set even when vaults are not mirrored.
reporting.transactions.vault_type: Type of the own vault, warm or cold; null when the vault is not in the mirror.
reporting.worth_daily.currency: Currency of the prices, from custody.asset_prices.
reporting.worth_daily.total_value: Sum of total balance times price, exact: round it as the currency requires. What has no price, and what is unknown, is not in it: see without_price and unknown.
sync.anomalies.kind: unknown-value, duplicate-id, balance-parts-differ, totals-differ, terminal-status-left, conflicting-content, vanished or too-many-vanished. docs/data.md says what each means.
sync.anomalies.resolved_at: When it was no longer so; null while it is open. The row is deleted 90 days later.
sync.anomalies.resource: What it concerns: transactions, balances, vaults or whitelist.
sync.learned.value: What was learned.
sync.quarantine.resource: List that held the record: transactions, balances, vaults or whitelist.
sync.quarantine.run_id: The run (sync.runs) that saw it last.
sync.runs.run_id: Number of the run.
sync.runs.status: running, succeeded, failed, or abandoned because its process stopped.
`;
