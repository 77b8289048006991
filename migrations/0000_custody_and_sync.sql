CREATE SCHEMA "custody";
--> statement-breakpoint
CREATE SCHEMA "sync";
--> statement-breakpoint
CREATE TABLE "custody"."accounts" (
	"account_id" text PRIMARY KEY NOT NULL,
	"base_url" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custody"."balance_snapshots" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"snapshot_at" timestamp with time zone NOT NULL,
	"source_timestamp" timestamp with time zone,
	"asset_count" integer NOT NULL,
	"changed_count" integer NOT NULL,
	"quarantined_count" integer NOT NULL,
	"run_id" bigint NOT NULL,
	CONSTRAINT "balance_snapshots_pkey" PRIMARY KEY("account_id","vault_type","snapshot_at"),
	CONSTRAINT "balance_snapshots_vault_type_known" CHECK ("custody"."balance_snapshots"."vault_type" in ('all', 'warm', 'cold'))
);
--> statement-breakpoint
CREATE TABLE "custody"."balances" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"asset_id" text NOT NULL,
	"network_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"asset_name" text,
	"network_name" text,
	"total_balance" numeric,
	"available_balance" numeric,
	"processing_balance" numeric,
	"staking_balance" numeric,
	"claimable_balance" numeric,
	"run_id" bigint NOT NULL,
	"raw" jsonb NOT NULL,
	CONSTRAINT "balances_pkey" PRIMARY KEY("account_id","vault_type","asset_id","network_id","valid_from"),
	CONSTRAINT "balances_interval_forward" CHECK ("custody"."balances"."valid_to" > "custody"."balances"."valid_from"),
	CONSTRAINT "balances_amounts_finite" CHECK ("custody"."balances"."total_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."available_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."processing_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."staking_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."claimable_balance" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
CREATE TABLE "custody"."document_revisions" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"document_id" text NOT NULL,
	"revision" integer NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"change" text NOT NULL,
	"document" jsonb NOT NULL,
	"run_id" bigint NOT NULL,
	CONSTRAINT "document_revisions_pkey" PRIMARY KEY("account_id","kind","document_id","revision"),
	CONSTRAINT "document_revisions_kind_known" CHECK ("custody"."document_revisions"."kind" in ('vault', 'whitelist_entry')),
	CONSTRAINT "document_revisions_change_known" CHECK ("custody"."document_revisions"."change" in ('added', 'changed', 'removed', 'restored')),
	CONSTRAINT "document_revisions_first_is_added" CHECK (("custody"."document_revisions"."revision" = 1) = ("custody"."document_revisions"."change" = 'added') and "custody"."document_revisions"."revision" >= 1)
);
--> statement-breakpoint
CREATE TABLE "custody"."vaults" (
	"account_id" text NOT NULL,
	"vault_id" text NOT NULL,
	"vault_type" text,
	"name" text,
	"document" jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	CONSTRAINT "vaults_pkey" PRIMARY KEY("account_id","vault_id")
);
--> statement-breakpoint
CREATE TABLE "custody"."whitelist_entries" (
	"account_id" text NOT NULL,
	"entry_id" text NOT NULL,
	"name" text,
	"address" text,
	"asset_id" text,
	"network_id" text,
	"document" jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	CONSTRAINT "whitelist_entries_pkey" PRIMARY KEY("account_id","entry_id")
);
--> statement-breakpoint
CREATE TABLE "sync"."anomalies" (
	"account_id" text NOT NULL,
	"anomaly_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."anomalies_anomaly_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"resource" text NOT NULL,
	"resource_id" text NOT NULL,
	"details" jsonb NOT NULL,
	"first_observed_at" timestamp with time zone NOT NULL,
	"last_observed_at" timestamp with time zone NOT NULL,
	"occurrences" bigint DEFAULT 1 NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "anomalies_pkey" PRIMARY KEY("account_id","anomaly_id"),
	CONSTRAINT "anomalies_subject" UNIQUE("account_id","kind","resource","resource_id"),
	CONSTRAINT "anomalies_resource_known" CHECK ("sync"."anomalies"."resource" in ('transactions', 'balances', 'vaults', 'whitelist'))
);
--> statement-breakpoint
CREATE TABLE "sync"."learned" (
	"account_id" text NOT NULL,
	"fact" text NOT NULL,
	"value" text NOT NULL,
	"evidence" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "learned_pkey" PRIMARY KEY("account_id","fact")
);
--> statement-breakpoint
CREATE TABLE "sync"."quarantine" (
	"account_id" text NOT NULL,
	"quarantine_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."quarantine_quarantine_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"resource" text NOT NULL,
	"record_key" text NOT NULL,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	"run_id" bigint NOT NULL,
	"first_observed_at" timestamp with time zone NOT NULL,
	"last_observed_at" timestamp with time zone NOT NULL,
	"occurrences" bigint DEFAULT 1 NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "quarantine_pkey" PRIMARY KEY("account_id","quarantine_id"),
	CONSTRAINT "quarantine_record_key" UNIQUE("account_id","resource","record_key"),
	CONSTRAINT "quarantine_resource_known" CHECK ("sync"."quarantine"."resource" in ('transactions', 'balances', 'vaults', 'whitelist'))
);
--> statement-breakpoint
CREATE TABLE "sync"."leases" (
	"account_id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" bigint NOT NULL,
	"acquired_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sync"."positions" (
	"account_id" text NOT NULL,
	"job" text NOT NULL,
	"position" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "positions_pkey" PRIMARY KEY("account_id","job")
);
--> statement-breakpoint
CREATE TABLE "sync"."runs" (
	"account_id" text NOT NULL,
	"run_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."runs_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"job" text NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"requests" integer DEFAULT 0 NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"rate_limited" integer DEFAULT 0 NOT NULL,
	"records_read" bigint DEFAULT 0 NOT NULL,
	"records_inserted" bigint DEFAULT 0 NOT NULL,
	"records_changed" bigint DEFAULT 0 NOT NULL,
	"status_changes" bigint DEFAULT 0 NOT NULL,
	"quarantined" bigint DEFAULT 0 NOT NULL,
	"verified" boolean,
	"verdict" jsonb,
	"error_code" text,
	"error_message" text,
	CONSTRAINT "runs_pkey" PRIMARY KEY("account_id","run_id"),
	CONSTRAINT "runs_mode_known" CHECK ("sync"."runs"."mode" in ('full', 'incremental')),
	CONSTRAINT "runs_status_known" CHECK ("sync"."runs"."status" in ('running', 'succeeded', 'failed', 'abandoned')),
	CONSTRAINT "runs_finished_when_not_running" CHECK (("sync"."runs"."status" = 'running') = ("sync"."runs"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "custody"."transaction_revisions" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"revision" integer NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"changed_fields" text[] NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"run_id" bigint NOT NULL,
	CONSTRAINT "transaction_revisions_pkey" PRIMARY KEY("account_id","transaction_id","revision"),
	CONSTRAINT "transaction_revisions_revision_positive" CHECK ("custody"."transaction_revisions"."revision" >= 1)
);
--> statement-breakpoint
CREATE TABLE "custody"."transaction_status_history" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"source_timestamp" timestamp with time zone,
	"run_id" bigint NOT NULL,
	CONSTRAINT "transaction_status_history_pkey" PRIMARY KEY("account_id","transaction_id","sequence"),
	CONSTRAINT "transaction_status_history_first_has_no_from" CHECK (("custody"."transaction_status_history"."sequence" = 1) = ("custody"."transaction_status_history"."from_status" is null) and "custody"."transaction_status_history"."sequence" >= 1)
);
--> statement-breakpoint
CREATE TABLE "custody"."transactions" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"status" text NOT NULL,
	"transaction_type" text,
	"asset_id" text,
	"asset_name" text,
	"network_id" text,
	"network_name" text,
	"amount" numeric,
	"fee" numeric,
	"source_type" text,
	"source_id" text,
	"source_name" text,
	"source_address" text,
	"destination_type" text,
	"destination_id" text,
	"destination_name" text,
	"destination_address" text,
	"destination_memo" text,
	"txn_hash" text,
	"blockexplorer_link" text,
	"note" text,
	"source_timestamp" timestamp with time zone,
	"first_seen_at" timestamp with time zone NOT NULL,
	"status_changed_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	"raw" jsonb NOT NULL,
	CONSTRAINT "transactions_pkey" PRIMARY KEY("account_id","transaction_id"),
	CONSTRAINT "transactions_amounts_finite" CHECK ("custody"."transactions"."amount" not in ('NaN', 'Infinity', '-Infinity') and "custody"."transactions"."fee" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD CONSTRAINT "balance_snapshots_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD CONSTRAINT "document_revisions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."vaults" ADD CONSTRAINT "vaults_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."whitelist_entries" ADD CONSTRAINT "whitelist_entries_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."transaction_revisions" ADD CONSTRAINT "transaction_revisions_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD CONSTRAINT "transaction_status_history_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."transactions" ADD CONSTRAINT "transactions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "balances_current_idx" ON "custody"."balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."balances"."valid_to" is null;--> statement-breakpoint
CREATE INDEX "document_revisions_observed_idx" ON "custody"."document_revisions" USING btree ("account_id","observed_at");--> statement-breakpoint
CREATE INDEX "anomalies_open_idx" ON "sync"."anomalies" USING btree ("account_id","kind") WHERE "sync"."anomalies"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "quarantine_open_idx" ON "sync"."quarantine" USING btree ("account_id","resource") WHERE "sync"."quarantine"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "runs_job_started_idx" ON "sync"."runs" USING btree ("account_id","job","started_at");--> statement-breakpoint
CREATE INDEX "transaction_revisions_observed_idx" ON "custody"."transaction_revisions" USING btree ("account_id","observed_at");--> statement-breakpoint
CREATE INDEX "transaction_status_history_observed_idx" ON "custody"."transaction_status_history" USING btree ("account_id","observed_at");--> statement-breakpoint
CREATE INDEX "transactions_open_idx" ON "custody"."transactions" USING btree ("account_id","status","transaction_id") WHERE "custody"."transactions"."status" not in ('completed', 'rejected', 'cancelled', 'failed');