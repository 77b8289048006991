-- What every schema, table and column means, in words for the person who meets them in a SQL client.
COMMENT ON SCHEMA "custody" IS 'The mirror of the custody account: what the service shows, and its history.';
--> statement-breakpoint
COMMENT ON SCHEMA "sync" IS 'How the mirror came to be: runs, positions, leases, quarantine, anomalies and what was learned about the service.';
--> statement-breakpoint
COMMENT ON SCHEMA "drizzle" IS 'Which migrations were applied.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."accounts" IS 'Accounts of the custody service that are mirrored, one row each.';
COMMENT ON COLUMN "custody"."accounts"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service this account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was mirrored for the first time.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."transactions" IS 'Transactions as last observed, one row each. Earlier states are in transaction_status_history and transaction_revisions.';
COMMENT ON COLUMN "custody"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "custody"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "custody"."transactions"."transaction_type" IS 'Kind of transaction: withdraw, rebalance, deposit, stake, claim, unstake or change pool.';
COMMENT ON COLUMN "custody"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "custody"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."transactions"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "custody"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "custody"."transactions"."amount" IS 'Amount moved, in units of the asset, exactly as sent. Null when the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."fee" IS 'Fee of the transaction, exactly as sent. Null when the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."source_type" IS 'Where it came from: vault, external, whitelist or network.';
COMMENT ON COLUMN "custody"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "custody"."transactions"."destination_type" IS 'Where it went: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "custody"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "custody"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "custody"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."source_timestamp" IS 'Time the service put on the answer this row was last written from. It is the time of retrieval, not of the transaction.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_at" IS 'When the mirror first saw the transaction. The service tells no time of creation.';
COMMENT ON COLUMN "custody"."transactions"."status_changed_at" IS 'When the mirror first saw the present status.';
COMMENT ON COLUMN "custody"."transactions"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."transactions"."missing_since" IS 'Since when the service no longer shows the transaction; null while it does.';
COMMENT ON COLUMN "custody"."transactions"."content_hash" IS 'Digest of the record without its timestamp, by which a change is recognised.';
COMMENT ON COLUMN "custody"."transactions"."raw" IS 'The record as received, with every field, also those not known here.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."transaction_status_history" IS 'Every status a transaction was seen in, one row for each change that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_status_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_status_history"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_status_history"."sequence" IS 'Number of the change within the transaction; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."from_status" IS 'Status before the change; null at the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."to_status" IS 'Status after the change.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_at" IS 'When the answer that showed the new status had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_status_history"."source_timestamp" IS 'Time the service put on that answer.';
COMMENT ON COLUMN "custody"."transaction_status_history"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."transaction_revisions" IS 'Every change of a transaction other than its status, one row for each that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_revisions"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_revisions"."revision" IS 'Number of the change within the transaction, from 1.';
COMMENT ON COLUMN "custody"."transaction_revisions"."observed_at" IS 'When the answer that showed the change had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_revisions"."changed_fields" IS 'Names of the columns that changed; a field that has no column appears as raw. and its path in the record.';
COMMENT ON COLUMN "custody"."transaction_revisions"."before" IS 'The changed fields before; a field that was absent is left out.';
COMMENT ON COLUMN "custody"."transaction_revisions"."after" IS 'The changed fields after; a field that is absent now is left out.';
COMMENT ON COLUMN "custody"."transaction_revisions"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, also when nothing had changed. A time without a row was not observed.';
COMMENT ON COLUMN "custody"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'What was observed: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the observation was made; one value for the three vault types of one tick.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Time the service put on the answer.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'How many balances the snapshot holds.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'How many balances began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'How many records of the answer could not be read and are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to.';
COMMENT ON COLUMN "custody"."balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."balances"."valid_from" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "custody"."balances"."valid_to" IS 'First later snapshot that did not; null while current.';
COMMENT ON COLUMN "custody"."balances"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."balances"."network_name" IS 'Name of the network.';
COMMENT ON COLUMN "custody"."balances"."total_balance" IS 'Total balance, in units of the asset, exactly as sent.';
COMMENT ON COLUMN "custody"."balances"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "custody"."balances"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "custody"."balances"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "custody"."balances"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "custody"."balances"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
COMMENT ON COLUMN "custody"."balances"."raw" IS 'The element as received at valid_from, with every field.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."vaults" IS 'Vaults as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."vaults"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."vaults"."vault_id" IS 'Identifier of the vault.';
COMMENT ON COLUMN "custody"."vaults"."vault_type" IS 'Type of the vault: warm or cold.';
COMMENT ON COLUMN "custody"."vaults"."name" IS 'Name of the vault, where one was recognised.';
COMMENT ON COLUMN "custody"."vaults"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."vaults"."first_seen_at" IS 'When the mirror first saw the vault.';
COMMENT ON COLUMN "custody"."vaults"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."vaults"."missing_since" IS 'Since when the service no longer lists the vault; null while it does.';
COMMENT ON COLUMN "custody"."vaults"."content_hash" IS 'Digest of the record without its timestamp, by which a change is recognised.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."whitelist_entries" IS 'Entries of the whitelist as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."whitelist_entries"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."whitelist_entries"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."name" IS 'Name of the entry, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."address" IS 'Wallet address, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."asset_id" IS 'Identifier of the asset, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."network_id" IS 'Identifier of the network, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."whitelist_entries"."first_seen_at" IS 'When the mirror first saw the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."whitelist_entries"."missing_since" IS 'Since when the service no longer lists the entry; null while it does.';
COMMENT ON COLUMN "custody"."whitelist_entries"."content_hash" IS 'Digest of the record without its timestamp, by which a change is recognised.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_revisions" IS 'Every state of every vault and whitelist entry. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."document_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_revisions"."kind" IS 'What the document is: vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_revisions"."document_id" IS 'Identifier of the vault (vault_id) or of the whitelist entry (entry_id).';
COMMENT ON COLUMN "custody"."document_revisions"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."document_revisions"."observed_at" IS 'When the answer that showed it had arrived.';
COMMENT ON COLUMN "custody"."document_revisions"."change" IS 'What happened: added, changed, removed or restored.';
COMMENT ON COLUMN "custody"."document_revisions"."document" IS 'The whole record; at a removal the last one that was seen.';
COMMENT ON COLUMN "custody"."document_revisions"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."runs" IS 'What each run of a job did, and whether it may claim to be complete.';
COMMENT ON COLUMN "sync"."runs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."runs"."run_id" IS 'Number of the run.';
COMMENT ON COLUMN "sync"."runs"."job" IS 'Name of the job.';
COMMENT ON COLUMN "sync"."runs"."mode" IS 'full: a whole list was read; incremental: what is new.';
COMMENT ON COLUMN "sync"."runs"."status" IS 'running, succeeded, failed, or abandoned when the process that ran it was gone.';
COMMENT ON COLUMN "sync"."runs"."started_at" IS 'When it began.';
COMMENT ON COLUMN "sync"."runs"."finished_at" IS 'When it ended; null while it runs.';
COMMENT ON COLUMN "sync"."runs"."requests" IS 'Requests sent to the custody service, retries included.';
COMMENT ON COLUMN "sync"."runs"."retries" IS 'Requests that were sent again after a fault.';
COMMENT ON COLUMN "sync"."runs"."rate_limited" IS 'Answers that asked to slow down (ERR-03).';
COMMENT ON COLUMN "sync"."runs"."records_read" IS 'Records received, repeated ones included.';
COMMENT ON COLUMN "sync"."runs"."records_inserted" IS 'Records seen for the first time.';
COMMENT ON COLUMN "sync"."runs"."records_changed" IS 'Records whose content had changed.';
COMMENT ON COLUMN "sync"."runs"."status_changes" IS 'Changes of a transaction''s status that were observed.';
COMMENT ON COLUMN "sync"."runs"."quarantined" IS 'Records that could not be read, repeated ones included.';
COMMENT ON COLUMN "sync"."runs"."verified" IS 'Whether every record that stayed in the list throughout was read; null where the job claims nothing.';
COMMENT ON COLUMN "sync"."runs"."verdict" IS 'What that rests on, or why it cannot be claimed.';
COMMENT ON COLUMN "sync"."runs"."error_code" IS 'Code of the failure.';
COMMENT ON COLUMN "sync"."runs"."error_message" IS 'Failure in words.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."positions" IS 'Where an interrupted job resumes. A job that ended has no row.';
COMMENT ON COLUMN "sync"."positions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."positions"."job" IS 'Name of the job.';
COMMENT ON COLUMN "sync"."positions"."position" IS 'Where it resumes, in the job''s own terms.';
COMMENT ON COLUMN "sync"."positions"."updated_at" IS 'When the position was reached.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."leases" IS 'Which process may write for an account. Times are the database''s own.';
COMMENT ON COLUMN "sync"."leases"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition. It only grows, and a process with an older one cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it ends unless it is renewed.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."quarantine" IS 'Records that could not be read, kept as text with the reason.';
COMMENT ON COLUMN "sync"."quarantine"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."quarantine"."quarantine_id" IS 'Number of the entry.';
COMMENT ON COLUMN "sync"."quarantine"."resource" IS 'List that held the record: transactions, balances, vaults or whitelist.';
COMMENT ON COLUMN "sync"."quarantine"."record_key" IS 'Identifier of the record where it has one, else a digest of its text.';
COMMENT ON COLUMN "sync"."quarantine"."reason" IS 'Why it could not be read.';
COMMENT ON COLUMN "sync"."quarantine"."raw" IS 'The record as received.';
COMMENT ON COLUMN "sync"."quarantine"."run_id" IS 'The run (sync.runs) that saw it last.';
COMMENT ON COLUMN "sync"."quarantine"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."quarantine"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."quarantine"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."quarantine"."resolved_at" IS 'When the record could be read again; null while it cannot.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."learned" IS 'What was found out about the custody service beyond its documentation.';
COMMENT ON COLUMN "sync"."learned"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."learned"."fact" IS 'Name of the fact.';
COMMENT ON COLUMN "sync"."learned"."value" IS 'What was learned.';
COMMENT ON COLUMN "sync"."learned"."evidence" IS 'What it rests on.';
COMMENT ON COLUMN "sync"."learned"."updated_at" IS 'When it was last confirmed or changed.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."anomalies" IS 'Things that should not be, each with how often it was seen.';
COMMENT ON COLUMN "sync"."anomalies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."anomalies"."anomaly_id" IS 'Number of the anomaly.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'What kind of thing it is.';
COMMENT ON COLUMN "sync"."anomalies"."resource" IS 'What it concerns: transactions, balances, vaults or whitelist.';
COMMENT ON COLUMN "sync"."anomalies"."resource_id" IS 'Which record, value or balance it concerns; empty when it concerns the whole list.';
COMMENT ON COLUMN "sync"."anomalies"."details" IS 'What was seen.';
COMMENT ON COLUMN "sync"."anomalies"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."anomalies"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."anomalies"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it was no longer so; null while it is.';
--> statement-breakpoint
COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations that were applied to this database, by the tool that applies them.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'Time of the migration''s making, in milliseconds since 1970, by which it is recognised.';
