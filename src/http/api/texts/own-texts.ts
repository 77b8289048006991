// What columns mean where a table differs from common-texts.ts, by `schema.table.column`. Made from the comments in sql/ by npm run docs:generate.

export const ownTexts = `
custody.accounts.first_seen_at: When the account was mirrored for the first time.
custody.balance_snapshots.vault_type: What was observed: all vaults, warm vaults or cold vaults.
custody.document_revisions.address: Address that was recognised in the document of this revision; for whitelist entries only.
custody.document_revisions.asset_id: Asset that was recognised in the document of this revision; for whitelist entries only.
custody.document_revisions.change: What happened: added, changed, removed or restored.
custody.document_revisions.document: The whole record; at a removal the last one seen.
custody.document_revisions.name: Name that was recognised in the document of this revision; null where none was, as in the next four columns.
custody.document_revisions.network_id: Network that was recognised in the document of this revision; for whitelist entries only.
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
reporting.balances_current.observed_at: When the observation of these figures was made.
reporting.balances_current.vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
reporting.fees_daily.asset_id: Identifier of the asset of the transactions.
reporting.fees_daily.asset_name: Name of the asset of the transactions.
reporting.fees_daily.fee: Sum of their fees, in units of fee_asset_id.
reporting.fees_daily.fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed. Sum fees by this column.
reporting.sync_health.complete_since: Since when the whole list of transactions is mirrored; null until the first sweep has ended.
reporting.sync_health.last_success_at: When a run of any resource last succeeded.
reporting.sync_health.open_anomalies: Findings that are not resolved.
reporting.sync_health.quarantined_records: Records that could not be read.
reporting.sync_health.time_zone: Time zone of its days and months.
reporting.transaction_timeline.status: The status.
sync.anomalies.resolved_at: When it was no longer so; null while it is open. The row is deleted 90 days later.
sync.anomalies.resource: What it concerns: transactions, balances, vaults or whitelist.
sync.quarantine.resource: List that held the record: transactions, balances, vaults or whitelist.
sync.quarantine.run_id: The run (sync.runs) that saw it last.
sync.runs.run_id: Number of the run.
sync.runs.status: running, succeeded, failed, or abandoned because its process stopped.
`;
