// What columns mean where a table differs from common-texts.ts, by `schema.table.column`. Made from the comments in sql/ by npm run docs:generate.

export const ownTexts = `
custody.accounts.first_seen_at: When the account was mirrored for the first time.
custody.accounts.time_zone: Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started. It holds from the moment it is set; custody.former_time_zones keeps those before.
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
custody.vaults.changed_at: When the answer that last changed this row had arrived.
custody.vaults.first_seen_at: When the mirror first saw the vault.
custody.vaults.missing_since: Since when the service no longer lists the vault; null while it does.
custody.vaults.vault_id: Identifier of the vault.
custody.vaults.vault_type: Type of the vault: warm or cold.
custody.whitelist_entries.asset_id: Identifier of the asset, where one was recognised.
custody.whitelist_entries.changed_at: When the answer that last changed this row had arrived.
custody.whitelist_entries.first_seen_at: When the mirror first saw the entry.
custody.whitelist_entries.missing_since: Since when the service no longer lists the entry; null while it does.
custody.whitelist_entries.name: Name of the entry, where one was recognised.
custody.whitelist_entries.network_id: Identifier of the network, where one was recognised.
reporting.balance_changes.changed_at: First observation (its snapshot_at) that showed the change. The change itself happened between changed_after and changed_before.
reporting.balance_changes.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
reporting.balance_snapshots.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
reporting.balance_values.is_known: False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.
reporting.balance_values.observed_at: When the observation of these figures was made.
reporting.balance_values.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
reporting.balances_current.observed_at: When the observation of these figures was made.
reporting.balances_current.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
reporting.fees_daily.asset_id: Identifier of the asset of the transactions.
reporting.fees_daily.asset_name: Name of the asset of the transactions.
reporting.fees_daily.fee: Sum of their fees, in units of fee_asset_id.
reporting.fees_daily.fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed. Sum fees by this column.
reporting.movement_values.amount: Amount, in units of the asset, exact, without padding zeros, without fees.
reporting.movement_values.direction: Seen from the account: in (deposit) or out (withdraw).
reporting.movement_values.missing_since: Since when the service no longer shows it; null while it does.
reporting.movement_values.price: Price of one unit of the asset, from custody.asset_prices: the latest one when it was completed.
reporting.movement_values.settled_at: When the mirror first saw it completed. Those that were completed before the mirror began are not here.
reporting.movement_values.transaction_type: Kind of transaction: deposit or withdraw.
reporting.postings.asset_id: Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.
reporting.postings.asset_name: Name of the asset; null for a fee in another asset.
reporting.postings.fee: Fee taken from the total; 0 when the service sent none.
reporting.postings.fee_asset_is_assumed: True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.
reporting.postings.network_id: Identifier of the blockchain network of the transaction; empty or null when the service names none.
reporting.postings.observed_at: When the change was first seen.
reporting.postings.revision: Number of the observed correction among the revisions of the transaction; null for a change of status.
reporting.postings.sequence: Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.
reporting.postings.total_change: Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.
reporting.reconciliation_daily.inflow: What came in, by accounting_rules: deposits on their way count already, as they do in the balance. Null on the first day, and when an amount is unknown.
reporting.reconciliation_daily.outflow: What went out, without fees. Null on the first day, and when an amount is unknown.
reporting.sync_health.complete_since: Since when the whole list of transactions is mirrored; null until the first sweep has ended.
reporting.sync_health.last_success_at: When a run of any resource last succeeded.
reporting.sync_health.open_anomalies: Findings that are not resolved.
reporting.sync_health.quarantined_records: Records that could not be read.
reporting.sync_health.time_zone: Time zone of its days and months.
reporting.transaction_timeline.status: The status.
reporting.vault_split.observed_at: When the observation of these figures was made.
reporting.worth_daily.currency: Currency of the prices, from custody.asset_prices.
reporting.worth_daily.observed_at: When the observation of these figures was made.
reporting.worth_daily.total_value: Sum of total balance times price, exact: round it as the currency requires. What has no price, and what is unknown, is not in it: see without_price and unknown.
reporting.worth_daily.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
sync.anomalies.kind: unknown-value, duplicate-id, balance-parts-differ, totals-differ, terminal-status-left, conflicting-content, vanished, too-many-vanished or clock-refused. docs/data.md says what each means.
sync.anomalies.resolved_at: When it was no longer so; null while it is open. The row is deleted 90 days later.
sync.anomalies.resource: What it concerns: transactions, balances, vaults or whitelist.
sync.learned.value: What was learned.
sync.quarantine.resource: List that held the record: transactions, balances, vaults or whitelist.
sync.quarantine.run_id: The run (sync.runs) that saw it last.
sync.runs.run_id: Number of the run.
sync.runs.status: running, succeeded, failed, or abandoned because its process stopped.
`;
