CREATE SCHEMA "custody";
--> statement-breakpoint
CREATE SCHEMA "internal";
--> statement-breakpoint
CREATE SCHEMA "reporting";
--> statement-breakpoint
CREATE SCHEMA "sync";
--> statement-breakpoint
CREATE SEQUENCE "custody"."change_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
--> statement-breakpoint
CREATE TABLE "custody"."accounts" (
	"account_id" text PRIMARY KEY NOT NULL,
	"base_url" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"transactions_since" timestamp with time zone,
	"transactions_total" bigint DEFAULT 0 NOT NULL,
	"transactions_missing" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custody"."former_time_zones" (
	"account_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	CONSTRAINT "former_time_zones_pkey" PRIMARY KEY("account_id","valid_from")
);
--> statement-breakpoint
CREATE TABLE "sync"."api_keys" (
	"key_prefix" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"accounts" text[],
	"scope" text NOT NULL,
	"networks" text[],
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_digest_is_sha256" CHECK ("sync"."api_keys"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_accounts_named" CHECK (cardinality("sync"."api_keys"."accounts") > 0),
	CONSTRAINT "api_keys_scope_known" CHECK ("sync"."api_keys"."scope" in ('metrics', 'balances', 'custody', 'read')),
	CONSTRAINT "api_keys_networks_named" CHECK (cardinality("sync"."api_keys"."networks") > 0)
);
--> statement-breakpoint
CREATE TABLE "custody"."asset_prices" (
	"account_id" text DEFAULT 'default' NOT NULL,
	"asset_id" text NOT NULL,
	"currency" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"source" text,
	"known_from" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "asset_prices_pkey" PRIMARY KEY("account_id","asset_id","currency","as_of"),
	CONSTRAINT "asset_prices_price_bounded" CHECK ("custody"."asset_prices"."price" >= 0 and "custody"."asset_prices"."price" < 1e100 and scale("custody"."asset_prices"."price") <= 100)
);
--> statement-breakpoint
CREATE TABLE "custody"."former_prices" (
	"account_id" text NOT NULL,
	"asset_id" text NOT NULL,
	"currency" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"source" text,
	"known_from" timestamp with time zone NOT NULL,
	"known_until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_prices_pkey" PRIMARY KEY("account_id","asset_id","currency","as_of","known_until")
);
--> statement-breakpoint
CREATE TABLE "custody"."balance_snapshots" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"snapshot_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"source_timestamp" timestamp with time zone,
	"asset_count" integer NOT NULL,
	"changed_count" integer NOT NULL,
	"quarantined_count" integer NOT NULL,
	"unidentified_count" integer DEFAULT 0 NOT NULL,
	"run_id" bigint NOT NULL,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	CONSTRAINT "balance_snapshots_pkey" PRIMARY KEY("account_id","vault_type","snapshot_at"),
	CONSTRAINT "balance_snapshots_vault_type_known" CHECK ("custody"."balance_snapshots"."vault_type" in ('all', 'warm', 'cold')),
	CONSTRAINT "balance_snapshots_bounds_forward" CHECK ("custody"."balance_snapshots"."answered_at" >= "custody"."balance_snapshots"."asked_at")
);
--> statement-breakpoint
CREATE TABLE "custody"."balances" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"asset_id" text NOT NULL,
	"asset_name" text,
	"network_id" text NOT NULL,
	"network_name" text,
	"total_balance" numeric,
	"available_balance" numeric,
	"processing_balance" numeric,
	"staking_balance" numeric,
	"claimable_balance" numeric,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"unchanged_since" timestamp with time zone DEFAULT now() NOT NULL,
	"run_id" bigint NOT NULL,
	"raw" jsonb NOT NULL,
	CONSTRAINT "balances_pkey" PRIMARY KEY("account_id","vault_type","asset_id","network_id","valid_from"),
	CONSTRAINT "balances_interval_forward" CHECK ("custody"."balances"."valid_to" > "custody"."balances"."valid_from"),
	CONSTRAINT "balances_amounts_finite" CHECK ("custody"."balances"."total_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."available_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."processing_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."staking_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."claimable_balance" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
CREATE TABLE "custody"."unreadable_balances" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"asset_id" text NOT NULL,
	"network_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "unreadable_balances_pkey" PRIMARY KEY("account_id","vault_type","asset_id","network_id","valid_from"),
	CONSTRAINT "unreadable_balances_interval_forward" CHECK ("custody"."unreadable_balances"."valid_to" > "custody"."unreadable_balances"."valid_from")
);
--> statement-breakpoint
CREATE TABLE "custody"."document_readings" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"first_read_at" timestamp with time zone NOT NULL,
	"last_read_after" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "document_readings_pkey" PRIMARY KEY("account_id","kind"),
	CONSTRAINT "document_readings_kind_known" CHECK ("custody"."document_readings"."kind" in ('vault', 'whitelist_entry'))
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
	"name" text,
	"vault_type" text,
	"address" text,
	"asset_id" text,
	"network_id" text,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	"observed_after" timestamp with time zone,
	CONSTRAINT "document_revisions_pkey" PRIMARY KEY("account_id","kind","document_id","revision"),
	CONSTRAINT "document_revisions_after_before_at" CHECK ("custody"."document_revisions"."observed_after" <= "custody"."document_revisions"."observed_at"),
	CONSTRAINT "document_revisions_kind_known" CHECK ("custody"."document_revisions"."kind" in ('vault', 'whitelist_entry')),
	CONSTRAINT "document_revisions_change_known" CHECK ("custody"."document_revisions"."change" in ('added', 'changed', 'removed', 'restored')),
	CONSTRAINT "document_revisions_first_is_added" CHECK (("custody"."document_revisions"."revision" = 1) = ("custody"."document_revisions"."change" = 'added') and "custody"."document_revisions"."revision" >= 1)
);
--> statement-breakpoint
CREATE TABLE "custody"."vaults" (
	"account_id" text NOT NULL,
	"vault_id" text NOT NULL,
	"name" text,
	"vault_type" text,
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
CREATE TABLE "internal"."erasures" (
	"account_id" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"erased_by" text NOT NULL,
	"last_token" bigint,
	"rows_erased" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "erasures_pkey" PRIMARY KEY("account_id","started_at")
);
--> statement-breakpoint
CREATE TABLE "sync"."expectations" (
	"account_id" text NOT NULL,
	"job" text NOT NULL,
	"started_by" text NOT NULL,
	"is_mirrored" boolean NOT NULL,
	"is_scheduled" boolean NOT NULL,
	"max_age" interval,
	"max_verified_age" interval,
	"confirmed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "expectations_pkey" PRIMARY KEY("account_id","job"),
	CONSTRAINT "expectations_started_by_known" CHECK ("sync"."expectations"."started_by" in ('daemon', 'sync'))
);
--> statement-breakpoint
CREATE TABLE "custody"."fee_rules" (
	"account_id" text DEFAULT 'default' NOT NULL,
	"fee_rule_id" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "custody"."fee_rules_fee_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network_id" text NOT NULL,
	"transaction_type" text,
	"asset_id" text NOT NULL,
	"known_from" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "fee_rules_pkey" PRIMARY KEY("account_id","fee_rule_id"),
	CONSTRAINT "fee_rules_one_answer" UNIQUE NULLS NOT DISTINCT("account_id","network_id","transaction_type")
);
--> statement-breakpoint
CREATE TABLE "custody"."former_fee_rules" (
	"account_id" text NOT NULL,
	"fee_rule_id" bigint NOT NULL,
	"network_id" text NOT NULL,
	"transaction_type" text,
	"asset_id" text NOT NULL,
	"known_from" timestamp with time zone NOT NULL,
	"known_until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_fee_rules_pkey" PRIMARY KEY("account_id","fee_rule_id","known_until")
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
CREATE TABLE "custody"."histories" (
	"account_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"history" text NOT NULL,
	"began_after" bigint NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"origin" text NOT NULL,
	CONSTRAINT "histories_pkey" PRIMARY KEY("account_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "sync"."leases" (
	"account_id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" bigint NOT NULL,
	"acquired_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"account_time" timestamp with time zone DEFAULT now() NOT NULL,
	"database_time" timestamp with time zone DEFAULT now() NOT NULL,
	"ahead_since" timestamp with time zone
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
CREATE TABLE "sync"."retirements" (
	"account_id" text NOT NULL,
	"retired_at" timestamp with time zone NOT NULL,
	"retired_by" text NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "retirements_pkey" PRIMARY KEY("account_id","retired_at")
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
	"open_transactions_read" boolean,
	"error_code" text,
	"error_message" text,
	"requested_by" text,
	CONSTRAINT "runs_pkey" PRIMARY KEY("account_id","run_id"),
	CONSTRAINT "runs_mode_known" CHECK ("sync"."runs"."mode" in ('full', 'incremental')),
	CONSTRAINT "runs_status_known" CHECK ("sync"."runs"."status" in ('running', 'succeeded', 'failed', 'abandoned')),
	CONSTRAINT "runs_finished_when_not_running" CHECK (("sync"."runs"."status" = 'running') = ("sync"."runs"."finished_at" is null))
);
--> statement-breakpoint
CREATE TABLE "sync"."sync_requests" (
	"account_id" text NOT NULL,
	"request_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."sync_requests_request_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"resources" text[],
	"is_full" boolean NOT NULL,
	"trust_empty" boolean NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"wanted_until" timestamp with time zone NOT NULL,
	"taken_by" text,
	"run_ids" text[] DEFAULT '{}' NOT NULL,
	"finished_at" timestamp with time zone,
	"refusal" text,
	CONSTRAINT "sync_requests_pkey" PRIMARY KEY("account_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "sync"."seal_checkpoints" (
	"account_id" text NOT NULL,
	"tree_size" bigint NOT NULL,
	"last_change_id" bigint NOT NULL,
	"note" text NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "seal_checkpoints_pkey" PRIMARY KEY("account_id","tree_size")
);
--> statement-breakpoint
CREATE TABLE "sync"."seal_stops" (
	"account_id" text NOT NULL,
	"stopped_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "seal_stops_pkey" PRIMARY KEY("account_id")
);
--> statement-breakpoint
CREATE TABLE "internal"."seal_tiles" (
	"account_id" text NOT NULL,
	"level" integer NOT NULL,
	"tile" bigint NOT NULL,
	"hashes" "bytea" NOT NULL,
	"entries" "bytea",
	"last_change_id" bigint,
	CONSTRAINT "seal_tiles_pkey" PRIMARY KEY("account_id","level","tile")
);
--> statement-breakpoint
CREATE TABLE "sync"."seal_verifications" (
	"account_id" text NOT NULL,
	"verified_at" timestamp with time zone NOT NULL,
	"tree_size" bigint NOT NULL,
	"finding" text,
	CONSTRAINT "seal_verifications_pkey" PRIMARY KEY("account_id")
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
	"content_hash" text,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
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
	"observed_after" timestamp with time zone,
	"read_at" timestamp with time zone,
	"content_hash" text,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	CONSTRAINT "transaction_status_history_pkey" PRIMARY KEY("account_id","transaction_id","sequence"),
	CONSTRAINT "transaction_status_history_after_before_at" CHECK ("custody"."transaction_status_history"."observed_after" <= "custody"."transaction_status_history"."observed_at"),
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
	"first_seen_after" timestamp with time zone,
	CONSTRAINT "transactions_pkey" PRIMARY KEY("account_id","transaction_id"),
	CONSTRAINT "transactions_first_seen_after_before_at" CHECK ("custody"."transactions"."first_seen_after" <= "custody"."transactions"."first_seen_at"),
	CONSTRAINT "transactions_amounts_finite" CHECK ("custody"."transactions"."amount" not in ('NaN', 'Infinity', '-Infinity') and "custody"."transactions"."fee" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
ALTER TABLE "custody"."former_time_zones" ADD CONSTRAINT "former_time_zones_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."asset_prices" ADD CONSTRAINT "asset_prices_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."former_prices" ADD CONSTRAINT "former_prices_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD CONSTRAINT "balance_snapshots_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."document_readings" ADD CONSTRAINT "document_readings_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD CONSTRAINT "document_revisions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."vaults" ADD CONSTRAINT "vaults_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."whitelist_entries" ADD CONSTRAINT "whitelist_entries_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."fee_rules" ADD CONSTRAINT "fee_rules_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."former_fee_rules" ADD CONSTRAINT "former_fee_rules_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transaction_revisions" ADD CONSTRAINT "transaction_revisions_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD CONSTRAINT "transaction_status_history_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" ADD CONSTRAINT "transactions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE VIEW "reporting"."balance_changes" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_from AS changed_at,
	u.snapshot_at AS unchanged_until,
	CASE WHEN u.snapshot_at IS NULL THEN 'first observed' WHEN p.valid_from IS NULL THEN 'appeared' ELSE 'changed' END AS change,
	trim_scale(p.total_balance) AS total_before, trim_scale(b.total_balance) AS total_after,
	trim_scale(CASE WHEN u.snapshot_at IS NULL THEN NULL WHEN p.valid_from IS NULL THEN b.total_balance
		ELSE b.total_balance - p.total_balance END) AS total_change,
	trim_scale(p.available_balance) AS available_before, trim_scale(b.available_balance) AS available_after,
	trim_scale(p.processing_balance) AS processing_before, trim_scale(b.processing_balance) AS processing_after,
	trim_scale(p.staking_balance) AS staking_before, trim_scale(b.staking_balance) AS staking_after,
	trim_scale(p.claimable_balance) AS claimable_before, trim_scale(b.claimable_balance) AS claimable_after,
	u.asked_at AS changed_after, f.answered_at AS changed_before
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_from
LEFT JOIN LATERAL (
	SELECT q.* FROM custody.balances q
	WHERE q.account_id = b.account_id AND q.vault_type = b.vault_type AND q.asset_id = b.asset_id
	AND q.network_id = b.network_id AND q.valid_from < b.valid_from
	ORDER BY q.valid_from DESC LIMIT 1
) AS p ON p.valid_to = b.valid_from
-- A snapshot with an unidentified record may lack a balance that existed.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_from
		AND (s.unidentified_count = 0 OR s.snapshot_at >= p.valid_from)
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- The same amounts with other trailing zeros are not a change.
WHERE b.unchanged_since = b.valid_from
UNION ALL
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_to,
	u.snapshot_at, 'disappeared',
	trim_scale(b.total_balance), NULL, trim_scale(-b.total_balance),
	trim_scale(b.available_balance), NULL, trim_scale(b.processing_balance), NULL,
	trim_scale(b.staking_balance), NULL, trim_scale(b.claimable_balance), NULL,
	u.asked_at, f.answered_at
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_to
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_to
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- OFFSET 0 makes the planner look up each row by index.
WHERE b.valid_to IS NOT NULL AND NOT EXISTS (
	SELECT FROM custody.balances n
	WHERE n.account_id = b.account_id AND n.vault_type = b.vault_type AND n.asset_id = b.asset_id
		AND n.network_id = b.network_id AND n.valid_from = b.valid_to
	OFFSET 0
);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_changes" IS 'Every change of a balance between two observations, one row each, including assets that appear or are no longer listed. A different number of trailing zeros is not a change, nor is a balance that was unreadable for a time and is the same afterwards. Figures before are null if the asset is first observed or appears, figures after if it disappears; total_change then counts the whole balance.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_at" IS 'First observation (its snapshot_at) that showed the change, which happened between changed_after and changed_before.';
COMMENT ON COLUMN "reporting"."balance_changes"."unchanged_until" IS 'Last observation (its snapshot_at) that showed the balance without the change; observations in between could not read it. Null if no earlier observation showed it.';
COMMENT ON COLUMN "reporting"."balance_changes"."change" IS 'first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (no longer listed by the service).';
COMMENT ON COLUMN "reporting"."balance_changes"."total_before" IS 'Total balance before.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_after" IS 'Total balance after.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_change" IS 'total_after - total_before; null if change is first observed.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_before" IS 'Available part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_after" IS 'Available part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_before" IS 'Part being processed before.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_after" IS 'Part being processed after.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_before" IS 'Staked part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_after" IS 'Staked part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_before" IS 'Claimable part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_after" IS 'Claimable part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_after" IS 'Lower bound of the change: when the first request of the observation unchanged_until began. Null without an earlier observation.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_before" IS 'Upper bound of the change: when the last answer of the observation changed_at arrived.';
--> statement-breakpoint
-- Every snapshot as full rows, from the intervals of custody.balances and custody.unreadable_balances.
CREATE VIEW "reporting"."balance_snapshots" AS
SELECT s.account_id, s.vault_type, s.snapshot_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.total_balance) END AS total_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.available_balance) END AS available_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.processing_balance) END AS processing_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.staking_balance) END AS staking_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.claimable_balance) END AS claimable_balance,
	CASE WHEN u.asset_id IS NULL THEN b.unchanged_since END AS unchanged_since, u.asset_id IS NULL AS is_known,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from
	) END AS last_known_at,
	u.valid_to AS next_known_at, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
-- The condition twice: as a range for the GiST index, and as bounds for a search from a balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
LEFT JOIN custody.unreadable_balances u ON u.account_id = b.account_id AND u.vault_type = b.vault_type
	AND u.asset_id = b.asset_id AND u.network_id = b.network_id
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
UNION ALL
-- Balances that were never readable have no interval in custody.balances.
SELECT s.account_id, s.vault_type, s.snapshot_at, u.asset_id, NULL, u.network_id, NULL,
	NULL, NULL, NULL, NULL, NULL, NULL, false,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from AND k.unidentified_count = 0
	) END,
	u.valid_to, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
JOIN custody.unreadable_balances u ON u.account_id = s.account_id AND u.vault_type = s.vault_type
	AND tstzrange(u.valid_from, u.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
WHERE NOT EXISTS (
	SELECT FROM custody.balances b
	WHERE b.account_id = u.account_id AND b.vault_type = u.vault_type AND b.asset_id = u.asset_id AND b.network_id = u.network_id
		AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
	OFFSET 0
);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows. The view is large: always filter by time, and by asset or vault type if you can. A moment without rows was not observed; it does not mean zero.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."snapshot_at" IS 'When the observation was made; the same for the three vault types of one tick.';
--> statement-breakpoint
-- The content of one snapshot: the only place that combines balances with unreadable balances. PostgreSQL inlines it into the views.
CREATE FUNCTION "reporting"."balances_shown"("account" text, "vaults" text, "at" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, network_name text, total_balance numeric, available_balance numeric,
	processing_balance numeric, staking_balance numeric, claimable_balance numeric, unchanged_since timestamptz,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT asset_id, b.asset_name, network_id, b.network_name,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.total_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.available_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.processing_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.staking_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.claimable_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN b.unchanged_since END,
		u.is_unknown IS NULL,
		CASE WHEN u.is_unknown THEN (
			SELECT max(s.snapshot_at) FROM custody.balance_snapshots s
			WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at < u.valid_from
				AND (b.valid_from IS NOT NULL OR s.unidentified_count = 0)
		) END,
		u.valid_to
	FROM (
		SELECT q.* FROM custody.balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS b
	FULL JOIN (
		SELECT q.asset_id, q.network_id, q.valid_from, q.valid_to, true AS is_unknown FROM custody.unreadable_balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS u USING (asset_id, network_id)
	-- A moment without a snapshot returns nothing.
	WHERE EXISTS (
		SELECT FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at = "at"
	);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_shown"(text, text, timestamptz) IS 'The balances in one snapshot, by account, vault type and snapshot_at: one row per asset. If the record of a balance could not be read, is_known is false and the figures are null. A moment without a snapshot returns no rows; use balances_at for any moment.';
--> statement-breakpoint
-- A balance that a snapshot does not show is zero, unless it may be one of the records that could not be read. Rows are grouped, not
-- joined by their keys: without statistics such a join compares each with each.
CREATE FUNCTION "internal"."compared_totals"("account" text, "at" timestamptz, "before" timestamptz) RETURNS TABLE (
	asset_id text, network_id text, "all" text, warm text, cold text, difference text, holds boolean, differed_before boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH tick AS MATERIALIZED (
		SELECT s.vault_type, s.snapshot_at, s.unidentified_count FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.snapshot_at IN ("at", "before")
	), relevant AS (
		SELECT b.vault_type, b.asset_id, b.network_id, b.valid_from, b.valid_to, b.total_balance AS total, true AS is_held
		FROM custody.balances b WHERE b.account_id = "account" AND b.valid_to IS NULL
		UNION ALL
		SELECT b.vault_type, b.asset_id, b.network_id, b.valid_from, b.valid_to, b.total_balance, true
		FROM custody.balances b WHERE b.account_id = "account" AND b.valid_to > "before"
		UNION ALL
		SELECT u.vault_type, u.asset_id, u.network_id, u.valid_from, u.valid_to, NULL, false
		FROM custody.unreadable_balances u WHERE u.account_id = "account" AND (u.valid_to IS NULL OR u.valid_to > "before")
	), cells AS (
		SELECT r.asset_id, r.network_id, t.vault_type, t.snapshot_at = "at" AS is_now, bool_or(r.is_held AND s.is_shown) AS is_held,
			CASE WHEN NOT bool_or(s.is_shown AND r.total IS NULL) THEN
				coalesce(max(r.total) FILTER (WHERE s.is_shown), CASE WHEN t.unidentified_count = 0 THEN 0 END) END AS total
		FROM relevant r CROSS JOIN tick t CROSS JOIN LATERAL (
			SELECT r.vault_type = t.vault_type AND r.valid_from <= t.snapshot_at
				AND coalesce(r.valid_to, 'infinity') > t.snapshot_at AS is_shown
		) AS s
		GROUP BY r.asset_id, r.network_id, t.vault_type, t.snapshot_at, t.unidentified_count
	), totals AS (
		SELECT c.asset_id, c.network_id, max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'all') AS all_now,
			max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'warm') AS warm_now,
			max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'cold') AS cold_now,
			max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'all')
				- max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'warm')
				- max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'cold') AS difference_before
		FROM cells c GROUP BY c.asset_id, c.network_id HAVING bool_or(c.is_held)
	)
	SELECT t.asset_id, t.network_id, t.all_now::text, t.warm_now::text, t.cold_now::text, d.difference::text,
		d.difference = 0, d.difference <> 0 AND d.difference = t.difference_before
	FROM totals t CROSS JOIN LATERAL (SELECT t.all_now - t.warm_now - t.cold_now AS difference) AS d;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."compared_totals"(text, timestamptz, timestamptz) IS 'By asset, the balances in all, warm and cold vaults in the snapshots of one tick, what the first is more than the others together, and whether the tick before showed the same difference.';
--> statement-breakpoint
-- One index lookup per asset and currency of the account, instead of reading every price. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."currencies_priced"("account" text) RETURNS TABLE (currency text) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH RECURSIVE priced AS (
		(SELECT q.asset_id, q.currency FROM custody.asset_prices q WHERE q.account_id = "account" ORDER BY q.asset_id, q.currency LIMIT 1)
		UNION ALL
		SELECT n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
			SELECT q.asset_id, q.currency FROM custody.asset_prices q
			WHERE q.account_id = "account" AND (q.asset_id, q.currency) > (c.asset_id, c.currency)
			ORDER BY q.asset_id, q.currency LIMIT 1
		) AS n
	)
	SELECT DISTINCT p.currency FROM priced p;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."currencies_priced"(text) IS 'The currencies in which an account has prices in custody.asset_prices.';
--> statement-breakpoint
-- The currencies that have prices: one index lookup per asset and currency, instead of reading every price.
CREATE VIEW "internal"."present_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT DISTINCT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "internal"."present_currencies" IS 'Currencies in which an account has prices in custody.asset_prices.';
--> statement-breakpoint
-- internal.present_currencies plus the currencies in which prices were replaced or removed.
CREATE VIEW "reporting"."price_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.former_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.former_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT account_id, currency FROM internal.present_currencies
UNION
SELECT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."price_currencies" IS 'Currencies in which an account has, or once had, prices in custody.asset_prices.';
--> statement-breakpoint
-- The one rule that chooses prices: the last one before a moment, never a future one, as known at another moment. If two periods
-- overlap, because an earlier known_from was stated, the price stated last counts: it has the later known_until, or none. Knowledge of
-- now needs no former price: without that condition every one of them would be read. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."price_known"("account" text, "asset" text, "in_currency" text, "before" timestamptz, "as_known_at" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz, known_until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(k.price), k.as_of, k.known_until FROM (
		(
			SELECT q.price, q.as_of, NULL::timestamptz AS known_until FROM custody.asset_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now()) AND q.known_from <= "as_known_at"
			ORDER BY q.as_of DESC LIMIT 1
		)
		UNION ALL
		(
			SELECT q.price, q.as_of, q.known_until FROM custody.former_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now())
				AND "as_known_at" < now() AND q.known_from <= "as_known_at" AND q.known_until > "as_known_at"
			ORDER BY q.as_of DESC, q.known_until DESC LIMIT 1
		)
	) AS k
	ORDER BY k.as_of DESC, k.known_until DESC NULLS FIRST LIMIT 1;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."price_known"(text, text, text, timestamptz, timestamptz) IS 'The last price of an asset in a currency before one moment, as known at another, from custody.asset_prices and custody.former_prices, with the moment at which it was replaced or removed. No row if no price was known. Pass ''infinity'' as the second moment for the prices known now. For the end of a day, pass ends_at of reporting.calendar as the first.';
--> statement-breakpoint
CREATE FUNCTION "internal"."tick_before"("account" text, "at" timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at < "at"
		-- Each vault type has one at a moment. This is asked once, not for each row.
		AND (SELECT count(*) FROM custody.balance_snapshots o WHERE o.account_id = "account" AND o.snapshot_at = "at") = 3
		AND (SELECT count(*) FROM custody.balance_snapshots o WHERE o.account_id = "account" AND o.snapshot_at = s.snapshot_at) = 3
	ORDER BY s.snapshot_at DESC LIMIT 1
);
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."tick_before"(text, timestamptz) IS 'The last moment before this one that has a snapshot of each vault type; null when there is none, or this one lacks a type.';
--> statement-breakpoint
CREATE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share,
	b.is_known, l.asked_at, l.answered_at
FROM (
	-- The last tick with all three observations: figures of different ticks are never compared.
	SELECT a.account_id, s.snapshot_at, s.asked_at, s.answered_at, s.all_unidentified, s.warm_unidentified, s.cold_unidentified
	FROM custody.accounts a
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at, least(s.asked_at, w.asked_at, c.asked_at) AS asked_at,
			greatest(s.answered_at, w.answered_at, c.answered_at) AS answered_at, s.unidentified_count > 0 AS all_unidentified,
			w.unidentified_count > 0 AS warm_unidentified, c.unidentified_count > 0 AS cold_unidentified
		FROM custody.balance_snapshots s
		JOIN custody.balance_snapshots w ON w.account_id = s.account_id AND w.vault_type = 'warm' AND w.snapshot_at = s.snapshot_at
		JOIN custody.balance_snapshots c ON c.account_id = s.account_id AND c.vault_type = 'cold' AND c.snapshot_at = s.snapshot_at
		WHERE s.account_id = a.account_id AND s.vault_type = 'all'
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS s
) AS l
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name, q.network_id, max(q.network_name) AS network_name,
		-- An unlisted asset has balance 0, unless it may be an unidentified record; one listed without a figure is unknown.
		CASE WHEN bool_or(q.vault_type = 'warm' AND q.total_balance IS NULL)
				OR l.warm_unidentified AND NOT bool_or(q.vault_type = 'warm') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'warm'), 0) END AS warm_total,
		CASE WHEN bool_or(q.vault_type = 'cold' AND q.total_balance IS NULL)
				OR l.cold_unidentified AND NOT bool_or(q.vault_type = 'cold') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'cold'), 0) END AS cold_total,
		CASE WHEN bool_or(q.vault_type = 'all' AND q.total_balance IS NULL)
				OR l.all_unidentified AND NOT bool_or(q.vault_type = 'all') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'all'), 0) END AS all_total,
		bool_and(q.is_known) AND (bool_or(q.vault_type = 'warm') OR NOT l.warm_unidentified)
			AND (bool_or(q.vault_type = 'cold') OR NOT l.cold_unidentified)
			AND (bool_or(q.vault_type = 'all') OR NOT l.all_unidentified) AS is_known
	FROM (
		SELECT v.vault_type, s.asset_id, s.asset_name, s.network_id, s.network_name, s.total_balance, s.is_known
		FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
		CROSS JOIN LATERAL reporting.balances_shown(l.account_id, v.vault_type, l.snapshot_at) AS s
	) AS q
	GROUP BY q.asset_id, q.network_id
) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vault_split" IS 'Warm and cold balances side by side, from the last tick that observed all, warm and cold. The three are separate answers, a moment apart. A total with an unreadable part is null, and so is everything computed from it.';
COMMENT ON COLUMN "reporting"."vault_split"."observed_at" IS 'When the balances were observed.';
COMMENT ON COLUMN "reporting"."vault_split"."warm_total" IS 'Total balance of the warm vaults; 0 if they do not list the asset; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_total" IS 'Total balance of the cold vaults; 0 if they do not list the asset; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."all_total" IS 'Total balance of all vaults, as the service sends it; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."difference" IS 'all_total - warm_total - cold_total.';
COMMENT ON COLUMN "reporting"."vault_split"."agrees" IS 'True if the difference is 0; null if a total is null.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_share" IS 'Share of the cold vaults, from 0 to 1, rounded to 6 places.';
COMMENT ON COLUMN "reporting"."vault_split"."is_known" IS 'True if all three could be read. If false, at least one total is unknown and null, because a record could not be read.';
COMMENT ON COLUMN "reporting"."vault_split"."asked_at" IS 'When the first request for the three began.';
COMMENT ON COLUMN "reporting"."vault_split"."answered_at" IS 'When the last answer for the three arrived.';
--> statement-breakpoint
-- Identifies a destination by a digest, because the texts come from outside and may exceed the size of an index entry. They are
-- quoted before they are joined, so that different lists never produce the same text. All functions are immutable, so that PostgreSQL
-- inlines it. sha256 also exists on servers without md5.
CREATE FUNCTION "custody"."destination_key"(
	"destination_type" text, "destination_id" text, "destination_address" text, "asset_id" text, "network_id" text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN sha256(decode(replace(
		quote_nullable("destination_type") || ',' || quote_nullable("destination_id") || ',' || quote_nullable("destination_address")
			|| ',' || quote_nullable("asset_id") || ',' || quote_nullable("network_id"),
		'\', '\\'), 'escape'));
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."destination_key"(text, text, text, text, text) IS 'Digest of a destination and an asset: type, identifier and address of the destination, identifier and network of the asset.';
--> statement-breakpoint
-- Documents are compared member by member. A document that is not an object has no members, and differs as a whole under the name ''.
CREATE VIEW "reporting"."document_changes" AS
SELECT r.account_id, r.kind, r.document_id, r.revision, r.change, r.observed_after, r.observed_at,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror, next.revision IS NULL AS is_current,
	r.name, r.vault_type, r.address, r.asset_id, r.network_id,
	d.changed_fields, d.before, d.after, r.document::text AS document, r.run_id
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
LEFT JOIN custody.document_revisions former
	ON former.account_id = r.account_id AND former.kind = r.kind AND former.document_id = r.document_id AND former.revision = r.revision - 1
CROSS JOIN LATERAL (
	SELECT coalesce(string_agg(m.name, ', ' ORDER BY m.name), '') AS changed_fields,
		coalesce(jsonb_object_agg(m.name, m.value_before) FILTER (WHERE m.value_before IS NOT NULL), '{}')::text AS before,
		coalesce(jsonb_object_agg(m.name, m.value_after) FILTER (WHERE m.value_after IS NOT NULL), '{}')::text AS after
	FROM (
		SELECT coalesce(o.key, n.key) AS name, o.value AS value_before, n.value AS value_after
		FROM jsonb_each(CASE jsonb_typeof(former.document) WHEN 'object' THEN former.document
			ELSE jsonb_build_object('', former.document) END) AS o
		FULL JOIN jsonb_each(CASE jsonb_typeof(r.document) WHEN 'object' THEN r.document
			ELSE jsonb_build_object('', r.document) END) AS n ON n.key = o.key
		WHERE former.revision IS NOT NULL AND o.value IS DISTINCT FROM n.value
	) AS m
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."document_changes" IS 'Every observed state of every vault and whitelist entry, one row each, with its differences from the previous state.';
COMMENT ON COLUMN "reporting"."document_changes"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "reporting"."document_changes"."document_id" IS 'Identifier of the vault or the whitelist entry.';
COMMENT ON COLUMN "reporting"."document_changes"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_after" IS 'When the state had certainly not begun yet: the start of the previous reading of the list. Null at the first reading.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_at" IS 'When the state was first seen; it began between observed_after and this moment.';
COMMENT ON COLUMN "reporting"."document_changes"."known_until" IS 'Start of the last reading that still showed the state; earlier than observed_at if only one reading showed it.';
COMMENT ON COLUMN "reporting"."document_changes"."valid_to" IS 'When the next state was first seen; it began between known_until and this moment. Null for the current state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_listed" IS 'Whether the service listed the vault or entry in this state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_older_than_mirror" IS 'Whether this state was shown when the list was first read, so that its beginning is unknown; false for the later states of the same document.';
COMMENT ON COLUMN "reporting"."document_changes"."name" IS 'Name recognised in the document.';
COMMENT ON COLUMN "reporting"."document_changes"."vault_type" IS 'warm or cold, if recognised; for vaults only.';
COMMENT ON COLUMN "reporting"."document_changes"."address" IS 'Wallet address, if recognised; for whitelist entries only.';
COMMENT ON COLUMN "reporting"."document_changes"."asset_id" IS 'Asset the entry is for; null if it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."network_id" IS 'Network the entry is for; null if it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."changed_fields" IS 'Names of the members that differ from the previous state, in order, such as: address, name. Empty at the first sighting, and on removal.';
COMMENT ON COLUMN "reporting"."document_changes"."before" IS 'Those members before the change, as JSON text, without the ones that were absent.';
COMMENT ON COLUMN "reporting"."document_changes"."after" IS 'Those members after the change, as JSON text, without the ones that are absent now.';
COMMENT ON COLUMN "reporting"."document_changes"."document" IS 'The whole record as JSON text; on removal, the last one seen. custody.document_revisions holds it as jsonb.';
--> statement-breakpoint
-- Vaults for reports, with the number of their observed states.
CREATE VIEW "reporting"."vaults" AS
SELECT v.account_id, v.vault_id, v.name, v.vault_type, v.first_seen_at, v.changed_at,
	(SELECT count(*) FROM custody.document_revisions r
		WHERE r.account_id = v.account_id AND r.kind = 'vault' AND r.document_id = v.vault_id) AS revisions,
	v.missing_since IS NULL AS is_listed, v.missing_since
FROM custody.vaults v;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vaults" IS 'Vaults, one row each.';
COMMENT ON COLUMN "reporting"."vaults"."name" IS 'Current name.';
COMMENT ON COLUMN "reporting"."vaults"."vault_type" IS 'warm or cold.';
COMMENT ON COLUMN "reporting"."vaults"."changed_at" IS 'When its record last changed, or it was last removed or restored.';
COMMENT ON COLUMN "reporting"."vaults"."revisions" IS 'Number of observed states of its record.';
COMMENT ON COLUMN "reporting"."vaults"."is_listed" IS 'Whether the service lists it.';
--> statement-breakpoint
CREATE VIEW "reporting"."whitelist_history" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.change, r.observed_after AS valid_after, r.observed_at AS valid_from,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.name, r.address, r.asset_id, r.network_id,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror,
	next.revision IS NULL AS is_current
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
WHERE r.kind = 'whitelist_entry';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."whitelist_history" IS 'Every observed state of every whitelist entry, one row each: who could be paid, and when.';
COMMENT ON COLUMN "reporting"."whitelist_history"."revision" IS 'Number of the state within the entry; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_after" IS 'When the state had certainly not begun yet: the start of the previous reading of the whitelist. Null at the first reading.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_from" IS 'When the state was first seen; it began between valid_after and this moment.';
COMMENT ON COLUMN "reporting"."whitelist_history"."known_until" IS 'Start of the last reading that still showed the state; earlier than valid_from if only one reading showed it.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_to" IS 'When the next state was first seen; it began between known_until and this moment. Null for the current state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_listed" IS 'Whether the entry was on the whitelist in this state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."name" IS 'Name of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."asset_id" IS 'Asset the entry is for; null if it names none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."network_id" IS 'Network the entry is for; null if it names none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_older_than_mirror" IS 'Whether this state was shown when the whitelist was first read, so that its beginning is unknown; false for the later states of the same entry.';
--> statement-breakpoint
CREATE FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
	whole jsonb;
BEGIN
	-- A full queue would fail the commit, and nothing here could catch that. It fills if a listener sits in an open
	-- transaction; the server starts to warn at half full.
	IF pg_notification_queue_usage() > 0.5 THEN
		RETURN;
	END IF;
	event := event || jsonb_build_object('history', (SELECT h.history FROM custody.histories AS h
		WHERE h.account_id = event ->> 'account_id' ORDER BY h.ordinal DESC LIMIT 1));
	whole := event;
	IF cardinality(ids) <= 20 THEN
		whole := event || jsonb_build_object('ids', ids);
		IF octet_length(whole::text) > 4000 THEN
			whole := event;
		END IF;
	END IF;
	PERFORM pg_notify('custody_events', whole::text);
EXCEPTION WHEN OTHERS THEN
	-- Losing a notification is safe: listeners also poll the tables.
	RAISE LOG 'custody_events was not notified: %', SQLERRM;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) IS 'Notifies the channel custody_events on commit; includes the ids if they are few and short. Never fails the commit.';
--> statement-breakpoint
CREATE FUNCTION "custody"."announce_balances"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', 'balance_change', 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id,
			'vault_type', g.vault_type, 'snapshot_at', g.snapshot_at, 'changed', g.changed), NULL)
	FROM (
		SELECT a.account_id, a.vault_type, count(*) AS count, max(a.run_id) AS run_id,
			to_char(max(a.snapshot_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS snapshot_at,
			sum(a.changed_count) AS changed
		FROM added AS a WHERE a.changed_count > 0 GROUP BY a.account_id, a.vault_type
	) AS g;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_balances"() IS 'Announces balance_change for a snapshot with changes.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."balance_snapshots"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_balances"();
--> statement-breakpoint
CREATE FUNCTION "custody"."announce_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', g.event, 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT CASE a.kind WHEN 'vault' THEN 'vault_change' ELSE 'whitelist_change' END AS event,
			a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.document_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1, 2
	) AS g;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_documents"() IS 'Announces vault_change and whitelist_change, at most once each per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."document_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_documents"();
--> statement-breakpoint
CREATE FUNCTION "custody"."announce_revisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', 'transaction_revision', 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.transaction_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1
	) AS g;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_revisions"() IS 'Announces transaction_revision, at most once per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_revisions"();
--> statement-breakpoint
CREATE FUNCTION "custody"."announce_statuses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', g.event, 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT CASE WHEN a.sequence = 1 THEN 'transaction_new' ELSE 'status_change' END AS event,
			a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.transaction_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1, 2
	) AS g;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_statuses"() IS 'Announces transaction_new and status_change, at most once each per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_status_history"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_statuses"();
--> statement-breakpoint
-- The current time by the account's clock, which runs ahead of the database's after that was set back. Rows are dated by it, so
-- ages are too. The two times of a lease are read some microseconds apart.
CREATE VIEW "internal"."account_clocks" AS
SELECT a.account_id, now() + coalesce(date_trunc('milliseconds', l.account_time - l.database_time), interval '0') AS now
FROM custody.accounts a LEFT JOIN sync.leases l USING (account_id);
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_clocks" IS 'The current time by the clock of each account.';
COMMENT ON COLUMN "internal"."account_clocks"."now" IS 'The database''s time, plus however far the account''s clock is ahead of it.';
--> statement-breakpoint
-- Until when each account rests or rested: problems that only say that it is not mirrored do not count until then, and ages count
-- from then.
CREATE VIEW "internal"."account_rests" AS
SELECT r.account_id, max(coalesce(r.ended_at, 'infinity')) AS until, bool_or(r.ended_at IS NULL) AS is_retired
FROM sync.retirements r GROUP BY r.account_id;
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_rests" IS 'The end of the last retirement of each account.';
COMMENT ON COLUMN "internal"."account_rests"."until" IS 'When it ended; infinity while the account is retired.';
COMMENT ON COLUMN "internal"."account_rests"."is_retired" IS 'Whether the account is retired.';
--> statement-breakpoint
-- For readers, who cannot read internal.erasures.
CREATE VIEW "reporting"."half_erased_accounts" AS
SELECT e.account_id, e.started_at FROM internal.erasures e WHERE e.finished_at IS NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."half_erased_accounts" IS 'The accounts of which `account erase` has erased a part only: what is left of them is no whole account.';
COMMENT ON COLUMN "reporting"."half_erased_accounts"."started_at" IS 'When the command first ran, by the database''s clock.';
--> statement-breakpoint
-- The part of the sealed history that readers see: when it was sealed, and up to which row.
CREATE VIEW "reporting"."checkpoints" AS
SELECT c.account_id, c.tree_size, c.last_change_id, c.signed_at FROM sync.seal_checkpoints c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."checkpoints" IS 'Signed checkpoints of the sealed history. A row of a history is sealed by the first checkpoint whose last_change_id is not below its change_id.';
COMMENT ON COLUMN "reporting"."checkpoints"."last_change_id" IS 'Number (change_id) of the last of these rows.';
COMMENT ON COLUMN "reporting"."checkpoints"."signed_at" IS 'When it was signed, by the database''s clock.';
--> statement-breakpoint
-- History is append-only for every role and tool: only `account erase` deletes rows, those of one account. Its
-- setting counts only for the owner of the table, who could disable the trigger as well.
CREATE FUNCTION "custody"."refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('custody_mirror.erasing', true) = 'on'
		AND pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION 'custody.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'Rows of history are added and never changed or removed.';
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."refuse_rewriting_history"() IS 'Refuses UPDATE, DELETE and TRUNCATE on the append-only history tables; only `account erase` may delete.';
--> statement-breakpoint
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_status_history"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
--> statement-breakpoint
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
--> statement-breakpoint
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."document_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
--> statement-breakpoint
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."balance_snapshots"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
--> statement-breakpoint
-- Decides by the form of the address, because every service names networks in its own way. Hexadecimal addresses (EVM networks) are not
-- case-sensitive; a bech32 address may be all lower or all upper case; all others, such as base58, are case-sensitive. Surrounding
-- spaces are ignored.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address in the form in which its network compares it: without surrounding spaces, in lower case if it is hexadecimal (0x…) or bech32 (all in one case, and 1 followed by at least 38 of its characters), else unchanged. Null for an empty one.';
--> statement-breakpoint
-- When the clocks go back over midnight, midnight comes twice. PostgreSQL takes the second; the day begins with the first, which has
-- the offset of three hours earlier. One long expression, so that PostgreSQL inlines it.
CREATE FUNCTION "reporting"."day_starts_at"("day" timestamp, "time_zone" text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN (("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC') AT TIME ZONE "time_zone" = "day"
		THEN least("day" AT TIME ZONE "time_zone",
			("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC')
		ELSE "day" AT TIME ZONE "time_zone"
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."day_starts_at"(timestamp, text) IS 'First moment of a day in a time zone: the first of two midnights if the clocks go back over midnight, or the first moment after a midnight that the clocks skip.';
--> statement-breakpoint
-- By the type; for an undocumented type, by source and destination.
CREATE FUNCTION "reporting"."direction_of"("transaction_type" text, "source_type" text, "destination_type" text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN "transaction_type" = 'deposit' THEN 'in'
		WHEN "transaction_type" = 'withdraw' THEN 'out'
		WHEN "transaction_type" = 'rebalance' THEN 'internal'
		WHEN "transaction_type" IN ('stake', 'unstake', 'claim', 'change pool') THEN 'staking'
		WHEN "source_type" = 'vault' AND "destination_type" = 'vault' THEN 'internal'
		WHEN "destination_type" = 'vault' THEN 'in'
		WHEN "source_type" = 'vault' THEN 'out'
		ELSE 'unknown'
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."direction_of"(text, text, text) IS 'Direction of a transaction seen from the account: in, out, internal, staking or unknown, by its type. For an undocumented type, by its ends: internal from vault to vault, in to a vault, out from a vault, else unknown.';
--> statement-breakpoint
-- Every rule with the period in which it was known. If two periods overlap, because an earlier known_from was stated, the rule stated
-- last counts: it has the later known_until, or none.
CREATE VIEW "internal"."fee_rule_history" AS
SELECT account_id, network_id, transaction_type, asset_id, known_from, NULL::timestamptz AS known_until
FROM custody.fee_rules
UNION ALL
SELECT account_id, network_id, transaction_type, asset_id, known_from, known_until FROM custody.former_fee_rules;
--> statement-breakpoint
COMMENT ON VIEW "internal"."fee_rule_history" IS 'The rules of custody.fee_rules as they were known: current and former ones.';
COMMENT ON COLUMN "internal"."fee_rule_history"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "internal"."fee_rule_history"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "internal"."fee_rule_history"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_from" IS 'When the rule became known.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_until" IS 'When it was replaced or removed; null for a current rule.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether the service documents the status. Any other status counts as open, and leaves the balances as the last documented status of the transaction left them.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_settled"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_settled"(text) IS 'Whether a status is settled: completed, rejected, cancelled or failed.';
--> statement-breakpoint
-- The jobs of src/domain/jobs.ts; a test compares the two.
CREATE VIEW "internal"."jobs" AS
SELECT k.job, k.resource, k.is_sweeping, k.is_promised
FROM (VALUES
	('transactions', 'transactions', true, true), ('balances', 'balances', false, true), ('vaults', 'vaults', false, false),
	('whitelist', 'whitelist', false, false), ('reconcile', 'transactions', true, true), ('maintenance', NULL, false, false)
) AS k (job, resource, is_sweeping, is_promised);
--> statement-breakpoint
COMMENT ON VIEW "internal"."jobs" IS 'Jobs that sync.runs can name.';
COMMENT ON COLUMN "internal"."jobs"."is_sweeping" IS 'Whether it sweeps the whole list of transactions and can be verified.';
COMMENT ON COLUMN "internal"."jobs"."is_promised" IS 'Whether the viewer role is entitled to what it mirrors. A key may be refused anything else.';
--> statement-breakpoint
-- Fee rules and prices, which people state, have a history, so that the figures of a past day follow what was known then. The trigger's
-- argument names the table of replaced and removed rows: the same columns and known_until. The function is SECURITY DEFINER because
-- people may write only the table that they fill. A row added in the same transaction was never known and is not kept; an update that
-- changes nothing keeps nothing. What is said to become known later is refused: it would count at once, and leave no trace.
CREATE FUNCTION "internal"."keep_former"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at timestamptz := now();
	behind record;
	stated timestamptz := CASE WHEN TG_OP IN ('UPDATE', 'DELETE') THEN OLD.known_from END;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		EXECUTE format('DELETE FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
		RETURN NULL;
	END IF;
	-- The sequence is behind its rows where logical replication or a load brought them. One writer at a time sets it: it waits for the
	-- others, looks again and never sets it back. The lock is not in the way of those that insert, which hold a weaker one. A row with a
	-- number near the greatest would leave none for others.
	IF TG_OP = 'INSERT' AND TG_LEVEL = 'STATEMENT' THEN
		FOR attempt IN 1..2 LOOP
			SELECT n.sequence, n.last INTO behind
			FROM (SELECT max(fee_rule_id) FILTER (WHERE fee_rule_id < 1::bigint << 62) AS last, pg_get_serial_sequence('custody.fee_rules', 'fee_rule_id')::regclass AS sequence FROM custody.fee_rules) AS n
			WHERE n.last > coalesce(pg_sequence_last_value(n.sequence), 0);
			IF NOT FOUND THEN
				RETURN NULL;
			END IF;
			LOCK TABLE custody.fee_rules IN SHARE UPDATE EXCLUSIVE MODE;
		END LOOP;
		PERFORM setval(behind.sequence, behind.last);
		RETURN NULL;
	END IF;
	IF TG_OP <> 'DELETE' AND NEW.known_from > clock_timestamp() THEN
		RAISE EXCEPTION 'custody.%: known_from is later than now', TG_TABLE_NAME
			USING ERRCODE = 'check_violation', HINT = 'Leave it out, or state a moment that is over.';
	END IF;
	IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
		RETURN NEW;
	END IF;
	-- Another transaction stated it after this one began.
	IF OLD.known_from > at AND OLD.known_from < clock_timestamp() THEN
		at := clock_timestamp();
	END IF;
	-- It was written past this trigger, or by a clock that was ahead: it counted at once, and nobody knows since when.
	IF OLD.known_from > clock_timestamp() THEN
		OLD.known_from := at - interval '1 microsecond';
	END IF;
	IF OLD.known_from < at THEN
		EXECUTE format('INSERT INTO custody.%1$I SELECT (jsonb_populate_record(NULL::custody.%1$I, $1)).* ON CONFLICT DO NOTHING', TG_ARGV[0])
			USING to_jsonb(OLD) || jsonb_build_object('known_until', at);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW.known_from IS NOT DISTINCT FROM stated THEN
		NEW.known_from := at;
	END IF;
	RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW ELSE OLD END;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."keep_former"() IS 'Keeps rows that are replaced in or removed from custody.fee_rules and custody.asset_prices, in custody.former_fee_rules and custody.former_prices; refuses those said to become known later, and numbers rules behind those that a load brought.';
--> statement-breakpoint
CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."fee_rules"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_fee_rules');
--> statement-breakpoint
CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
--> statement-breakpoint
CREATE TRIGGER "keep_numbers" BEFORE INSERT ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
--> statement-breakpoint
CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."asset_prices"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_prices');
--> statement-breakpoint
CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."asset_prices"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
--> statement-breakpoint
-- Past days keep their time zone, no matter who sets the account's.
CREATE FUNCTION "internal"."keep_former_time_zone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Fails for a name unknown to PostgreSQL, which would break every report.
	PERFORM now() AT TIME ZONE NEW.time_zone;
	IF TG_OP = 'UPDATE' AND NEW.time_zone <> OLD.time_zone THEN
		INSERT INTO custody.former_time_zones (account_id, valid_from, valid_to, time_zone)
		SELECT NEW.account_id, coalesce(max(f.valid_to), '-infinity'), greatest(clock_timestamp(), max(f.valid_to) + interval '1 microsecond'),
			OLD.time_zone
		FROM custody.former_time_zones f WHERE f.account_id = NEW.account_id;
	END IF;
	RETURN NEW;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."keep_former_time_zone"() IS 'Refuses an unknown time zone, and keeps a replaced one in custody.former_time_zones.';
--> statement-breakpoint
CREATE TRIGGER "keep_former_time_zone" BEFORE INSERT OR UPDATE OF "time_zone" ON "custody"."accounts"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former_time_zone"();
--> statement-breakpoint
-- Every time zone of an account with the period in which it held: former ones and the current one.
CREATE VIEW "internal"."time_zones" AS
SELECT account_id, valid_from, valid_to, time_zone FROM custody.former_time_zones
UNION ALL
SELECT a.account_id, coalesce((SELECT max(f.valid_to) FROM custody.former_time_zones f WHERE f.account_id = a.account_id), '-infinity'),
	'infinity', a.time_zone
FROM custody.accounts a;
--> statement-breakpoint
COMMENT ON VIEW "internal"."time_zones" IS 'Time zones of each account, from which reporting.calendar computes days.';
COMMENT ON COLUMN "internal"."time_zones"."valid_from" IS 'When it took effect; -infinity for the first.';
COMMENT ON COLUMN "internal"."time_zones"."valid_to" IS 'When it was replaced; infinity for the current one.';
COMMENT ON COLUMN "internal"."time_zones"."time_zone" IS 'Name of the time zone (IANA).';
COMMENT ON TABLE "custody"."accounts" IS 'Mirrored accounts of the custody service, one row each.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service that the account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin: SCHEDULE_TIMEZONE of the daemon that last began to write, or of a `sync` that was given one. It takes effect when set; custody.former_time_zones keeps earlier ones.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'Transactions first seen up to this time may be of any age; later ones are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if later; for an empty list, the second sweep that found it empty. Null until then, and never changed.';
COMMENT ON COLUMN "custody"."accounts"."transactions_total" IS 'Number of mirrored transactions, missing ones included. Updated with every commit.';
COMMENT ON COLUMN "custody"."accounts"."transactions_missing" IS 'Number of those that are missing from the service (missing_since). Updated with every commit.';
--> statement-breakpoint
-- PostgreSQL does not analyse small tables automatically. Without statistics the planner takes one account for hundreds, and reads
-- whole tables instead of using an index.
ALTER TABLE "custody"."accounts" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
--> statement-breakpoint
COMMENT ON TABLE "sync"."anomalies" IS 'Anomalies: observations that should not happen, one row each, with how often each was seen.';
COMMENT ON COLUMN "sync"."anomalies"."anomaly_id" IS 'Number of the anomaly.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'The kind of anomaly; docs/data.md explains each.';
COMMENT ON COLUMN "sync"."anomalies"."resource_id" IS 'The record, value or balance it concerns; empty if it concerns the whole list.';
COMMENT ON COLUMN "sync"."anomalies"."details" IS 'What was seen last; in earlier, what else was seen of a kind whose sightings are events.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it ended; null while it is open. The row is deleted 90 days later.';
COMMENT ON TABLE "sync"."api_keys" IS 'Keys of the read API, created and revoked by custody-mirror key. A key may read several accounts, so the table belongs to no account. Once it has a row, revoked or not, pages and API require a key or the token.';
COMMENT ON COLUMN "sync"."api_keys"."key_prefix" IS 'First part of the key, which identifies it to people and in logs. It is not secret.';
COMMENT ON COLUMN "sync"."api_keys"."name" IS 'Name given to the key; unique among keys that are not revoked.';
COMMENT ON COLUMN "sync"."api_keys"."digest" IS 'SHA-256 of the key, in hexadecimal. The key itself is not stored anywhere.';
COMMENT ON COLUMN "sync"."api_keys"."accounts" IS 'Accounts that the key may read; null for all, including future ones.';
COMMENT ON COLUMN "sync"."api_keys"."scope" IS 'What the key may ask for: metrics, balances, custody, or read, which is everything.';
COMMENT ON COLUMN "sync"."api_keys"."networks" IS 'Addresses and networks from which it is accepted; null for all.';
COMMENT ON COLUMN "sync"."api_keys"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "sync"."api_keys"."expires_at" IS 'When it expires; null for never.';
COMMENT ON COLUMN "sync"."api_keys"."last_used_at" IS 'When it was last used, accurate to about a minute; null before its first use.';
COMMENT ON COLUMN "sync"."api_keys"."revoked_at" IS 'When it was revoked; null if it is not.';
COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. You fill this table; the mirror never writes to it. Replaced and removed prices are kept in custody.former_prices.';
COMMENT ON COLUMN "custody"."asset_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."asset_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."asset_prices"."as_of" IS 'When the price takes effect, until the next one of the same asset and currency.';
COMMENT ON COLUMN "custody"."asset_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."asset_prices"."source" IS 'Source of the price, in your words.';
COMMENT ON COLUMN "custody"."asset_prices"."known_from" IS 'When the price became known: when it was stated, unless you state another moment. Figures as known earlier ignore it.';
COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, even if nothing had changed. Nothing was observed at a time without a row.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'Vaults observed: all, warm or cold.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Timestamp of the answer, set by the service.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'Number of balances in the snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'Number of balances that began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'Number of unreadable records in the answer. They are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it.';
--> statement-breakpoint
-- See custody.balances.
ALTER TABLE "custody"."balance_snapshots" SET (parallel_workers = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. An interval continues while its record cannot be read: custody.unreadable_balances shows when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."valid_from" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "custody"."balances"."valid_to" IS 'First later snapshot that did not show them; null while current.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot with the same amounts, whatever their trailing zeros and the names: valid_from of this row or of an earlier one.';
COMMENT ON COLUMN "custody"."balances"."total_balance" IS 'Total balance in units of the asset, exactly as sent.';
COMMENT ON COLUMN "custody"."balances"."raw" IS 'The element as received at valid_from, with every field.';
--> statement-breakpoint
-- Queries read a few intervals and snapshots by key. The planner overestimates their cost and would rather scan whole tables in
-- parallel.
ALTER TABLE "custody"."balances" SET (parallel_workers = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_readings" IS 'First and last whole reading of the vaults and of the whitelist: from end to end, with every record decoded (none if the list was empty). Nothing is known about the time before the first reading and after the last.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began. What it showed was true at some later moment.';
COMMENT ON TABLE "custody"."document_revisions" IS 'Every state of every vault and whitelist entry. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."document_revisions"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_revisions"."document_id" IS 'Identifier of the vault (vault_id) or the whitelist entry (entry_id).';
COMMENT ON COLUMN "custody"."document_revisions"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."document_revisions"."observed_at" IS 'When the answer that showed it arrived.';
COMMENT ON COLUMN "custody"."document_revisions"."document" IS 'The whole record; on removal, the last one seen.';
COMMENT ON COLUMN "custody"."document_revisions"."name" IS 'Name recognised in the document; null if none was, as in the next four columns.';
COMMENT ON COLUMN "custody"."document_revisions"."vault_type" IS 'Vault type recognised in the document; for vaults only.';
COMMENT ON COLUMN "custody"."document_revisions"."address" IS 'Address recognised in the document; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."asset_id" IS 'Asset recognised in the document; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."network_id" IS 'Network recognised in the document; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."observed_after" IS 'When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading.';
COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations applied to this database.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'When the migration was created, in milliseconds since 1970; its identity.';
COMMENT ON TABLE "internal"."erasures" IS 'The accounts that `account erase` erased: who, when, and how many rows. It outlives the account.';
COMMENT ON COLUMN "internal"."erasures"."started_at" IS 'When the command first ran, by the database''s clock.';
COMMENT ON COLUMN "internal"."erasures"."finished_at" IS 'When the last row was erased. Null if it is unfinished: run the command again.';
COMMENT ON COLUMN "internal"."erasures"."erased_by" IS 'Role and host of the command, as role@host: those of the last one if it ran several times.';
COMMENT ON COLUMN "internal"."erasures"."rows_erased" IS 'Rows erased so far, in all tables.';
COMMENT ON COLUMN "internal"."erasures"."last_token" IS 'Number of the last lease of the account; a later account of that name continues from it. Null if the erasure is unfinished.';
COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job: reporting.health_problems judges them by it. The daemon writes it when it takes the lease and when the configuration changes; sync writes it if no daemon has confirmed it for three days.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, so a process must be running. sync: cron or a person starts custody-mirror sync.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether a schedule or a person starts the job. A job that nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'Maximum age of the job''s last success; null if it is not judged, or is judged by the past runs of sync.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: maximum age of the last verified sweep of transactions; null if it is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last confirmed this row; about hourly while a daemon runs.';
COMMENT ON TABLE "custody"."fee_rules" IS 'Assets in which networks take their fees. You fill this table; the mirror never writes to it. The service names no asset for a fee: without a rule the reports assume the asset of the transaction, and say so. Replaced and removed rules are kept in custody.former_fee_rules.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."fee_rules"."known_from" IS 'When the rule became known: when it was stated, unless you state another moment. Figures as known earlier ignore it. It takes precedence over a former rule whose time it overlaps.';
COMMENT ON TABLE "custody"."former_fee_rules" IS 'Rules replaced in or removed from custody.fee_rules. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."former_fee_rules"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "custody"."former_fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_from" IS 'When it became known.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_until" IS 'When it was replaced or removed.';
COMMENT ON TABLE "custody"."former_prices" IS 'Prices replaced in or removed from custody.asset_prices. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."former_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."former_prices"."as_of" IS 'When the price took effect.';
COMMENT ON COLUMN "custody"."former_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."former_prices"."source" IS 'Source of the price.';
COMMENT ON COLUMN "custody"."former_prices"."known_from" IS 'When it became known.';
COMMENT ON COLUMN "custody"."former_prices"."known_until" IS 'When it was replaced or removed.';
COMMENT ON TABLE "custody"."former_time_zones" IS 'Earlier time zones of the accounts; custody.accounts holds the current ones. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_from" IS 'When it took effect; -infinity for the first.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_to" IS 'When it was replaced.';
COMMENT ON COLUMN "custody"."former_time_zones"."time_zone" IS 'Name of the time zone (IANA).';
COMMENT ON TABLE "custody"."histories" IS 'The names of an account''s history, oldest first. The writer adds one at its first commit after the server started or was replaced, and after the tables were restored: rows may be missing since, and change_id may be given out again. docs/events.md says how followers use them.';
COMMENT ON COLUMN "custody"."histories"."ordinal" IS 'Number of the name; the last one is the current name.';
COMMENT ON COLUMN "custody"."histories"."history" IS 'The name, drawn at random.';
COMMENT ON COLUMN "custody"."histories"."began_after" IS 'The last change_id of the account when the name was drawn: rows up to it belong to the earlier names, later rows to this one.';
COMMENT ON COLUMN "custody"."histories"."began_at" IS 'When the name was drawn.';
COMMENT ON COLUMN "custody"."histories"."origin" IS 'Start of the server and file of this table at that time, by which the writer recognizes another server, a copy and a restore.';
COMMENT ON TABLE "sync"."learned" IS 'Facts learned about the custody service beyond its documentation.';
COMMENT ON COLUMN "sync"."learned"."fact" IS 'Name of the fact.';
COMMENT ON COLUMN "sync"."learned"."value" IS 'What was learned.';
COMMENT ON COLUMN "sync"."learned"."evidence" IS 'The evidence for it.';
COMMENT ON COLUMN "sync"."learned"."updated_at" IS 'When it was last confirmed or changed.';
COMMENT ON TABLE "sync"."leases" IS 'The process that may write for each account. Times are by the database''s clock, except account_time.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition, always growing. A process with an older number cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it expires unless renewed.';
COMMENT ON COLUMN "sync"."leases"."account_time" IS 'The account''s time at the last write under the lease: no row of the account has a later time. It never goes back, and the next holder continues from it.';
COMMENT ON COLUMN "sync"."leases"."database_time" IS 'The database''s time at that write.';
COMMENT ON COLUMN "sync"."leases"."ahead_since" IS 'When the database''s clock fell more than five seconds behind the account''s time, by that clock: it was set back. Null if it is not behind.';
COMMENT ON TABLE "sync"."positions" IS 'Resume positions of interrupted jobs, and the progress of the maintenance. Other finished jobs have no row.';
COMMENT ON COLUMN "sync"."positions"."position" IS 'Where it resumes. Only the job itself interprets it.';
COMMENT ON COLUMN "sync"."positions"."updated_at" IS 'When the position was reached.';
COMMENT ON TABLE "sync"."quarantine" IS 'Records that could not be read, kept as text with the reason.';
COMMENT ON COLUMN "sync"."quarantine"."quarantine_id" IS 'Number of the entry.';
COMMENT ON COLUMN "sync"."quarantine"."record_key" IS 'Identifier of the record, or a digest of its text if it has none.';
COMMENT ON COLUMN "sync"."quarantine"."reason" IS 'Why it could not be read.';
COMMENT ON COLUMN "sync"."quarantine"."raw" IS 'The record as received.';
COMMENT ON COLUMN "sync"."quarantine"."run_id" IS 'The run (sync.runs) that last saw it.';
COMMENT ON COLUMN "sync"."quarantine"."resolved_at" IS 'When the record became readable or was no longer listed; null until then. The row stays.';
COMMENT ON TABLE "sync"."retirements" IS 'When accounts were retired: not mirrored any more, on purpose (account retire), and who asked.';
COMMENT ON COLUMN "sync"."retirements"."retired_at" IS 'When it was retired, by the database''s clock.';
COMMENT ON COLUMN "sync"."retirements"."retired_by" IS 'Who asked, as role@host (user of the operating system).';
COMMENT ON COLUMN "sync"."retirements"."ended_at" IS 'When somebody let it be mirrored again; null while it is retired.';
COMMENT ON COLUMN "sync"."retirements"."ended_by" IS 'Who ended it.';
COMMENT ON TABLE "sync"."runs" IS 'What each run of a job did, and whether it claims to be complete.';
COMMENT ON COLUMN "sync"."runs"."run_id" IS 'Number of the run.';
COMMENT ON COLUMN "sync"."runs"."job" IS 'transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.';
COMMENT ON COLUMN "sync"."runs"."mode" IS 'full: reads a whole list; incremental: reads what is new.';
COMMENT ON COLUMN "sync"."runs"."status" IS 'running, succeeded, failed, or abandoned because its process stopped.';
COMMENT ON COLUMN "sync"."runs"."started_at" IS 'When it began.';
COMMENT ON COLUMN "sync"."runs"."finished_at" IS 'When it ended; null while it runs.';
COMMENT ON COLUMN "sync"."runs"."requests" IS 'Requests to the custody service, including retries.';
COMMENT ON COLUMN "sync"."runs"."retries" IS 'Requests retried after a fault.';
COMMENT ON COLUMN "sync"."runs"."rate_limited" IS 'Answers that asked for a slower rate (ERR-03).';
COMMENT ON COLUMN "sync"."runs"."records_read" IS 'Records received. A transaction counts every time it is received, other records once.';
COMMENT ON COLUMN "sync"."runs"."records_inserted" IS 'Records seen for the first time.';
COMMENT ON COLUMN "sync"."runs"."records_changed" IS 'Records whose content had changed.';
COMMENT ON COLUMN "sync"."runs"."status_changes" IS 'Status changes of transactions observed.';
COMMENT ON COLUMN "sync"."runs"."quarantined" IS 'Unreadable records, repeated ones included.';
COMMENT ON COLUMN "sync"."runs"."verified" IS 'Whether every record that stayed in the list throughout was read; null if the job claims nothing.';
COMMENT ON COLUMN "sync"."runs"."verdict" IS 'The evidence for verified, or the doubts against it; for the maintenance job, the number of rows removed.';
COMMENT ON COLUMN "sync"."runs"."error_code" IS 'Code of the failure.';
COMMENT ON COLUMN "sync"."runs"."error_message" IS 'Message of the failure.';
COMMENT ON COLUMN "sync"."runs"."open_transactions_read" IS 'Whether the run read every transaction that was open when it began. Null for other jobs.';
COMMENT ON COLUMN "sync"."runs"."requested_by" IS 'Who asked the daemon for it by sync, as role@host (user of the operating system). Null for runs started by a schedule or by sync itself.';
COMMENT ON SCHEMA "custody" IS 'The mirror of the custody account: what the service shows, and its history.';
COMMENT ON SCHEMA "sync" IS 'State of the synchronization: runs, positions, leases, quarantine, anomalies and facts learned about the service.';
COMMENT ON SCHEMA "internal" IS 'Tables and views behind those of reporting. Readers have no access, and any version may change it.';
COMMENT ON SCHEMA "drizzle" IS 'Applied migrations.';
COMMENT ON SCHEMA "reporting" IS 'Views for people and BI tools: joined, exact, explained. Begin with data_freshness.';
COMMENT ON TABLE "sync"."seal_checkpoints" IS 'Signed checkpoints of the sealed history: a number of rows, and the hash over all of them (C2SP tlog-checkpoint).';
COMMENT ON COLUMN "sync"."seal_checkpoints"."last_change_id" IS 'Number of the last of these rows.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."note" IS 'The checkpoint as a signed note: name of the log, number of rows, hash, signature.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."signed_at" IS 'When it was signed. The signature does not cover this.';
COMMENT ON TABLE "sync"."seal_stops" IS 'Accounts whose history can no longer be sealed. No row while sealing works.';
COMMENT ON COLUMN "sync"."seal_stops"."stopped_at" IS 'When sealing first failed.';
COMMENT ON COLUMN "sync"."seal_stops"."reason" IS 'Why, with the code of the error.';
COMMENT ON TABLE "internal"."seal_tiles" IS 'The tree of hashes over the sealed history of an account, in tiles of 256 hashes (C2SP tlog-tiles). Computed from the rows of the history by the process that holds the key; docs/audit.md describes what it proves.';
COMMENT ON COLUMN "internal"."seal_tiles"."level" IS 'Level of the tile: 0 holds the hashes of rows, each further level those of full tiles of the level below.';
COMMENT ON COLUMN "internal"."seal_tiles"."tile" IS 'Number of the tile within its level, from 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."hashes" IS 'Up to 256 hashes of 32 bytes.';
COMMENT ON COLUMN "internal"."seal_tiles"."entries" IS 'The entries of the rows, each preceded by its length in two bytes: the identity of the row and the digest of its content. Null above level 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."last_change_id" IS 'Number of the last row of the tile. Null above level 0.';
COMMENT ON TABLE "sync"."seal_verifications" IS 'What the last verification of the sealed history on schedule (SCHEDULE_VERIFY) found: one row per account.';
COMMENT ON COLUMN "sync"."seal_verifications"."verified_at" IS 'When it ended; if an earlier one had found the same, when that one ended.';
COMMENT ON COLUMN "sync"."seal_verifications"."tree_size" IS 'How many rows of the history were found to be as they were sealed; 0 if none.';
COMMENT ON COLUMN "sync"."seal_verifications"."finding" IS 'What is not as it was sealed, in words, as verify prints it; null if everything is.';
COMMENT ON TABLE "sync"."sync_requests" IS 'What the command sync asks of the process that holds the lease, and the runs by which that is done. Removed after a day.';
COMMENT ON COLUMN "sync"."sync_requests"."request_id" IS 'Number of the request.';
COMMENT ON COLUMN "sync"."sync_requests"."resources" IS 'The resources to mirror; null for all that the process mirrors. Once it has finished, those that it mirrored.';
COMMENT ON COLUMN "sync"."sync_requests"."is_full" IS 'Whether every transaction is swept (--full).';
COMMENT ON COLUMN "sync"."sync_requests"."trust_empty" IS 'Whether empty lists are trusted at once (--empty).';
COMMENT ON COLUMN "sync"."sync_requests"."requested_by" IS 'Who asked, as role@host (user of the operating system).';
COMMENT ON COLUMN "sync"."sync_requests"."requested_at" IS 'When the command asked.';
COMMENT ON COLUMN "sync"."sync_requests"."wanted_until" IS 'When the request lapses. The command extends it while it waits.';
COMMENT ON COLUMN "sync"."sync_requests"."taken_by" IS 'The process that does the work; null until one has taken it.';
COMMENT ON COLUMN "sync"."sync_requests"."run_ids" IS 'Runs in sync.runs since the process took the request: they did the work.';
COMMENT ON COLUMN "sync"."sync_requests"."finished_at" IS 'When the process had done the work, or refused it; null until then.';
COMMENT ON COLUMN "sync"."sync_requests"."refusal" IS 'Why the process did nothing; null if it did not refuse.';
COMMENT ON TABLE "custody"."transaction_revisions" IS 'Every observed change of a transaction other than of its status, one row each. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_revisions"."revision" IS 'Number of the change within the transaction, from 1.';
COMMENT ON COLUMN "custody"."transaction_revisions"."observed_at" IS 'When the answer that showed the change arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_revisions"."changed_fields" IS 'Names of the changed columns; a field without a column appears as raw. and its path in the record.';
COMMENT ON COLUMN "custody"."transaction_revisions"."before" IS 'The changed fields before the change, without those that were absent.';
COMMENT ON COLUMN "custody"."transaction_revisions"."after" IS 'The changed fields after the change, without those that are absent now.';
COMMENT ON TABLE "custody"."transaction_status_history" IS 'Every observed status of a transaction, one row per change. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_status_history"."sequence" IS 'Number of the change within the transaction, from 1 (first sighting).';
COMMENT ON COLUMN "custody"."transaction_status_history"."to_status" IS 'Status after the change.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_at" IS 'When the answer that showed the new status arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_status_history"."source_timestamp" IS 'Timestamp of that answer, set by the service.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. At the first sighting, a moment at which the transaction did not exist yet. Null if unknown, as for transactions older than the mirror.';
COMMENT ON COLUMN "custody"."transaction_status_history"."read_at" IS 'When the answer with the first record that could be read arrived. Null where that is observed_at: only a transaction from quarantine was seen before it was read.';
COMMENT ON TABLE "custody"."transactions" IS 'Transactions as last observed, one row each. Earlier states are in transaction_status_history and transaction_revisions.';
COMMENT ON COLUMN "custody"."transactions"."amount" IS 'Amount in units of the asset, exactly as sent. Null if the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."fee" IS 'Fee, exactly as sent. Null if the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."source_timestamp" IS 'Timestamp, set by the service, of the answer from which this row was last written: the time of retrieval, not of the transaction.';
COMMENT ON COLUMN "custody"."transactions"."status_changed_at" IS 'When the mirror first saw the current status.';
COMMENT ON COLUMN "custody"."transactions"."raw" IS 'The record as received, including unknown fields.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_after" IS 'A moment at which the transaction certainly did not exist yet: the start of the last reading that would have shown it. Null if unknown, as for transactions older than the mirror.';
COMMENT ON TABLE "custody"."unreadable_balances" IS 'Periods in which a balance was unknown, as intervals of snapshots: its record could not be read, or it was not shown while another record could not be identified. A row holds from valid_from until before valid_to. The raw records are in sync.quarantine.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_from" IS 'First snapshot that did not show the value of the balance.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_to" IS 'First later snapshot that showed it, or showed that the balance does not exist; null while it is unknown.';
COMMENT ON TABLE "custody"."vaults" IS 'Vaults as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."vaults"."vault_type" IS 'warm or cold.';
COMMENT ON COLUMN "custody"."vaults"."name" IS 'Name of the vault, if recognised.';
COMMENT ON COLUMN "custody"."vaults"."missing_since" IS 'When the service stopped listing it; null while it lists it.';
--> statement-breakpoint
-- PostgreSQL does not analyse small tables automatically. Without statistics the planner takes one account for hundreds, and reads
-- whole tables instead of using an index.
ALTER TABLE "custody"."vaults" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."whitelist_entries" IS 'Entries of the whitelist as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."whitelist_entries"."name" IS 'Name of the entry, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."address" IS 'Wallet address, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."asset_id" IS 'Identifier of the asset, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."network_id" IS 'Identifier of the network, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."missing_since" IS 'When the service stopped listing it; null while it lists it.';
--> statement-breakpoint
-- The search terms of a transaction: the beginnings of its identifier, hash and addresses, and the words of its memo and note. Names and
-- identifiers of vaults and destinations have other indexes, because a term shared by every transaction would cost each of them. Texts
-- come from outside and may exceed the size of an index entry, so each is cut. Characters that the parser would take for markup, or that
-- would join words into one term, become spaces. All functions are immutable, so that PostgreSQL inlines it.
CREATE FUNCTION "custody"."search_terms"(
	"transaction_id" text, "txn_hash" text, "source_address" text, "destination_address" text, "destination_memo" text, "note" text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN array_to_tsvector(array_remove(array_remove(ARRAY[
			lower(left("transaction_id", 24)), lower(left("txn_hash", 24)), lower(left("source_address", 24)), lower(left("destination_address", 24))
		], ''), NULL))
		|| CASE WHEN coalesce("destination_memo", '') || coalesce("note", '') = '' THEN ''::tsvector
			ELSE to_tsvector('pg_catalog.simple', translate(
				left(coalesce("destination_memo", ''), 200) || ' ' || left(coalesce("note", ''), 2000), '-/._@<>&', '        ')) END;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."search_terms"(text, text, text, text, text, text) IS 'Search terms of a transaction: the first 24 characters of its identifier, hash and addresses, and the words of its memo and note, in lower case.';
--> statement-breakpoint
-- Settled transactions as known now, each at the moment at which its current settled status was first seen, except those that had that
-- status before the mirror began. The history is read first, so that a day reads only its own rows.
CREATE VIEW "internal"."settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, t.transaction_type,
	t.asset_id, t.asset_name, t.network_id, t.amount, t.fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, t.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index; without it, one month reads both tables whole.
CROSS JOIN LATERAL (
	SELECT q.status, q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee, q.missing_since
	FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND t.status = h.to_status
	AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "internal"."settlements" IS 'Settled transactions as known now, for the daily reports: one row each, with the moment at which the current settled status was first seen.';
COMMENT ON COLUMN "internal"."settlements"."status" IS 'The settled status.';
COMMENT ON COLUMN "internal"."settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."settlements"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee" IS 'Fee; null if the service sent none.';
--> statement-breakpoint
-- The counted fields of a transaction as they were known: one row per content, from its first sighting to that of the next.
-- A content is the current row with the earlier value of every field that changed later.
CREATE VIEW "internal"."transaction_contents" AS
SELECT t.account_id, t.transaction_id, b.known_from, b.known_until,
	CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
	CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
	CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
	CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
	CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
	CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
	CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
FROM custody.transactions t
CROSS JOIN LATERAL (
	SELECT c.known_from, lead(c.known_from) OVER (ORDER BY c.known_from) AS known_until
	FROM (
		SELECT t.first_seen_at AS known_from
		UNION
		SELECT r.observed_at FROM custody.transaction_revisions r
		WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.changed_fields && ARRAY['transaction_type', 'asset_id', 'asset_name', 'network_id', 'amount', 'fee', 'missing_since']
	) AS c
) AS b
-- The earlier value of a field is in the first later revision that changed it.
LEFT JOIN LATERAL (
	SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
		SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
		FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
		WHERE b.known_until IS NOT NULL AND r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.observed_at > b.known_from
		ORDER BY f.field, r.revision
	) AS e
) AS p ON true;
--> statement-breakpoint
COMMENT ON VIEW "internal"."transaction_contents" IS 'The counted fields of each transaction as they were known: one row per content, with the period in which the mirror held it to be true.';
COMMENT ON COLUMN "internal"."transaction_contents"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."fee" IS 'Fee; null if the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."missing_since" IS 'When the service stopped showing it; null while it showed it.';
--> statement-breakpoint
CREATE VIEW "reporting"."transaction_timeline" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.to_status AS status, h.from_status AS previous_status,
	next.to_status AS next_status,
	t.transaction_type, t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount,
	h.observed_at AS entered_at, h.observed_after AS entered_after,
	CASE
		WHEN h.sequence > 1 THEN 'between two readings'
		WHEN h.observed_at > a.transactions_since THEN 'first sighting'
		ELSE 'before the mirror began'
	END AS entered_bound,
	next.observed_at AS left_at, next.observed_after AS left_after,
	CASE WHEN next.sequence IS NULL THEN 'still' ELSE 'between two readings' END AS left_bound,
	coalesce(next.observed_at, now()) - h.observed_at AS duration,
	CASE WHEN next.sequence IS NULL THEN now() - h.observed_at
		ELSE greatest(next.observed_after - h.observed_at, interval '0') END AS shortest_duration,
	coalesce(next.observed_at, now()) - h.observed_after AS longest_duration,
	next.sequence IS NULL AS is_current
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index; without it, one month reads both tables whole.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN LATERAL (
	SELECT q.sequence, q.to_status, q.observed_at, q.observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence = h.sequence + 1 OFFSET 0
) AS next ON true;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_timeline" IS 'Every observed status of a transaction, one row each. The service announces no changes: a status begins and ends between two readings, so each of these times comes with an earlier bound.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting).';
COMMENT ON COLUMN "reporting"."transaction_timeline"."status" IS 'The observed status.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."previous_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."next_status" IS 'Next status; null for the current one.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_at" IS 'When the status was first seen.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_after" IS 'A moment at which the transaction was certainly not in this status yet; null if none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_bound" IS 'Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_at" IS 'When the next status was first seen; null for the current one.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_after" IS 'A moment at which the transaction was certainly still in this status; null if none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_bound" IS 'Meaning of left_at: between two readings, or still for the current status.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."duration" IS 'From entered_at to left_at, or to now.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."shortest_duration" IS 'Lower bound of the duration, by the readings; for the current status, until now. 0 if the readings prove nothing.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."longest_duration" IS 'Upper bound of the duration; null if the beginning is unknown.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."is_current" IS 'True for the current status.';
--> statement-breakpoint
CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status,
	-- Null for a missing transaction. In this form a filter on is_open uses the index of open transactions.
	NOT reporting.is_settled(t.status) AND (t.missing_since IS NULL OR NULL) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed,
	nullif(p.own_id, '') AS vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND s.seen THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN CASE WHEN t.missing_since IS NULL THEN now() - t.first_seen_at END
		WHEN s.seen THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since, t.changed_at
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- A rule for the type wins over a rule for every type.
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = t.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = t.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
-- The account's side is the vault that money enters or leaves; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in,
		-- seen: the mirror saw the current status begin, even if the first sweep saw another one before.
		t.status_changed_at > a.transactions_since OR t.status_changed_at > t.first_seen_at AS seen
) AS s
CROSS JOIN LATERAL (
	SELECT s.comes_in,
		CASE WHEN s.comes_in THEN t.destination_id WHEN t.source_type = 'vault' THEN t.source_id END AS own_id,
		CASE WHEN s.comes_in THEN t.source_type ELSE t.destination_type END AS other_type,
		CASE WHEN s.comes_in THEN t.source_id ELSE t.destination_id END AS other_id
) AS p
LEFT JOIN custody.vaults ov ON ov.account_id = t.account_id AND ov.vault_id = p.own_id
LEFT JOIN custody.vaults cv ON cv.account_id = t.account_id AND cv.vault_id = p.other_id AND p.other_type = 'vault'
LEFT JOIN custody.whitelist_entries cw
	ON cw.account_id = t.account_id AND cw.entry_id = p.other_id AND p.other_type = 'whitelist';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transactions" IS 'Transactions as last observed, one row each, with names of vaults and counterparties. Includes those that the service no longer shows: see missing_since.';
COMMENT ON COLUMN "reporting"."transactions"."is_open" IS 'True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown.';
COMMENT ON COLUMN "reporting"."transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since first_seen_at; afterwards from first_seen_at to settled_at. Null if it is settled and settled_at is null, and if it went missing while open.';
COMMENT ON COLUMN "reporting"."transactions"."changed_at" IS 'When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since.';
--> statement-breakpoint
-- A transaction as known at a moment: the current row with the earlier value of every field that changed later.
CREATE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status) AND (w.missing_since IS NULL OR NULL),
		w.transaction_type, reporting.direction_of(w.transaction_type, w.source_type, w.destination_type),
		w.asset_id, w.asset_name, w.network_id, w.network_name, trim_scale(w.amount), trim_scale(w.fee),
		w.source_type, w.source_id, w.source_name, w.source_address,
		w.destination_type, w.destination_id, w.destination_name, w.destination_address, w.destination_memo,
		w.txn_hash, w.blockexplorer_link, w.note, t.first_seen_at, s.observed_at, w.missing_since
	FROM custody.transactions t
	CROSS JOIN LATERAL (
		SELECT h.to_status, h.observed_at FROM custody.transaction_status_history h
		WHERE h.account_id = t.account_id AND h.transaction_id = t.transaction_id AND h.observed_at <= "at"
		ORDER BY h.sequence DESC LIMIT 1
	) AS s
	-- The earlier value of a field is in the first later revision that changed it.
	LEFT JOIN LATERAL (
		SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id AND r.observed_at > "at"
			ORDER BY f.field, r.revision
		) AS e
	) AS p ON true
	CROSS JOIN LATERAL jsonb_populate_record(t, p.before) AS w
	WHERE t.first_seen_at <= "at";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transactions_at"(timestamptz) IS 'The transactions as known at a moment, one row each: the current rows with every later change undone.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."balances_at"("at" timestamptz) RETURNS TABLE (
	account_id text, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	total_balance numeric, available_balance numeric, processing_balance numeric, staking_balance numeric,
	claimable_balance numeric, unchanged_since timestamptz, observed_at timestamptz, age interval,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
		CASE WHEN b.is_known THEN b.total_balance END, CASE WHEN b.is_known THEN b.available_balance END,
		CASE WHEN b.is_known THEN b.processing_balance END, CASE WHEN b.is_known THEN b.staking_balance END,
		CASE WHEN b.is_known THEN b.claimable_balance END, CASE WHEN b.is_known THEN b.unchanged_since END,
		l.snapshot_at, "at" - l.snapshot_at, b.is_known, b.last_known_at, b.next_known_at
	FROM custody.accounts a
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	-- l: the last observation answered by then; n: the one in progress.
	LEFT JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at <= "at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l ON true
	LEFT JOIN LATERAL (
		SELECT CASE WHEN s.asked_at <= "at" THEN s.snapshot_at END AS snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at > "at"
		ORDER BY s.answered_at, s.snapshot_at LIMIT 1
	) AS n ON true
	CROSS JOIN LATERAL (
		SELECT asset_id, coalesce(o.asset_name, c.asset_name) AS asset_name, network_id,
			coalesce(o.network_name, c.network_name) AS network_name,
			o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance, o.unchanged_since,
			s.is_known,
			CASE WHEN NOT s.is_known THEN CASE WHEN o.is_known IS FALSE THEN o.last_known_at ELSE l.snapshot_at END END AS last_known_at,
			CASE WHEN NOT s.is_known THEN
				CASE WHEN n.snapshot_at IS NULL THEN o.next_known_at WHEN c.is_known IS FALSE THEN c.next_known_at ELSE n.snapshot_at END
			END AS next_known_at
		FROM reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS o
		FULL JOIN reporting.balances_shown(a.account_id, v.vault_type, n.snapshot_at) AS c USING (asset_id, network_id)
		CROSS JOIN LATERAL (
			SELECT coalesce(o.is_known AND (n.snapshot_at IS NULL OR c.is_known
				AND (o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance)
					IS NOT DISTINCT FROM
					(c.total_balance, c.available_balance, c.processing_balance, c.staking_balance, c.claimable_balance)), false) AS is_known
		) AS s
	) AS b;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as known at a moment: those of the last observation answered by then. If another observation was in progress (from its asked_at to its answered_at), the balances it found changed are unknown, as unreadable ones are: is_known is false, the figures are null, and last_known_at and next_known_at name the observations (snapshot_at) on either side. A large age means that nothing was observed for a long time.';
--> statement-breakpoint
CREATE VIEW "reporting"."balances_current" AS
SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age,
	b.is_known, b.last_known_at, l.asked_at, l.answered_at
FROM custody.accounts a
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balances_current" IS 'Last observed balances, one row per asset and vault type.';
COMMENT ON COLUMN "reporting"."balances_current"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balances_current"."age" IS 'Time since observed_at.';
--> statement-breakpoint
-- Each listed state of an entry, with its proven bounds: it had not begun at `possible_after`; it was seen from `listed_from` to the
-- last whole reading before the next change; it had ended at `possible_until`. If the next state is listed for the same asset and
-- network (and, for the address, has the same address), the listing did not end in between.
CREATE VIEW "internal"."whitelist_periods" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.address, r.asset_id, r.network_id,
	r.observed_after AS possible_after, r.observed_at AS listed_from,
	CASE WHEN s.same_entry THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS entry_until,
	CASE WHEN s.same_address THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS address_until,
	next.observed_at AS possible_until
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
CROSS JOIN LATERAL (
	SELECT next.change <> 'removed' AND next.asset_id IS NOT DISTINCT FROM r.asset_id
		AND next.network_id IS NOT DISTINCT FROM r.network_id AS same_entry
) AS e
CROSS JOIN LATERAL (
	SELECT e.same_entry, e.same_entry
		AND reporting.address_key(next.address) IS NOT DISTINCT FROM reporting.address_key(r.address) AS same_address
) AS s
WHERE r.kind = 'whitelist_entry' AND r.change <> 'removed';
--> statement-breakpoint
COMMENT ON VIEW "internal"."whitelist_periods" IS 'When the whitelist held an entry, as far as its readings prove it: one row per listed state.';
COMMENT ON COLUMN "internal"."whitelist_periods"."revision" IS 'Number of the state within the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."asset_id" IS 'Asset the entry is for; null or empty if it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."network_id" IS 'Network the entry is for; null or empty if it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_after" IS 'When the state had certainly not begun yet; null if unknown.';
COMMENT ON COLUMN "internal"."whitelist_periods"."listed_from" IS 'When the state was first seen.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_until" IS 'Until when the entry was certainly listed for its asset and network; earlier than listed_from, or null, if no later reading shows it.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address_until" IS 'The same for its address.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_until" IS 'When the state had certainly ended; null for the current state.';
--> statement-breakpoint
-- The one definition of which jobs count for an account: reporting.health_problems, sync_health and data_freshness ignore what
-- CUSTODY_RESOURCES leaves out. Until a process has recorded its expectations, everything is mirrored.
CREATE VIEW "internal"."account_jobs" AS
SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, coalesce(e.started_by, 'sync') AS started_by,
	coalesce(m.is_mirrored, true) AS is_mirrored, coalesce(e.is_scheduled, k.job = k.resource, false) AS is_scheduled, e.max_age
FROM custody.accounts a
CROSS JOIN internal.jobs k
LEFT JOIN sync.expectations e ON e.account_id = a.account_id AND e.job = k.job
LEFT JOIN sync.expectations m ON m.account_id = a.account_id AND m.job = k.resource;
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_jobs" IS 'The jobs of each account, as its processes are configured (sync.expectations).';
COMMENT ON COLUMN "internal"."account_jobs"."first_seen_at" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "internal"."account_jobs"."is_promised" IS 'Whether the viewer role is entitled to what it mirrors.';
COMMENT ON COLUMN "internal"."account_jobs"."started_by" IS 'daemon or sync; sync until a process has recorded it.';
COMMENT ON COLUMN "internal"."account_jobs"."is_scheduled" IS 'Whether a schedule or a person starts the job.';
COMMENT ON COLUMN "internal"."account_jobs"."max_age" IS 'Maximum age of its last success; null if none is set.';
--> statement-breakpoint
CREATE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts: one index lookup. Ages are by the account's clock. An end more than five
-- minutes in the future is ignored: nothing has been mirrored since the database's clock was set back.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide failing sweeps.
	r.is_mirrored AND EXISTS (
		SELECT FROM unnest(r.jobs) AS j (job)
		LEFT JOIN LATERAL (
			SELECT u.run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
				AND u.finished_at <= clock.now + interval '5 minutes'
			ORDER BY u.finished_at DESC LIMIT 1
		) AS g ON true
		WHERE EXISTS (
			SELECT FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' AND u.run_id > coalesce(g.run_id, 0)
		)
	) AS is_failing,
	(SELECT count(*) FROM sync.anomalies n
		WHERE n.account_id = a.account_id AND n.resource = r.resource AND n.resolved_at IS NULL) AS open_anomalies,
	(SELECT count(*) FROM sync.quarantine q
		WHERE q.account_id = a.account_id AND q.resource = r.resource AND q.resolved_at IS NULL) AS quarantined_records,
	CASE r.resource WHEN 'transactions' THEN a.transactions_since END AS complete_since,
	r.is_mirrored
FROM custody.accounts a
JOIN internal.account_clocks clock ON clock.account_id = a.account_id
CROSS JOIN LATERAL (
	SELECT k.resource, array_agg(k.job) AS jobs, bool_and(k.is_mirrored) AS is_mirrored FROM internal.account_jobs k
	WHERE k.account_id = a.account_id AND k.resource IS NOT NULL GROUP BY k.resource
) AS r
-- Per job, so that each is one lookup by index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
			AND u.finished_at <= clock.now + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS l
) AS s ON true
LEFT JOIN LATERAL (
	SELECT max(u.finished_at) AS at FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.verified
		AND u.finished_at <= clock.now + interval '5 minutes'
) AS v ON true
LEFT JOIN LATERAL (
	SELECT l.finished_at AS at, l.error_code, l.error_message FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.run_id, u.finished_at, u.error_code, u.error_message FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' ORDER BY u.finished_at DESC LIMIT 1
	) AS l
	ORDER BY l.run_id DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."data_freshness" IS 'How fresh and complete the mirror is, one row per resource. Look at it before any other figure.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_success_at" IS 'When a run last succeeded. A run that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag" IS 'Time since last_success_at.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag_seconds" IS 'Lag in whole seconds.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_verified_at" IS 'When a run last ended as verified, having shown that it missed nothing. A run that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_at" IS 'When a run last failed; failures older than 30 days are deleted.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_code" IS 'Code of that failure.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_message" IS 'Message of that failure.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is not mirrored. For transactions, also true if sweeps (reconcile) fail while increments succeed.';
COMMENT ON COLUMN "reporting"."data_freshness"."open_anomalies" IS 'Open anomalies (sync.anomalies).';
COMMENT ON COLUMN "reporting"."data_freshness"."quarantined_records" IS 'Records that could not be read (sync.quarantine).';
COMMENT ON COLUMN "reporting"."data_freshness"."complete_since" IS 'From when the whole list of transactions is mirrored; null until the first sweep has ended, and for the other resources.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_mirrored" IS 'Whether CUSTODY_RESOURCES includes the resource. If not, the row shows what was read before.';
--> statement-breakpoint
-- The one definition of health: one row per problem or note (severity note: for information only), worst first by rank. An account
-- without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules and
-- reporting.sync_health all read this view; docs/operations.md explains each code and its remedy.
-- For each outcome of a job only its last run counts: one index lookup. Ages are by the account's clock. An end more than five
-- minutes in the future is ignored: nothing has been mirrored since the database's clock was set back.
-- Every part is computed per account, so that a condition on the account leaves the other accounts unread.
CREATE VIEW "reporting"."health_problems" AS
SELECT o.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM custody.accounts o
JOIN internal.account_clocks clock ON clock.account_id = o.account_id
LEFT JOIN LATERAL (SELECT r.until FROM internal.account_rests r WHERE r.account_id = o.account_id) AS rest ON true
CROSS JOIN LATERAL (
-- Not empty on a replica that has replayed nothing for half a minute although there is more, or that has lost its primary. A replica
-- that has replayed all it received from an idle primary is not behind.
WITH behind AS (
	SELECT pg_last_xact_replay_timestamp() AS since
	-- Null after a restart until the next transaction of the primary.
	WHERE pg_is_in_recovery() AND coalesce(pg_last_xact_replay_timestamp(), '-infinity') < now() - interval '30 seconds'
		AND NOT (EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn())
), jobs AS (
	SELECT e.account_id, e.first_seen_at, e.job, e.resource, e.is_promised, e.is_scheduled, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message, f.error_code IN ('ERR-02', 'HTTP-401') AS is_key_refused,
		-- No setting gives the interval of sync: three times the median of its past intervals, at least 26 hours, and at most the
		-- maximum age of a verified sweep. The median, because one outage does not change it.
		CASE WHEN e.started_by = 'daemon' THEN e.max_age
			ELSE least(interval '8 days', greatest(interval '26 hours', 3 * g.gap)) END AS max_age
	FROM internal.account_jobs e
	LEFT JOIN LATERAL (
		SELECT u.finished_at AS at, u.run_id FROM sync.runs u
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'succeeded'
			AND u.finished_at <= clock.now + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS s ON true
	LEFT JOIN LATERAL (
		SELECT first.at, u.error_code, u.error_message FROM sync.runs u
		CROSS JOIN LATERAL (
			SELECT least(b.finished_at, now()) AS at FROM sync.runs b
			WHERE b.account_id = e.account_id AND b.job = e.job AND b.status = 'failed' AND b.run_id > coalesce(s.run_id, 0)
			ORDER BY b.finished_at LIMIT 1
		) AS first
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'failed' AND u.run_id > coalesce(s.run_id, 0)
		ORDER BY u.finished_at DESC LIMIT 1
	) AS f ON e.is_scheduled
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = e.account_id AND r.job = e.job AND r.status = 'succeeded'
				ORDER BY r.finished_at DESC LIMIT 10
			) AS u
		) AS t
	) AS g ON e.started_by = 'sync'
	WHERE e.account_id = o.account_id AND e.is_mirrored
), account AS (
	SELECT a.account_id, a.first_seen_at, l.holder,
		coalesce((SELECT max(x.started_by) FROM sync.expectations x WHERE x.account_id = a.account_id), 'sync') AS started_by,
		-- A released lease ends at -infinity.
		(SELECT nullif(l2.expires_at, '-infinity') FROM sync.leases l2 WHERE l2.account_id = a.account_id) AS lease_ended_at,
		(SELECT k.is_mirrored FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.job = 'transactions')
			AS mirrors_transactions,
		CASE WHEN EXISTS (SELECT FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			THEN (SELECT x.max_verified_age FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			ELSE interval '8 days' END AS max_verified_age,
		(SELECT max(j.last_success_at) FROM jobs j WHERE j.account_id = a.account_id AND j.resource IS NOT NULL) AS last_success_at,
		(SELECT max(u.finished_at) FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
			WHERE k.is_sweeping AND u.account_id = a.account_id AND u.verified
				AND u.finished_at <= clock.now + interval '5 minutes') AS last_verified_at,
		t.at AS transactions_read_at
	FROM custody.accounts a
	-- If the database's clock was set back and nothing has renewed the lease since, its end is meaningless.
	LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now() AND l.database_time < clock_timestamp() + interval '1 minute'
	LEFT JOIN LATERAL (
		SELECT min(u.at) AS at FROM internal.jobs k CROSS JOIN LATERAL (
			SELECT r.finished_at AS at FROM sync.runs r
			WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded' ORDER BY r.finished_at LIMIT 1
		) AS u WHERE k.is_sweeping
	) AS t ON true
	WHERE a.account_id = o.account_id
), problems (account_id, rank, code, severity, subject, since, problem, fix) AS (
	SELECT c.account_id, 5, 'replica-behind', 'critical', 'account', b.since,
		'This replica is behind its primary: its data may be just as old',
		'check the replication of the database; the primary shows the health of the mirror'
	FROM account c CROSS JOIN behind b
UNION ALL
	SELECT c.account_id, 10, 'nothing-mirrored', 'critical', 'account', c.first_seen_at, 'Nothing has been mirrored yet',
		'start custody-mirror run, or run custody-mirror sync once'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NULL
UNION ALL
	SELECT c.account_id, 45, 'starting', 'critical', 'account', c.first_seen_at,
		'No reading has finished yet: the data is incomplete',
		'wait for the first reading to finish; if it does not, see the log of the writing process'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NOT NULL
UNION ALL
	SELECT c.account_id, 20, 'stopped', 'critical', 'account', coalesce(c.lease_ended_at, c.last_success_at),
		'No process is writing: nothing is mirrored until one does',
		'start custody-mirror run; if this server no longer takes writes, check the one that replaced it'
	FROM account c WHERE c.holder IS NULL AND c.started_by = 'daemon' AND c.last_success_at IS NOT NULL
		-- On such a replica a lease looks expired although it has been renewed since.
		AND NOT EXISTS (SELECT FROM behind)
UNION ALL
	SELECT v.account_id, 22, 'history-altered', 'critical', 'account', v.verified_at,
		'The sealed history was altered: ' || rtrim(v.finding, '. '),
		'change nothing, keep a copy of the database, and run custody-mirror verify; docs/audit.md says what each finding means'
	FROM sync.seal_verifications v WHERE v.account_id = o.account_id AND v.finding IS NOT NULL
UNION ALL
	SELECT s.account_id, 23, 'sealing-stopped', 'critical', 'account', s.stopped_at,
		'New history is not sealed: ' || rtrim(s.reason, '. '),
		'run custody-mirror verify; after a restore or a failover with loss, custody-mirror seal restart; docs/audit.md#when-sealing-stops says more'
	FROM sync.seal_stops s WHERE s.account_id = o.account_id
UNION ALL
	SELECT j.account_id, CASE WHEN j.is_key_refused THEN 30 ELSE 40 END,
		CASE WHEN j.is_key_refused THEN 'key-refused' ELSE 'failing' END,
		CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.failing_since,
		format('The last run of %s failed: %s%s', j.job, rtrim(coalesce(j.error_message, 'no reason was recorded'), '. '),
			CASE WHEN position(coalesce(j.error_code, 'UNEXPECTED') IN coalesce(j.error_message, '')) = 0
				THEN format(' (%s)', coalesce(j.error_code, 'UNEXPECTED')) ELSE '' END),
		CASE
			WHEN j.is_key_refused AND j.is_promised THEN 'check CUSTODY_API_KEY, and that the key has the viewer role'
			WHEN j.is_key_refused
				THEN format('check CUSTODY_API_KEY, and that its role may read %1$s, or leave %1$s out of CUSTODY_RESOURCES', j.job)
			ELSE CASE j.error_code
			WHEN 'ERR-03' THEN 'if it persists, set CUSTODY_RATE_LIMIT to what the service allows'
			WHEN 'TIMEOUT' THEN 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS'
			WHEN 'NETWORK' THEN 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor shows how far it gets)'
			WHEN 'CERTIFICATE' THEN 'check CUSTODY_BASE_URL; for your own certificate authority, name its file in NODE_EXTRA_CA_CERTS'
			WHEN 'BAD-BODY' THEN 'check that CUSTODY_BASE_URL is the address of the service itself'
			ELSE 'the next run tries again; custody-mirror doctor checks its prerequisites' END END
	FROM jobs j WHERE j.failing_since IS NOT NULL
UNION ALL
	SELECT j.account_id, 50, 'never-read', 'warning', j.job, j.first_seen_at, format('No run of %s has succeeded yet', j.job),
		'wait for its first run to finish; if it does not, see the log'
	FROM jobs j JOIN account c ON c.account_id = j.account_id AND c.last_success_at IS NOT NULL
	WHERE j.is_scheduled AND j.job = j.resource AND j.last_success_at IS NULL AND j.failing_since IS NULL
UNION ALL
	SELECT j.account_id, 60, 'stale', CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.last_success_at,
		format('No run of %s has succeeded for more than %s', j.job, CASE
			WHEN j.max_age < interval '2 hours' THEN round(extract(epoch FROM j.max_age) / 60) || ' minutes'
			WHEN j.max_age < interval '2 days' THEN round(extract(epoch FROM j.max_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM j.max_age) / 86400) || ' days' END),
		CASE WHEN c.holder IS NOT NULL THEN 'see the log of the writing process'
			WHEN j.started_by = 'daemon' THEN 'start custody-mirror run' ELSE 'run custody-mirror sync, or start custody-mirror run' END
	FROM jobs j JOIN account c ON c.account_id = j.account_id
	WHERE j.is_scheduled AND j.last_success_at IS NOT NULL AND greatest(j.last_success_at, rest.until) < clock.now - j.max_age
UNION ALL
	SELECT c.account_id, 70, 'never-verified', 'warning', 'transactions', c.transactions_read_at,
		'No sweep of transactions has ever been verified: some may be missing from the mirror',
		CASE WHEN c.holder IS NULL THEN 'run custody-mirror sync --full, or start custody-mirror run, which tries again'
			ELSE 'nothing for now: the mirror tries again' END
		|| CASE
			WHEN d.codes ?| ARRAY['order-settled', 'order-unsettled']
				THEN '; if it persists, ask the operator of the service for a list with a stable order'
			WHEN d.codes ? 'empty-once'
				THEN '; an empty account is accepted an hour later, or at once by custody-mirror sync --empty'
			WHEN d.codes ? 'offset-ignored'
				THEN '; if it persists, ask the operator of the service why GET /transactions ignores the offset'
			WHEN d.codes ?| ARRAY['end-cut', 'overlap-too-short', 'short-settled']
				THEN '; if it persists, change CUSTODY_PAGE_SIZE and ask the operator of the service how far GET /transactions can be paged'
			ELSE '' END
	FROM account c
	LEFT JOIN LATERAL (
		SELECT u.verdict->'doubt_codes' AS codes FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
		WHERE k.is_sweeping AND u.account_id = c.account_id AND u.mode = 'full' AND u.status = 'succeeded'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS d ON c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
	WHERE c.mirrors_transactions AND c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
UNION ALL
	SELECT c.account_id, 80, 'verified-long-ago', 'warning', 'transactions', c.last_verified_at,
		format('No sweep of transactions has been verified for more than %s', CASE
			WHEN c.max_verified_age < interval '2 days' THEN round(extract(epoch FROM c.max_verified_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM c.max_verified_age) / 86400) || ' days' END),
		'run custody-mirror sync --full, and check sync.runs.verdict of the last sweeps'
	FROM account c WHERE c.mirrors_transactions AND c.last_verified_at IS NOT NULL AND greatest(c.last_verified_at, rest.until) < clock.now - c.max_verified_age
UNION ALL
	-- The account's time advances at half the pace, so the database's clock catches up after twice the distance.
	SELECT l.account_id, 85, 'clock-behind', 'warning', 'account', l.ahead_since,
		format('The database’s clock is %s behind the times of the mirror: new rows are dated ahead until about %s UTC', CASE
			WHEN d.ahead < interval '2 minutes' THEN round(extract(epoch FROM d.ahead)) || ' seconds'
			WHEN d.ahead < interval '2 hours' THEN round(extract(epoch FROM d.ahead) / 60) || ' minutes'
			WHEN d.ahead < interval '2 days' THEN round(extract(epoch FROM d.ahead) / 3600) || ' hours'
			ELSE round(extract(epoch FROM d.ahead) / 86400) || ' days' END,
			to_char((l.database_time + 2 * d.ahead) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')),
		'compare the clock of the database with another; if it is right now, nothing: mirroring continues, and no time goes backwards'
	FROM sync.leases l CROSS JOIN LATERAL (SELECT l.account_time - l.database_time AS ahead) AS d
	WHERE l.account_id = o.account_id AND l.ahead_since IS NOT NULL
UNION ALL
	SELECT q.account_id, 90, 'quarantine', 'warning', q.resource, min(q.first_observed_at),
		format('%s %s of %s could not be read', count(*), CASE count(*) WHEN 1 THEN 'record' ELSE 'records' END, q.resource),
		'see sync.quarantine for the text and the reason'
	FROM sync.quarantine q WHERE q.account_id = o.account_id AND q.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs k WHERE k.account_id = q.account_id AND k.job = q.resource AND NOT k.is_mirrored)
	GROUP BY q.account_id, q.resource
UNION ALL
	SELECT n.account_id, coalesce(k.rank, 100), coalesce(k.code, 'anomaly'), CASE WHEN k.kind IS NULL THEN 'note' ELSE 'critical' END,
		CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END, min(n.first_observed_at),
		coalesce(k.problem, format('%s open %s of kind %s', count(*), CASE count(*) WHEN 1 THEN 'anomaly' ELSE 'anomalies' END, n.kind)),
		coalesce(k.fix, 'see sync.anomalies for the records, and close what you have looked at (docs/data.md#anomalies); the mirror is healthy')
	FROM sync.anomalies n
	-- Anomalies of the mirror itself; all others concern the service and are only notes.
	LEFT JOIN (VALUES
		('too-many-missing', 'too-many-missing', 25,
			'More than 5 % of the transactions (and more than three), or all of them, would have to be marked as missing at once, so none was',
			'check that CUSTODY_BASE_URL and the key still belong to this account'),
		('altered', 'history-altered', 22,
			'Rows were altered in this database: they did not follow from their history',
			'see sync.anomalies for the rows, keep a copy of the database, and run custody-mirror verify; docs/audit.md says more')
	) AS k (kind, code, rank, problem, fix) ON k.kind = n.kind
	WHERE n.account_id = o.account_id AND n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs j WHERE j.account_id = n.account_id AND j.job = n.resource AND NOT j.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.code, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT q.rank, q.code, q.severity, q.subject, q.since, q.problem, q.fix FROM problems q
-- These count even while the account is retired.
WHERE coalesce(rest.until <= now(), true) OR q.code IN ('replica-behind', 'history-altered')
UNION ALL
SELECT 110, 'retired', 'note', 'account', t.retired_at, format('The account was retired by %s: its history stays as it is', t.retired_by),
	'nothing; custody-mirror account retire --undo lets it be mirrored again'
FROM sync.retirements t WHERE t.account_id = o.account_id AND t.ended_at IS NULL
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."health_problems" IS 'Problems of the mirror, one row each: the one definition of health, for status, the status page, the metrics, the alerts and sync_health. An account without a row of severity critical or warning is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."rank" IS 'For sorting: the lower, the worse.';
COMMENT ON COLUMN "reporting"."health_problems"."code" IS 'replica-behind, nothing-mirrored, stopped, history-altered, sealing-stopped, too-many-missing, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine, anomaly or retired. docs/operations.md gives the cause and the remedy of each.';
COMMENT ON COLUMN "reporting"."health_problems"."severity" IS 'critical (replica-behind, nothing-mirrored, starting, stopped, history-altered, sealing-stopped, too-many-missing, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly, retired): worth knowing, but the mirror is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."subject" IS 'account, a job of sync.runs, a resource, or the kind of an anomaly.';
COMMENT ON COLUMN "reporting"."health_problems"."since" IS 'When it began; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success if the process released the lease. replica-behind: the last transaction of the primary replayed here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified sweep. clock-behind: when it was noticed, by the database''s clock. history-altered: when a verification on schedule first found it. sealing-stopped: the first failure of sealing. retired: when it began. Others: when the oldest record was first observed.';
COMMENT ON COLUMN "reporting"."health_problems"."problem" IS 'Description, without a full stop.';
COMMENT ON COLUMN "reporting"."health_problems"."fix" IS 'Remedy.';
--> statement-breakpoint
-- Not for BI tools, which know no JSON: the type in src/store/job-queries/status.ts says what the members mean. A table of one row, so
-- that PostgreSQL plans it as a part of the statement around it.
CREATE FUNCTION "custody"."status_report"("account" text) RETURNS TABLE (report json) LANGUAGE sql STABLE PARALLEL RESTRICTED
BEGIN ATOMIC
	SELECT json_build_object(
		'account', o.account_id, 'baseUrl', a.base_url, 'readAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'problems', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT p.code, p.severity, p.subject, to_char(p.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS since, p.problem, p.fix
			FROM reporting.health_problems p WHERE p.account_id = o.account_id ORDER BY p.rank, p.subject
		) AS q),
		'expected', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT e.job, e.started_by AS "startedBy", e.is_mirrored AS "isMirrored", e.is_scheduled AS "isScheduled"
			FROM sync.expectations e WHERE e.account_id = o.account_id ORDER BY e.job
		) AS q),
		'transactions', json_build_object(
			'total', CASE WHEN a.transactions_total > 0 OR a.transactions_since IS NOT NULL THEN a.transactions_total END,
			'missing', coalesce(a.transactions_missing, 0),
			'open', (SELECT coalesce(json_agg(q), '[]') FROM (
				SELECT t.status, count(*) AS count FROM custody.transactions t
				WHERE t.account_id = o.account_id AND NOT reporting.is_settled(t.status) GROUP BY t.status ORDER BY t.status
			) AS q),
			'lastSweep', (SELECT to_json(q) FROM (
				SELECT r.job, to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "finishedAt",
					coalesce(r.verified, false) AS verified, r.verdict
				FROM internal.jobs j CROSS JOIN LATERAL (
					SELECT s.job, s.finished_at, s.verified, s.verdict FROM sync.runs s
					WHERE s.account_id = o.account_id AND s.job = j.job AND s.mode = 'full' AND s.status = 'succeeded'
					ORDER BY s.finished_at DESC LIMIT 1
				) AS r
				WHERE j.is_sweeping ORDER BY r.finished_at DESC LIMIT 1
			) AS q)
		),
		'balances', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT s.vault_type AS "vaultType", to_char(s.snapshot_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "snapshotAt",
				s.asset_count AS assets, s.quarantined_count AS quarantined, ARRAY(
					SELECT DISTINCT u.asset_id FROM custody.unreadable_balances u
					WHERE u.account_id = o.account_id AND u.vault_type = s.vault_type AND u.valid_to IS NULL ORDER BY 1
				) AS "unreadableAssets"
			FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type) CROSS JOIN LATERAL (
				SELECT b.vault_type, b.snapshot_at, b.asset_count, b.quarantined_count FROM custody.balance_snapshots b
				WHERE b.account_id = o.account_id AND b.vault_type = v.vault_type ORDER BY b.snapshot_at DESC LIMIT 1
			) AS s
			ORDER BY s.vault_type COLLATE "C"
		) AS q),
		'vaults', (SELECT to_json(q) FROM (
			SELECT CASE WHEN count(*) > 0 OR EXISTS (
					SELECT FROM custody.document_readings r WHERE r.account_id = o.account_id AND r.kind = 'vault'
				) THEN count(*) FILTER (WHERE d.missing_since IS NULL) END AS present, count(d.missing_since) AS missing,
				to_char(max(d.changed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "changedAt"
			FROM custody.vaults d WHERE d.account_id = o.account_id
		) AS q),
		'whitelist', (SELECT to_json(q) FROM (
			SELECT CASE WHEN count(*) > 0 OR EXISTS (
					SELECT FROM custody.document_readings r WHERE r.account_id = o.account_id AND r.kind = 'whitelist_entry'
				) THEN count(*) FILTER (WHERE d.missing_since IS NULL) END AS present, count(d.missing_since) AS missing,
				to_char(max(d.changed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "changedAt"
			FROM custody.whitelist_entries d WHERE d.account_id = o.account_id
		) AS q),
		'jobs', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT j.job, (SELECT to_json(l) FROM (
					SELECT r.run_id::text AS "runId", r.mode, r.status,
						to_char(r.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "startedAt",
						to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "finishedAt",
						r.requests, r.records_read AS "recordsRead", r.records_inserted AS "recordsInserted",
						r.records_changed AS "recordsChanged", r.status_changes AS "statusChanges", r.quarantined, r.verified, r.verdict,
						r.error_code AS "errorCode", r.error_message AS "errorMessage"
					FROM sync.runs r WHERE r.account_id = o.account_id AND r.job = j.job ORDER BY r.started_at DESC LIMIT 1
				) AS l) AS "lastRun",
				(SELECT to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM sync.runs r
					WHERE r.account_id = o.account_id AND r.job = j.job AND r.status = 'succeeded'
					ORDER BY r.finished_at DESC LIMIT 1) AS "lastSucceededAt",
				(SELECT to_char(max(r.finished_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM sync.runs r
					WHERE r.account_id = o.account_id AND r.job = j.job AND r.verified) AS "lastVerifiedAt"
			-- The jobs that ran, also those of another version, each found by one step into an index.
			FROM (WITH RECURSIVE found (job) AS (
				SELECT (SELECT r.job FROM sync.runs r WHERE r.account_id = o.account_id AND r.job > '' ORDER BY r.job LIMIT 1)
				UNION ALL
				SELECT (SELECT r.job FROM sync.runs r WHERE r.account_id = o.account_id AND r.job > f.job ORDER BY r.job LIMIT 1)
				FROM found f WHERE f.job IS NOT NULL
			) SELECT f.job FROM found f WHERE f.job IS NOT NULL) AS j
			ORDER BY j.job
		) AS q),
		'anomalies', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT f.kind, count(*) AS open,
				to_char(max(f.last_observed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "lastObservedAt"
			FROM sync.anomalies f WHERE f.account_id = o.account_id AND f.resolved_at IS NULL AND NOT EXISTS (
				SELECT FROM sync.expectations x WHERE x.account_id = f.account_id AND x.job = f.resource AND NOT x.is_mirrored)
			GROUP BY f.kind ORDER BY f.kind
		) AS q),
		'quarantine', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT f.resource, count(*) AS open,
				to_char(max(f.last_observed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "lastObservedAt"
			FROM sync.quarantine f WHERE f.account_id = o.account_id AND f.resolved_at IS NULL AND NOT EXISTS (
				SELECT FROM sync.expectations x WHERE x.account_id = f.account_id AND x.job = f.resource AND NOT x.is_mirrored)
			GROUP BY f.resource ORDER BY f.resource
		) AS q),
		'lease', (SELECT to_json(q) FROM (
			SELECT l.holder, to_char(l.acquired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "acquiredAt",
				to_char(l.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "expiresAt"
			FROM sync.leases l WHERE l.account_id = o.account_id AND l.expires_at > clock_timestamp()
				AND l.database_time < clock_timestamp() + interval '1 minute'
		) AS q),
		'learned', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT l.fact, l.value, l.evidence, to_char(l.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt"
			FROM sync.learned l WHERE l.account_id = o.account_id ORDER BY l.fact
		) AS q),
		'sealed', (SELECT to_json(q) FROM (
			SELECT c.tree_size AS rows, to_char(c.signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "signedAt",
				to_char(v.verified_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "verifiedAt", v.tree_size AS "verifiedRows", v.finding
			FROM sync.seal_checkpoints c LEFT JOIN sync.seal_verifications v ON v.account_id = c.account_id
			WHERE c.account_id = o.account_id ORDER BY c.tree_size DESC LIMIT 1
		) AS q),
		'others', CASE WHEN a.account_id IS NULL THEN ARRAY(
			SELECT k.account_id FROM custody.accounts k
			WHERE NOT EXISTS (SELECT FROM reporting.half_erased_accounts e WHERE e.account_id = k.account_id) ORDER BY 1 LIMIT 5
		) END,
		'isThere', EXISTS (SELECT FROM custody.accounts k WHERE k.account_id = o.account_id)
	)
	FROM (SELECT "account" AS account_id) AS o
	LEFT JOIN custody.accounts a ON a.account_id = o.account_id
		AND NOT EXISTS (SELECT FROM reporting.half_erased_accounts e WHERE e.account_id = a.account_id);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."status_report"(text) IS 'What the command status shows of an account, as one object, also of a name that is not mirrored. It reads tables that only the mirror and who serves it may read.';
--> statement-breakpoint
-- Health at a glance, from the worst row of reporting.health_problems.
CREATE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE WHEN p.code IS NULL THEN 'healthy' ELSE CASE p.code
		WHEN 'replica-behind' THEN 'stale'
		WHEN 'nothing-mirrored' THEN 'nothing mirrored yet'
		WHEN 'stopped' THEN 'stopped'
		WHEN 'key-refused' THEN 'failing'
		WHEN 'failing' THEN 'failing'
		WHEN 'starting' THEN 'starting'
		WHEN 'never-read' THEN 'starting'
		WHEN 'stale' THEN 'stale'
		WHEN 'never-verified' THEN 'never verified'
		WHEN 'verified-long-ago' THEN 'verified too long ago'
		ELSE 'attention'
	END END AS health,
	l.holder AS writer, l.expires_at AS writer_lease_until, f.last_success_at, f.lag, f.last_verified_sweep_at,
	n.failing AS failing_resources, n.stale AS stale_resources, f.anomalies AS open_anomalies, f.quarantined AS quarantined_records,
	d.runs AS runs_24h, d.failed AS failed_runs_24h, d.requests AS requests_24h, d.rate_limited AS rate_limited_24h,
	d.status_changes AS status_changes_24h,
	a.transactions_since AS complete_since, a.first_seen_at AS mirrored_since, a.time_zone,
	n.problems, p.problem AS worst_problem, p.fix AS worst_problem_fix, p.since AS worst_problem_since
FROM custody.accounts a
JOIN internal.account_clocks clock ON clock.account_id = a.account_id
CROSS JOIN LATERAL (
	SELECT max(q.last_success_at) AS last_success_at, max(q.lag) AS lag,
		max(q.last_verified_at) FILTER (WHERE q.resource = 'transactions') AS last_verified_sweep_at,
		sum(q.open_anomalies)::bigint AS anomalies, sum(q.quarantined_records)::bigint AS quarantined
	FROM reporting.data_freshness q WHERE q.account_id = a.account_id AND q.is_mirrored
) AS f
CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE h.severity <> 'note') AS problems,
		count(*) FILTER (WHERE h.code IN ('failing', 'key-refused')) AS failing, count(*) FILTER (WHERE h.code = 'stale') AS stale,
		(array_agg(h.code ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS code,
		(array_agg(h.problem ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS problem,
		(array_agg(h.fix ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS fix,
		(array_agg(h.since ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS since
	FROM reporting.health_problems h WHERE h.account_id = a.account_id
) AS n
CROSS JOIN LATERAL (SELECT n.code, n.problem, n.fix, n.since) AS p
LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now() AND l.database_time < clock_timestamp() + interval '1 minute'
CROSS JOIN LATERAL (
	SELECT count(*) AS runs, count(*) FILTER (WHERE u.status = 'failed') AS failed,
		coalesce(sum(u.requests), 0)::bigint AS requests, coalesce(sum(u.rate_limited), 0)::bigint AS rate_limited,
		coalesce(sum(u.status_changes), 0)::bigint AS status_changes
	FROM sync.runs u
	WHERE u.account_id = a.account_id
		AND u.job IN (SELECT k.job FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.is_mirrored)
		AND u.started_at > clock.now - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."sync_health" IS 'Is the mirror running, and can its figures be trusted? One row per account.';
COMMENT ON COLUMN "reporting"."sync_health"."health" IS 'The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading is not finished), stale, never verified, verified too long ago, attention (records in quarantine, too many missing at once, or the database''s clock behind the times of the mirror), healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."writer" IS 'The process that holds the lease and writes; null if there is none.';
COMMENT ON COLUMN "reporting"."sync_health"."writer_lease_until" IS 'When its lease expires unless renewed.';
COMMENT ON COLUMN "reporting"."sync_health"."last_success_at" IS 'When a run of any resource last succeeded.';
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'The longest lag among the mirrored resources.';
COMMENT ON COLUMN "reporting"."sync_health"."last_verified_sweep_at" IS 'When a sweep of all transactions last ended as verified.';
COMMENT ON COLUMN "reporting"."sync_health"."failing_resources" IS 'Number of jobs that have failed without a success since.';
COMMENT ON COLUMN "reporting"."sync_health"."stale_resources" IS 'Number of jobs whose last success is older than their schedule allows.';
COMMENT ON COLUMN "reporting"."sync_health"."open_anomalies" IS 'Open anomalies (sync.anomalies).';
COMMENT ON COLUMN "reporting"."sync_health"."quarantined_records" IS 'Records that could not be read (sync.quarantine).';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs in the last 24 hours, except those of resources that CUSTODY_RESOURCES now leaves out.';
COMMENT ON COLUMN "reporting"."sync_health"."failed_runs_24h" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."sync_health"."requests_24h" IS 'Requests to the service in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."rate_limited_24h" IS 'Of these, refused by the rate limit of the service.';
COMMENT ON COLUMN "reporting"."sync_health"."status_changes_24h" IS 'Status changes observed in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."complete_since" IS 'From when the whole list of transactions is mirrored; null until the first sweep has ended.';
COMMENT ON COLUMN "reporting"."sync_health"."mirrored_since" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "reporting"."sync_health"."time_zone" IS 'Time zone of the account''s days and months.';
COMMENT ON COLUMN "reporting"."sync_health"."problems" IS 'Number of rows of reporting.health_problems that make the mirror unhealthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem" IS 'Description of the worst of them; null if healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_fix" IS 'Its remedy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_since" IS 'When it began; null if unknown.';
--> statement-breakpoint
-- The only definition of the effect of a transaction on the balances. Factors multiply the amount and the fee.
CREATE VIEW "reporting"."accounting_rules" AS
SELECT r.transaction_type, s.status,
	reporting.direction_of(r.transaction_type, NULL, NULL) AS direction,
	r.total_amount_factor, r.total_fee_factor, r.staked_amount_factor, r.staked_fee_factor, r.meaning
FROM (VALUES
	('deposit', ARRAY['pending'], 0, 0, 0, 0,
		'Announced: moves nothing yet.'),
	('deposit', ARRAY['processing', 'confirming'], 1, 0, 0, 0,
		'Incoming, in progress: the amount is in processing_balance, and so in the total.'),
	('deposit', ARRAY['completed'], 1, 0, 0, 0,
		'Arrived: the amount is available. The sender paid the fee.'),
	('deposit', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Did not arrive: moves nothing.'),
	('withdraw', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Outgoing, in progress: amount and fee move from available_balance to processing_balance, the total is unchanged.'),
	('withdraw', ARRAY['completed'], -1, -1, 0, 0,
		'Left: the total loses amount and fee.'),
	('withdraw', ARRAY['failed'], 0, -1, 0, 0,
		'Came back, except for the network fee.'),
	('withdraw', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Never left: moves nothing.'),
	('rebalance', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Between own vaults, in progress: the total is unchanged.'),
	('rebalance', ARRAY['completed', 'failed'], 0, -1, 0, 0,
		'Between own vaults: the total loses the network fee.'),
	('rebalance', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Did not take place: moves nothing.'),
	('stake', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Being staked: amount and fee move from available_balance to processing_balance, the total is unchanged.'),
	('stake', ARRAY['completed'], 0, -1, 1, 0,
		'Staked: the amount is in staking_balance, the total loses the fee.'),
	('stake', ARRAY['failed'], 0, -1, 0, 0,
		'Was not staked: the total loses the network fee.'),
	('stake', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Was not staked: moves nothing.'),
	('unstake', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being unstaked: the amount moves from staking_balance to processing_balance, the total is unchanged.'),
	('unstake', ARRAY['completed'], 0, -1, 0, -1,
		'Unstaked: the amount less the fee is claimable.'),
	('unstake', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not unstaked: moves nothing.'),
	('claim', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being claimed: the amount moves from claimable_balance to processing_balance, the total is unchanged.'),
	('claim', ARRAY['completed'], 0, -1, -1, 0,
		'Claimed: the amount less the fee is available.'),
	('claim', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not claimed: moves nothing.'),
	('change pool', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Between pools: the amount moves from staking_balance to processing_balance, the total is unchanged.'),
	('change pool', ARRAY['completed'], 0, -1, 0, -1,
		'Staked elsewhere: staking_balance loses the fee.'),
	('change pool', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Stayed where it was: moves nothing.')
) AS r (transaction_type, statuses, total_amount_factor, total_fee_factor,
	staked_amount_factor, staked_fee_factor, meaning)
CROSS JOIN LATERAL unnest(r.statuses) AS s (status);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."accounting_rules" IS 'Effect of a transaction of each type on the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service documents no meaning, this is our interpretation. An unlisted type moves nothing. An unlisted status counts as open, and leaves the balances as the last listed status of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type; without a rule, in the asset of the transaction. The sender pays the fee of a deposit. A missing fee counts as 0; a missing amount makes everything it would have moved null.';
COMMENT ON COLUMN "reporting"."accounting_rules"."status" IS 'Status of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."direction" IS 'in, out, internal (between the account''s own vaults) or staking.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_amount_factor" IS 'Factor of the amount in the change of the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_fee_factor" IS 'Factor of the fee in the change of the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_amount_factor" IS 'Factor of the amount in the change of staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_fee_factor" IS 'Factor of the fee in the change of staking_balance and claimable_balance together. Does not apply to a fee in another asset than that of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."meaning" IS 'The rule in words.';
--> statement-breakpoint
-- Days and months of the account. Reports start from them and look up the facts of each day by index, so that a filter on the day reads
-- only the rows of that day. A day begins when the clock of the account, in the zone set then, first shows its date: a change of the
-- zone moves no past beginning, and days have neither gap nor overlap.
CREATE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month, s.at AS starts_at, e.at AS ends_at,
	(SELECT u.zone FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until) WHERE u.since < e.at AND u.until >= e.at) AS time_zone
FROM custody.accounts a
-- The zones as arrays, read once; and the last dates that the clock had shown when the mirror began, and now.
CROSS JOIN LATERAL (
	SELECT array_agg(t.time_zone) AS zones, array_agg(t.valid_from) AS since, array_agg(t.valid_to) AS until,
		max(date_trunc('day', least(a.first_seen_at, t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= a.first_seen_at) AS first,
		max(date_trunc('day', least(now(), t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= now()) AS last
	FROM internal.time_zones t WHERE t.account_id = a.account_id
) AS z
CROSS JOIN LATERAL generate_series(z.first, z.last, interval '1 day') AS d (local)
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local, u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local, u.zone) <= u.until
) AS s
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local + interval '1 day', u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local + interval '1 day', u.zone) <= u.until
) AS e;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."calendar" IS 'Calendar days of each account, from the day the mirror began until today, in the time zone set then. A change of the time zone moves no past day; the day of the change is longer or shorter, and a day that the change skips is empty.';
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. A day on which the clocks or the time zone change does not last 24 hours.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.';
--> statement-breakpoint
-- internal.settlements as known at every moment: a period begins when the status was left and entered again, when a counted field was
-- corrected, and when the transaction went missing or came back. It has one row for each fee rule known within it.
CREATE VIEW "internal"."known_settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, f.known_from, f.known_until,
	k.span_from, k.span_until, v.transaction_type, v.asset_id, v.asset_name, v.network_id, v.amount, v.fee,
	coalesce(f.asset_id, v.asset_id) AS fee_asset_id, f.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
CROSS JOIN LATERAL (
	SELECT q.observed_at AS known_from, next.observed_at AS known_until
	FROM custody.transaction_status_history q
	LEFT JOIN custody.transaction_status_history next
		ON next.account_id = q.account_id AND next.transaction_id = q.transaction_id AND next.sequence = q.sequence + 1
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence >= h.sequence
		AND q.to_status = h.to_status OFFSET 0
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND (s.known_until IS NULL OR c.known_from < s.known_until) AND (c.known_until IS NULL OR c.known_until > s.known_from) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT greatest(s.known_from, v.known_from) AS span_from, least(s.known_until, v.known_until) AS span_until
) AS k
CROSS JOIN LATERAL (
	SELECT e.at AS known_from, lead(e.at, 1, k.span_until) OVER (ORDER BY e.at) AS known_until, e.asset_id
	FROM (
		SELECT c.at, r.asset_id, lag(r.asset_id) OVER (ORDER BY c.at) AS asset_before
		FROM (
			SELECT k.span_from AS at
			UNION
			SELECT m.at FROM internal.fee_rule_history q CROSS JOIN LATERAL (VALUES (q.known_from), (q.known_until)) AS m (at)
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id
				AND m.at > k.span_from AND (k.span_until IS NULL OR m.at < k.span_until)
		) AS c
		LEFT JOIN LATERAL (
			SELECT q.asset_id FROM internal.fee_rule_history q
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
				AND q.known_from <= c.at AND (q.known_until IS NULL OR q.known_until > c.at)
			ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
		) AS r ON true
	) AS e
	WHERE e.at = k.span_from OR e.asset_id IS DISTINCT FROM e.asset_before
) AS f
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "internal"."known_settlements" IS 'What was known about each settled transaction, and when: the rows of reporting.settlement_history, which explains the columns.';
COMMENT ON COLUMN "internal"."known_settlements"."status" IS 'The settled status.';
COMMENT ON COLUMN "internal"."known_settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."known_settlements"."span_from" IS 'When the answer behind known_from arrived, whatever fee rules were known since.';
COMMENT ON COLUMN "internal"."known_settlements"."span_until" IS 'When the answer that ended it arrived; null while it holds.';
COMMENT ON COLUMN "internal"."known_settlements"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee" IS 'Fee; null if the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_id" IS 'Asset in which the fee is paid, by the rule known then.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_is_assumed" IS 'True if there was no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "internal"."known_settlements"."missing_since" IS 'When the service stopped showing it; null while it showed it.';
--> statement-breakpoint
-- Transactions that the service no longer shows: it is unknown whether they are open or settled.
CREATE VIEW "reporting"."missing_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."missing_transactions" IS 'Transactions that the service no longer shows, one row each, as last seen: two verified sweeps in a row did not find them, and the service does not know their identifiers.';
COMMENT ON COLUMN "reporting"."missing_transactions"."missing_since" IS 'When the service stopped showing it.';
COMMENT ON COLUMN "reporting"."missing_transactions"."was_open" IS 'Whether it was not settled when last seen, so that its outcome is unknown.';
COMMENT ON COLUMN "reporting"."missing_transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."missing_transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."missing_transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
--> statement-breakpoint
CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
	t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note, t.first_seen_at, t.status_since,
	now() - t.status_since AS time_in_status, t.age, round(extract(epoch FROM t.age) / 3600, 2) AS age_hours,
	CASE
		WHEN t.age < interval '1 hour' THEN 'under 1 hour'
		WHEN t.age < interval '4 hours' THEN '1 to 4 hours'
		WHEN t.age < interval '24 hours' THEN '4 to 24 hours'
		WHEN t.age < interval '72 hours' THEN '1 to 3 days'
		WHEN t.age < interval '168 hours' THEN '3 to 7 days'
		ELSE 'over 7 days'
	END AS age_band,
	CASE
		WHEN t.age < interval '1 hour' THEN 1
		WHEN t.age < interval '4 hours' THEN 2
		WHEN t.age < interval '24 hours' THEN 3
		WHEN t.age < interval '72 hours' THEN 4
		WHEN t.age < interval '168 hours' THEN 5
		ELSE 6
	END AS age_band_order,
	t.is_older_than_mirror
FROM reporting.transactions t
WHERE t.is_open;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each, with their age. Those it no longer shows are in missing_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since first_seen_at.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'Age in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'Age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
--> statement-breakpoint
CREATE VIEW "reporting"."settlement_history" AS
SELECT s.account_id, s.transaction_id, s.status, s.settled_at, s.known_from, s.known_until, s.transaction_type, s.asset_id, s.asset_name,
	s.network_id, trim_scale(s.amount) AS amount, trim_scale(s.fee) AS fee, s.fee_asset_id, s.fee_asset_is_assumed, s.missing_since,
	CASE WHEN s.known_until = s.span_until THEN 'answer' WHEN s.known_until IS NOT NULL THEN 'fee rule' END AS until_reason
FROM internal.known_settlements s;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known about each settled transaction, and when: the rows behind flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections. A row without known_until holds now.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The settled status: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status. It counts on that day.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as known then, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as known then, in units of fee_asset_id. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'As known then: when the service stopped showing it; null while it showed it.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: from the rules in custody.fee_rules known then; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."until_reason" IS 'Why it ended at known_until: answer (the service showed something else) or fee rule (somebody stated another); null if it still holds.';
--> statement-breakpoint
CREATE VIEW "reporting"."status_durations" AS
SELECT m.account_id, m.month, s.transaction_type, s.status, s.stays, s.shortest, s.median, s.p95, s.mean, s.longest
FROM (
	SELECT account_id, month, min(starts_at) AS starts_at, max(ends_at) AS ends_at FROM reporting.calendar GROUP BY account_id, month
) AS m
CROSS JOIN LATERAL (
	SELECT t.transaction_type, stay.to_status AS status, count(*) AS stays,
		min(d.duration) AS shortest,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY d.duration) AS median,
		percentile_cont(0.95) WITHIN GROUP (ORDER BY d.duration) AS p95,
		avg(d.duration) AS mean,
		max(d.duration) AS longest
	FROM custody.transaction_status_history left_by
	JOIN custody.transaction_status_history stay
		ON stay.account_id = left_by.account_id AND stay.transaction_id = left_by.transaction_id
		AND stay.sequence = left_by.sequence - 1
	JOIN custody.accounts a ON a.account_id = left_by.account_id
	JOIN custody.transactions t ON t.account_id = left_by.account_id AND t.transaction_id = left_by.transaction_id
	CROSS JOIN LATERAL (SELECT left_by.observed_at - stay.observed_at AS duration) AS d
	WHERE left_by.account_id = m.account_id AND left_by.observed_at >= m.starts_at AND left_by.observed_at < m.ends_at
		AND (stay.sequence > 1 OR stay.observed_at > a.transactions_since)
	GROUP BY t.transaction_type, stay.to_status
) AS s;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."status_durations" IS 'How long transactions stayed in a status, by the month in which they left it. Stays that began before the mirror are left out. Durations run from sighting to sighting and are no more exact than the schedule of readings.';
COMMENT ON COLUMN "reporting"."status_durations"."status" IS 'The status left.';
COMMENT ON COLUMN "reporting"."status_durations"."stays" IS 'Number of stays that ended in the month.';
COMMENT ON COLUMN "reporting"."status_durations"."shortest" IS 'Shortest stay.';
COMMENT ON COLUMN "reporting"."status_durations"."median" IS 'Median stay, interpolated between the two middle ones.';
COMMENT ON COLUMN "reporting"."status_durations"."p95" IS '95th percentile of the stays, interpolated.';
COMMENT ON COLUMN "reporting"."status_durations"."mean" IS 'Mean stay.';
COMMENT ON COLUMN "reporting"."status_durations"."longest" IS 'Longest stay.';
--> statement-breakpoint
CREATE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount, o.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) AS settled,
		count(*) FILTER (WHERE s.status = 'completed') AS completed,
		count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
		count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
		count(*) FILTER (WHERE s.status = 'failed') AS failed,
		-- An unknown amount makes the sum unknown.
		CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
		CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
	GROUP BY s.transaction_type, s.asset_id, s.network_id
) AS o;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_outcomes_daily" IS 'How transactions ended, by day, type and asset, as known now: each counts once, on the day on which its current settled status was first seen. Those that had that status before the mirror began are left out. For past knowledge, see transaction_outcomes_daily_at.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."settled" IS 'Number of transactions settled on the day.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."rejected" IS 'Of these, rejected.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."cancelled" IS 'Of these, cancelled.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."failed" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_share" IS 'Share of those rejected, cancelled or failed, from 0 to 1, rounded to 6 places.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed_amount" IS 'Sum of the completed amounts; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_amount" IS 'Sum of the other amounts; null if the service sent no amount for one of them.';
--> statement-breakpoint
-- Like reporting.transaction_outcomes_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."transaction_outcomes_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, transaction_type text, asset_id text, asset_name text, network_id text, settled bigint,
	completed bigint, rejected bigint, cancelled bigint, failed bigint, unsuccessful_share numeric, completed_amount numeric,
	unsuccessful_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
		o.settled, o.completed, o.rejected, o.cancelled, o.failed,
		round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6),
		trim_scale(o.completed_amount), trim_scale(o.unsuccessful_amount), o.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) AS settled,
			count(*) FILTER (WHERE s.status = 'completed') AS completed,
			count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
			count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
			count(*) FILTER (WHERE s.status = 'failed') AS failed,
			-- An unknown amount makes the sum unknown.
			CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
			CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.transaction_type, s.asset_id, s.network_id
	) AS o;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''.';
--> statement-breakpoint
-- A gap is a stretch without observations for longer than was to be expected: the time after which health calls one overdue (a day
-- without a daemon), and three times the distance between the two before.
CREATE FUNCTION "reporting"."balance_series"("account" text, "asset" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	starts_at timestamptz, ends_at timestamptz, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	state text, observed_at timestamptz, total_balance numeric, available_balance numeric, processing_balance numeric,
	staking_balance numeric, claimable_balance numeric, gap_from timestamptz, gap_to timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH asked AS (
		SELECT a.account_id, e.ends_at,
			greatest(coalesce("since", e.ends_at - interval '30 days'), a.first_seen_at - interval '1 day') AS starts_at
		FROM custody.accounts a
		CROSS JOIN LATERAL (SELECT least(coalesce("until", now()), now()) AS ends_at) AS e
		WHERE a.account_id = "account"
	),
	grid AS (
		-- The shortest step with which the span has at most 200, from a minute to half a year.
		SELECT k.account_id, k.starts_at, k.ends_at, coalesce((
			SELECT min(s.seconds) FROM unnest(ARRAY[60, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 345600, 604800,
				1209600, 2419200, 7862400, 15724800]) AS s (seconds)
			WHERE s.seconds * 200::numeric >= extract(epoch FROM k.ends_at - k.starts_at)
		), 15724800) AS seconds FROM asked k
	),
	-- From a day on, steps are days of the account. The first and the last are cut at the ends of the span.
	steps AS (
		SELECT greatest(s.starts_at, s.from_at) AS starts_at, least(s.ends_at, s.to_at) AS ends_at,
			lag(s.starts_at) OVER (ORDER BY s.starts_at) AS before_at
		FROM (
			SELECT n.at AS starts_at, n.at + make_interval(secs => g.seconds) AS ends_at, g.starts_at AS from_at, g.ends_at AS to_at
			FROM grid g CROSS JOIN LATERAL generate_series(
				date_bin(make_interval(secs => g.seconds), g.starts_at, timestamptz '2000-01-01 00:00:00Z'), g.ends_at,
				make_interval(secs => g.seconds)
			) AS n (at)
			WHERE g.seconds < 86400
			UNION ALL
			SELECT d.starts_at, lead(d.starts_at, 1, 'infinity') OVER (ORDER BY d.day), d.from_at, d.to_at
			FROM (
				SELECT c.day, c.starts_at, g.starts_at AS from_at, g.ends_at AS to_at,
					row_number() OVER (ORDER BY c.day) - 1 AS number, g.seconds / 86400 AS days
				FROM grid g JOIN reporting.calendar c ON c.account_id = g.account_id AND c.ends_at > g.starts_at AND c.starts_at < g.ends_at
				WHERE g.seconds >= 86400
			) AS d WHERE d.number % d.days = 0
		) AS s
		WHERE greatest(s.starts_at, s.from_at) < least(s.ends_at, s.to_at)
	),
	-- The vault types and networks under which the asset was ever listed, by a few lookups in the primary key.
	places AS (
		SELECT v.vault_type, n.network_id FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
		CROSS JOIN LATERAL (
			(WITH RECURSIVE known (network_id) AS (
				SELECT (SELECT min(b.network_id) FROM custody.balances b
					WHERE b.account_id = "account" AND b.vault_type = v.vault_type AND b.asset_id = "asset")
				UNION ALL
				SELECT (SELECT min(b.network_id) FROM custody.balances b
					WHERE b.account_id = "account" AND b.vault_type = v.vault_type AND b.asset_id = "asset" AND b.network_id > k.network_id)
				FROM known k WHERE k.network_id IS NOT NULL
			) SELECT k.network_id FROM known k WHERE k.network_id IS NOT NULL)
			UNION
			SELECT u.network_id FROM custody.unreadable_balances u
			WHERE u.account_id = "account" AND u.vault_type = v.vault_type AND u.asset_id = "asset"
		) AS n
	)
	SELECT s.starts_at, s.ends_at, p.vault_type, "asset", b.asset_name, p.network_id, b.network_name,
		CASE WHEN o.snapshot_at IS NULL THEN 'not observed' WHEN u.is_unreadable THEN 'unreadable'
			WHEN b.is_listed THEN 'observed' WHEN o.unidentified_count > 0 THEN 'unreadable' ELSE 'not listed' END,
		o.snapshot_at,
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.total_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.available_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.processing_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.staking_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.claimable_balance END),
		g.gap_from, g.gap_to
	FROM steps s CROSS JOIN places p
	LEFT JOIN LATERAL (
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE o.account_id = "account" AND o.vault_type = p.vault_type AND o.answered_at >= s.starts_at AND o.answered_at < s.ends_at
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	) AS o ON true
	LEFT JOIN LATERAL (
		SELECT true AS is_listed, q.asset_name, q.network_name, q.total_balance, q.available_balance, q.processing_balance,
			q.staking_balance, q.claimable_balance
		FROM (
			SELECT q.* FROM custody.balances q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.asset_id = "asset" AND q.network_id = p.network_id
				AND q.valid_from <= o.snapshot_at
			ORDER BY q.valid_from DESC LIMIT 1
		) AS q WHERE q.valid_to IS NULL OR q.valid_to > o.snapshot_at
	) AS b ON true
	LEFT JOIN LATERAL (
		SELECT true AS is_unreadable FROM custody.unreadable_balances q
		WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.asset_id = "asset" AND q.network_id = p.network_id
			AND q.valid_from <= o.snapshot_at AND coalesce(q.valid_to, 'infinity') > o.snapshot_at
	) AS u ON true
	-- Whether a step without an observation belongs to a gap, and is its first.
	LEFT JOIN LATERAL (
		SELECT l.snapshot_at AS gap_from, n.snapshot_at AS gap_to,
			(s.before_at IS NULL OR l.answered_at >= s.before_at)
				AND (l.answered_at IS NULL OR coalesce(n.answered_at, now()) - l.answered_at > greatest(
					coalesce((SELECT e.max_age FROM sync.expectations e WHERE e.account_id = "account" AND e.job = 'balances'), interval '1 day'),
					3 * (l.answered_at - l.before_at))) AS is_gap
		FROM (SELECT WHERE o.snapshot_at IS NULL) AS i
		LEFT JOIN LATERAL (
			SELECT q.snapshot_at, q.answered_at, (
				SELECT w.answered_at FROM custody.balance_snapshots w
				WHERE w.account_id = "account" AND w.vault_type = p.vault_type AND w.answered_at < q.answered_at
				ORDER BY w.answered_at DESC LIMIT 1) AS before_at
			FROM custody.balance_snapshots q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.answered_at < s.starts_at
			ORDER BY q.answered_at DESC, q.snapshot_at DESC LIMIT 1
		) AS l ON true
		LEFT JOIN LATERAL (
			SELECT q.snapshot_at, q.answered_at FROM custody.balance_snapshots q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.answered_at >= s.ends_at
			ORDER BY q.answered_at, q.snapshot_at LIMIT 1
		) AS n ON true
	) AS g ON true
	WHERE o.snapshot_at IS NOT NULL OR g.is_gap;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_series"(text, text, timestamptz, timestamptz) IS 'The balances of an asset over a span (30 days up to now, where a bound is null), evenly sampled in at most about 200 steps: for each the last observation answered within it, exact. A step without an observation has no row, but each gap has one: state is not observed, and gap_from and gap_to are the observations around it.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, 'infinity', 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values" IS 'Last observed balances, valued at the latest price in custody.asset_prices. Only assets with a price have a row: a missing asset is not worthless.';
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.';
COMMENT ON COLUMN "reporting"."balance_values"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values"."age" IS 'Time since observed_at.';
--> statement-breakpoint
-- Like reporting.balance_values_daily, from the observations and prices known at a moment.
CREATE FUNCTION "reporting"."balance_values_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric,
	currency text, price numeric, price_as_of timestamptz, total_value numeric, observed_at timestamptz, age interval, is_known boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
		m.currency, p.price, p.as_of, trim_scale(b.total_balance * p.price), l.snapshot_at,
		least(c.ends_at, "as_known_at", now()) - l.snapshot_at, b.is_known
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	CROSS JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_values_daily_at"(timestamptz) IS 'balance_values_daily as known at a moment: from the balances observed and the prices known up to and including that moment. For a closed day pass ends_at of calendar minus interval ''1 microsecond''.';
--> statement-breakpoint
CREATE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at, c.ends_at
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
-- An observation counts from its last answer: everything it shows had happened by the end of the day.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balances_daily" IS 'Last observed balances of each day. An observation belongs to the day on which its last answer arrived. A day without observations has no rows; a day without changes has rows.';
COMMENT ON COLUMN "reporting"."balances_daily"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balances_daily"."age" IS 'Time from observed_at to the end of the day (today: to now).';
--> statement-breakpoint
-- The balances of an account and the moment before which their prices are chosen: one of its three parts has rows. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."balances_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric, available_balance numeric,
	processing_balance numeric, staking_balance numeric, claimable_balance numeric, is_known boolean, last_known_at timestamptz,
	unchanged_since timestamptz, observed_at timestamptz, priced_before timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		'infinity'::timestamptz
	FROM reporting.balances_current b
	WHERE "at" IS NULL AND "on_day" IS NULL AND b.account_id = "account"
	UNION ALL
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		"at" + interval '1 microsecond'
	FROM reporting.balances_at("at") b
	WHERE "at" IS NOT NULL AND b.account_id = "account"
	UNION ALL
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		b.ends_at
	FROM reporting.balances_daily b
	WHERE b.day = "on_day" AND b.account_id = "account";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_held"(text, timestamptz, date) IS 'The balances of an account as known at a moment (balances_at), or at the close of a day (balances_daily): pass one of the two, or null for both to get those of now (balances_current). Prices count before priced_before.';
--> statement-breakpoint
CREATE VIEW "reporting"."portfolio_value_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	greatest(count(*) FILTER (WHERE b.total_balance IS NULL), max(s.unidentified_count)) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN custody.balance_snapshots s ON s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at = b.observed_at
JOIN internal.present_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."portfolio_value_daily" IS 'The total value of the balances last observed on each day, at the last prices before the day ended (today: until now) in custody.asset_prices: one row per vault type and currency. A day without observations, or on which nothing was listed, has no row: its value is unknown.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. It leaves out balances without a price and unknown ones: see without_price and unknown.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."valued" IS 'Number of balances in the sum, one per asset and network, zeros included.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."without_price" IS 'Number of nonzero balances without a price in the currency.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."unknown" IS 'Number of balances that could not be read, records that could not be identified included.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."oldest_price_as_of" IS 'When the oldest of the prices took effect; null for an empty sum.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."observed_at" IS 'When the observation of these figures was made.';
--> statement-breakpoint
-- Like reporting.portfolio_value_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."portfolio_value_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, currency text, total_value numeric, valued bigint, without_price bigint, unknown bigint,
	oldest_price_as_of timestamptz, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, m.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		greatest(count(*) FILTER (WHERE b.total_balance IS NULL), max(l.unidentified_count)), min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL), l.snapshot_at
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at, s.unidentified_count FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p ON true
	GROUP BY c.account_id, c.day, v.vault_type, m.currency, l.snapshot_at;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."portfolio_value_daily_at"(timestamptz) IS 'portfolio_value_daily as known at a moment: from the balances observed and the prices of custody.asset_prices known up to and including that moment. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. A currency without a known price has a row in which nothing is valued.';
--> statement-breakpoint
-- The observation that balances_held shows. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."snapshot_held"("account" text, "vaults" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	snapshot_at timestamptz, unidentified_count integer
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	(
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE "at" IS NULL AND "on_day" IS NULL AND o.account_id = "account" AND o.vault_type = "vaults"
		ORDER BY o.snapshot_at DESC LIMIT 1
	)
	UNION ALL
	(
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE o.account_id = "account" AND o.vault_type = "vaults" AND o.answered_at <= "at"
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	)
	UNION ALL
	(
		SELECT o.snapshot_at, o.unidentified_count FROM reporting.calendar d
		JOIN custody.balance_snapshots o ON o.account_id = d.account_id AND o.answered_at >= d.starts_at AND o.answered_at < d.ends_at
		WHERE d.account_id = "account" AND d.day = "on_day" AND o.vault_type = "vaults"
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."snapshot_held"(text, text, timestamptz, date) IS 'The last observation of a vault type by a moment, or on a day: pass one of the two, or null for both to get the last one. No row without an observation.';
--> statement-breakpoint
-- For each withdrawal: when the whitelist certainly held its destination, and when it certainly did not; at all other times it is
-- unknown. An entry counts for the asset and the network that it names. Whether it matches is unknown (fits is null) if the
-- transaction names none, or if two addresses differ only in case, in a form that may be case-sensitive.
-- The planner looks entries up by index for each row.
CREATE VIEW "internal"."destination_listings" AS
SELECT t.account_id, t.transaction_id, r.first_read_at, r.last_read_after,
	coalesce(w.listed, '{}') AS listed,
	coalesce(
		CASE WHEN r.first_read_at <= r.last_read_after THEN tstzmultirange(tstzrange(r.first_read_at, r.last_read_after, '[]')) END
			- coalesce(w.possible, '{}'),
		'{}') AS unlisted,
	coalesce(w.elsewhere, '{}') AS possible_elsewhere, coalesce(w.unclear, '{}') AS listed_unclear,
	CASE WHEN w.listed_now THEN true WHEN w.maybe_now OR r.first_read_at IS NULL THEN NULL ELSE false END AS listed_now
FROM custody.transactions t
LEFT JOIN custody.document_readings r ON r.account_id = t.account_id AND r.kind = 'whitelist_entry'
CROSS JOIN LATERAL (
	SELECT range_agg(s.certain) FILTER (WHERE f.fits) AS listed,
		range_agg(s.possible) FILTER (WHERE f.fits IS NOT FALSE) AS possible,
		range_agg(s.possible) FILTER (WHERE NOT f.fits) AS elsewhere,
		range_agg(s.certain) FILTER (WHERE f.fits IS NULL) AS unclear,
		bool_or(f.fits AND p.possible_until IS NULL) AS listed_now,
		bool_or(f.fits IS NULL AND p.possible_until IS NULL) AS maybe_now
	FROM (
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.entry_until AS listed_until, e.possible_until, true AS same_key
		FROM internal.whitelist_periods e
		WHERE e.account_id = t.account_id AND e.entry_id = t.destination_id AND t.destination_type = 'whitelist'
		UNION ALL
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.address_until, e.possible_until,
			reporting.address_key(e.address) = reporting.address_key(t.destination_address)
		FROM internal.whitelist_periods e
		WHERE e.account_id = t.account_id AND lower(e.address) = lower(t.destination_address)
			AND btrim(t.destination_address) <> ''
	) AS p
	CROSS JOIN LATERAL (
		SELECT (coalesce(p.asset_id, '') = '' OR p.asset_id = nullif(t.asset_id, ''))
			AND (coalesce(p.network_id, '') = '' OR p.network_id = nullif(t.network_id, '')) AND nullif(p.same_key, false) AS fits
	) AS f
	CROSS JOIN LATERAL (
		SELECT CASE WHEN p.listed_from <= p.listed_until THEN tstzrange(p.listed_from, p.listed_until, '[]') END AS certain,
			CASE WHEN p.possible_after >= p.possible_until THEN NULL ELSE tstzrange(p.possible_after, p.possible_until, '()') END AS possible
	) AS s
) AS w
WHERE t.transaction_type = 'withdraw';
--> statement-breakpoint
COMMENT ON VIEW "internal"."destination_listings" IS 'Each withdrawal, with the periods in which the whitelist certainly held its destination for its asset, and those in which it certainly did not.';
COMMENT ON COLUMN "internal"."destination_listings"."first_read_at" IS 'When the whitelist was first read whole; null if it never was.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_after" IS 'When the last whole reading of the whitelist began.';
COMMENT ON COLUMN "internal"."destination_listings"."listed" IS 'Periods in which the whitelist certainly held the entry or the address for this asset and network.';
COMMENT ON COLUMN "internal"."destination_listings"."unlisted" IS 'Periods in which it certainly held neither.';
COMMENT ON COLUMN "internal"."destination_listings"."possible_elsewhere" IS 'Periods in which it may have held either for another asset or network.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_unclear" IS 'Periods in which it held either, but not certainly for the asset and network of the transaction.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_now" IS 'Whether the last reading showed it; null if unknown.';
--> statement-breakpoint
-- A withdrawal was made between two readings of the transactions. It counts as whitelisted, or not, if that is certain for all that time.
CREATE VIEW "reporting"."destination_uses" AS
SELECT t.account_id, t.transaction_id, t.first_seen_after, t.first_seen_at, t.status, t.status = 'completed' AS is_completed,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount, w.is_whitelisted,
	CASE
		WHEN w.is_whitelisted THEN 'listed'
		WHEN NOT w.is_whitelisted AND l.possible_elsewhere && u.used THEN 'listed for another asset or network'
		WHEN NOT w.is_whitelisted THEN 'not listed'
		WHEN l.first_read_at IS NULL AND d.error_code = 'ERR-02' THEN 'unknown: the key may not read the whitelist'
		WHEN l.first_read_at IS NULL THEN 'unknown: the whitelist was never read'
		WHEN l.listed_unclear @> u.used THEN 'unknown: asset, network or address are given in another form'
		WHEN t.first_seen_after IS NULL OR t.first_seen_after < l.first_read_at
			THEN 'unknown: before the whitelist was first read'
		WHEN t.first_seen_at > l.last_read_after THEN 'unknown: the whitelist was not read since'
		ELSE 'unknown: the whitelist changed between two readings'
	END AS whitelist_reason,
	l.listed @> k.before_at AS whitelisted_before, k.before_at AS known_before_at,
	l.listed @> k.after_at AS whitelisted_after, k.after_at AS known_after_at,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.accounts a
LEFT JOIN LATERAL (
	SELECT r.error_code FROM sync.runs r
	WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.status <> 'running'
	ORDER BY r.started_at DESC LIMIT 1
) AS d ON true
JOIN custody.transactions t ON t.account_id = a.account_id AND t.transaction_type = 'withdraw'
CROSS JOIN LATERAL (
	SELECT l.* FROM internal.destination_listings l
	WHERE l.account_id = t.account_id AND l.transaction_id = t.transaction_id OFFSET 0
) AS l
CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN l.listed @> u.used THEN true WHEN l.unlisted @> u.used THEN false END AS is_whitelisted
) AS w
CROSS JOIN LATERAL (
	SELECT CASE WHEN t.first_seen_after IS NOT NULL
			THEN upper((l.listed + l.unlisted) * tstzmultirange(tstzrange(NULL, t.first_seen_after, '[]'))) END AS before_at,
		lower((l.listed + l.unlisted) * tstzmultirange(tstzrange(t.first_seen_at, NULL, '[]'))) AS after_at
) AS k;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, and whether their destination was whitelisted when they were made, as far as the readings of both lists prove it.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_completed" IS 'Whether the status is completed.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_id" IS 'Identifier of the destination; of the whitelist entry if destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destination_uses"."amount" IS 'Amount in units of the asset: exact, without padding zeros. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null if unknown: see whitelist_reason. Never count null as true.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'Reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why. The first that applies, in the order of docs/data.md.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_before" IS 'Whether it was whitelisted at known_before_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_before_at" IS 'The last moment before the withdrawal for which that is certain; null if there is none.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_after" IS 'Whether it was whitelisted at known_after_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_after_at" IS 'The first moment after the withdrawal for which that is certain; null if there is none yet.';
--> statement-breakpoint
-- Reads every withdrawal of the account: sums that triggers keep would be wrong where none fired. For most destinations all uses were
-- listed, or none: the sums are enough. For the others, and for the first and the last use, withdrawals are read by index.
CREATE VIEW "reporting"."destinations" AS
SELECT s.account_id, s.destination_type, s.destination_id, m.destination_name, s.destination_address,
	s.asset_id, m.asset_name, s.network_id, s.uses, s.completed_uses,
	CASE WHEN s.unknown_amounts = 0 THEN trim_scale(s.completed_amount) END AS completed_amount, s.missing_uses,
	CASE WHEN l.first_read_at IS NOT NULL THEN c.non_whitelisted END AS non_whitelisted_uses,
	c.unknown AS unknown_whitelist_uses,
	s.first_used_at, f.transaction_id AS first_transaction_id, s.last_used_at, m.transaction_id AS last_transaction_id,
	CASE WHEN l.listed @> f.used THEN true WHEN l.unlisted @> f.used THEN false END AS whitelisted_at_first_use,
	l.listed_now AS whitelisted_now
FROM (
	SELECT t.account_id, t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id,
		count(*) AS uses, count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
		coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
		count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL) AS unknown_amounts,
		count(t.missing_since) AS missing_uses,
		count(*) FILTER (WHERE t.first_seen_after IS NULL) AS unbounded_uses, min(t.first_seen_after) AS bounded_after,
		min(t.first_seen_at) AS first_used_at, max(t.first_seen_at) AS last_used_at
	FROM custody.transactions t
	WHERE t.transaction_type = 'withdraw'
	GROUP BY 1, 2, 3, 4, 5, 6
) AS s
CROSS JOIN LATERAL (
	SELECT custody.destination_key(s.destination_type, s.destination_id, s.destination_address, s.asset_id, s.network_id)
		AS destination_key OFFSET 0
) AS k
CROSS JOIN LATERAL (
	SELECT t.transaction_id, tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at = s.first_used_at
		AND custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
			= k.destination_key
	ORDER BY t.transaction_id COLLATE "C" LIMIT 1
) AS f
CROSS JOIN LATERAL (
	SELECT t.transaction_id, t.destination_name, t.asset_name FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at = s.last_used_at
		AND custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
			= k.destination_key
	ORDER BY t.transaction_id COLLATE "C" DESC LIMIT 1
) AS m
CROSS JOIN LATERAL (
	SELECT l.* FROM internal.destination_listings l
	WHERE l.account_id = s.account_id AND l.transaction_id = m.transaction_id OFFSET 0
) AS l
CROSS JOIN LATERAL (
	SELECT s.uses - s.unbounded_uses AS bounded, tstzrange(s.bounded_after, s.last_used_at, '[]') AS used
) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN u.bounded = 0 OR l.listed @> u.used THEN 0 WHEN l.unlisted @> u.used THEN u.bounded END AS non_whitelisted
) AS n
CROSS JOIN LATERAL (
	SELECT n.non_whitelisted, s.unbounded_uses AS unknown WHERE n.non_whitelisted IS NOT NULL
	UNION ALL
	SELECT count(*) FILTER (WHERE l.unlisted @> w.used), count(*) FILTER (WHERE NOT (l.listed @> w.used OR l.unlisted @> w.used))
	FROM custody.transactions t
	CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS w
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
		AND n.non_whitelisted IS NULL
	HAVING n.non_whitelisted IS NULL
) AS c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destinations" IS 'Payees: withdrawals summed up by destination and asset, as of now. Every withdrawal counts as a use from when the mirror first saw it, whatever its status.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; of the whitelist entry if destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, from the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, from the last withdrawal.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."non_whitelisted_uses" IS 'Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses.';
COMMENT ON COLUMN "reporting"."destinations"."unknown_whitelist_uses" IS 'Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it; for withdrawals older than the mirror, the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; the lowest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; the highest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether it was whitelisted when the first withdrawal was made; null if unknown.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the last reading of the whitelist showed it; null if unknown.';
--> statement-breakpoint
CREATE VIEW "reporting"."destinations_daily" AS
SELECT c.account_id, c.day, d.destination_type, d.destination_id, d.destination_name, d.destination_address, d.asset_id, d.asset_name,
	d.network_id, d.uses, d.completed_uses, d.completed_amount
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT t.destination_type, t.destination_id, max(t.destination_name) AS destination_name, t.destination_address,
		t.asset_id, max(t.asset_name) AS asset_name, t.network_id, count(*) AS uses,
		count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
		CASE WHEN NOT coalesce(bool_or(t.status = 'completed' AND t.amount IS NULL), false)
			THEN trim_scale(coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0)) END AS completed_amount
	FROM custody.transactions t
	WHERE t.account_id = c.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at >= c.starts_at AND t.first_seen_at < c.ends_at
	GROUP BY t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destinations_daily" IS 'Withdrawals by the day on which they were first seen, by destination and asset.';
COMMENT ON COLUMN "reporting"."destinations_daily"."completed_amount" IS 'Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.';
--> statement-breakpoint
CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
	f.transactions, trim_scale(f.fee) AS fee, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
		count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND r.total_fee_factor <> 0 AND s.fee <> 0
	GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees paid by the account, by day, fee asset, asset of the transaction and type, as known now. A transaction counts if accounting_rules charge a fee for its status, on the day on which that status was first seen. Fees of null or 0 are left out. For past knowledge, see fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Number of transactions with a fee other than 0.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees, in units of fee_asset_id.';
--> statement-breakpoint
-- Like reporting.fees_daily, from the transactions and rules known at a moment.
CREATE FUNCTION "reporting"."fees_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, fee_asset_id text, fee_asset_is_assumed boolean, asset_id text, asset_name text, network_id text,
	transaction_type text, transactions bigint, fee numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
		f.transactions, trim_scale(f.fee), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
			count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND r.total_fee_factor <> 0 AND s.fee <> 0
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. The asset of a fee follows the rules of custody.fee_rules known then.';
--> statement-breakpoint
CREATE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) FILTER (WHERE r.direction = 'in') AS deposits,
		CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
		count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
		CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND s.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY s.asset_id, s.network_id
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."flows_daily" IS 'Inflows and outflows by day and asset, as known now: completed deposits and withdrawals, on the day on which each was first seen as completed. Fees are not included: see fees_daily. A day without flows has no row. For what was reported when a day was over, see flows_daily_at and late_corrections.';
COMMENT ON COLUMN "reporting"."flows_daily"."deposits" IS 'Number of completed deposits.';
COMMENT ON COLUMN "reporting"."flows_daily"."in_amount" IS 'Sum of their amounts; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."withdrawals" IS 'Number of completed withdrawals.';
COMMENT ON COLUMN "reporting"."flows_daily"."out_amount" IS 'Sum of their amounts, without fees; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."net_amount" IS 'in_amount - out_amount; null if either is null.';
--> statement-breakpoint
-- Like reporting.flows_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."flows_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, asset_id text, asset_name text, network_id text, deposits bigint, in_amount numeric,
	withdrawals bigint, out_amount numeric, net_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount),
		f.withdrawals, trim_scale(f.out_amount), trim_scale(f.in_amount - f.out_amount), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) FILTER (WHERE r.direction = 'in') AS deposits,
			CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
			count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
			CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.status = 'completed' AND r.direction IN ('in', 'out')
				AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.asset_id, s.network_id
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. Compare it with flows_daily to see later corrections of a past day.';
--> statement-breakpoint
-- Compares the figures of a day as known when it ended with those known now, transaction by transaction: a transaction is a cause of the
-- difference if its contribution differs. The asset of a fee also depends on the rules known then: a period of answers has a row for
-- each.
CREATE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after,
	f.reason, NULL::text AS currency, NULL::text AS vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT t.measure, t.transaction_type, t.asset_id, t.network_id,
		CASE WHEN sum(t.unknown_then) = 0 THEN sum(t.value_then) END AS as_reported,
		CASE WHEN sum(t.unknown_now) = 0 THEN sum(t.value_now) END AS as_known_now,
		count(*) FILTER (WHERE d.differs) AS transactions, max(t.changed_at) FILTER (WHERE d.differs) AS corrected_at,
		concat_ws(', ', CASE WHEN bool_or(d.differs AND t.by_answer) THEN 'answer' END,
			CASE WHEN bool_or(d.differs AND t.by_rule) THEN 'fee rule' END) AS reason
	FROM (
		-- Contribution of each transaction to the figure at the end of the day and now, and why they differ.
		SELECT e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id,
			coalesce(sum(e.value) FILTER (WHERE NOT e.is_late), 0) AS value_then, sum(e.value) AS value_now,
			coalesce(sum(e.unknown) FILTER (WHERE NOT e.is_late), 0) AS unknown_then, sum(e.unknown) AS unknown_now,
			max(e.at) AS changed_at, bool_or(e.is_late AND e.is_answer) AS by_answer, bool_or(e.is_late AND NOT e.is_answer) AS by_rule
		FROM (
			-- A period of knowledge adds its value when it begins and subtracts it when it ends: if a moment adds as much as it subtracts,
			-- something else was corrected.
			SELECT s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at, b.at >= c.ends_at AS is_late,
				sum(b.sign * coalesce(m.value, 0)) AS value, coalesce(sum(b.sign) FILTER (WHERE m.value IS NULL), 0) AS unknown,
				bool_or(b.is_answer) AS is_answer
			FROM internal.known_settlements s
			LEFT JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
			CROSS JOIN LATERAL (
				SELECT g.measure, s.asset_id, g.value, s.span_from AS known_from, s.span_until AS known_until
				FROM (
					SELECT 'in_amount' AS measure, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
					UNION ALL
					SELECT 'out_amount', s.amount WHERE s.status = 'completed' AND r.direction = 'out'
					UNION ALL
					SELECT CASE s.status WHEN 'completed' THEN 'completed_amount' ELSE 'unsuccessful_amount' END, s.amount
					UNION ALL
					SELECT s.status, 1
				) AS g
				WHERE s.known_from = s.span_from
				UNION ALL
				SELECT 'fee', s.fee_asset_id, s.fee, s.known_from, s.known_until WHERE r.total_fee_factor <> 0 AND s.fee <> 0
			) AS m
			CROSS JOIN LATERAL (
				VALUES (1, m.known_from, m.known_from = s.span_from), (-1, m.known_until, m.known_until IS NOT DISTINCT FROM s.span_until)
			) AS b (sign, at, is_answer)
			WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND b.at IS NOT NULL
			GROUP BY s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at
			HAVING sum(b.sign * coalesce(m.value, 0)) <> 0 OR sum(b.sign) FILTER (WHERE m.value IS NULL) <> 0
		) AS e
		GROUP BY e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id
	) AS t
	CROSS JOIN LATERAL (
		SELECT (t.unknown_then, t.value_then) IS DISTINCT FROM (t.unknown_now, t.value_now) AS differs
	) AS d
	GROUP BY t.measure, t.transaction_type, t.asset_id, t.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now
UNION ALL
-- The value of the last balances of a day: balances stay, but a price may be stated, replaced or removed later.
SELECT c.account_id, c.day, 'portfolio_value', NULL, NULL, NULL, trim_scale(f.as_reported), trim_scale(f.as_known_now),
	trim_scale(f.as_known_now - f.as_reported), 0, f.corrected_at, f.corrected_at - c.ends_at, 'price', f.currency, f.vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.currency, v.vault_type, coalesce(sum(b.total_balance * w.price), 0) AS as_reported,
		coalesce(sum(b.total_balance * n.price), 0) AS as_known_now,
		-- From when the current price counts: it was stated then, or a later one that counted before was replaced or removed.
		max(CASE WHEN b.total_balance * w.price IS DISTINCT FROM b.total_balance * n.price THEN greatest(n.known_from, (
			SELECT max(q.known_until) FROM custody.former_prices q
			WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency
				AND q.as_of >= coalesce(n.as_of, '-infinity') AND q.as_of < c.ends_at
		)) END) AS corrected_at
	FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, c.ends_at - interval '1 microsecond') AS w ON true
	LEFT JOIN LATERAL (
		SELECT q.price, q.as_of, q.known_from FROM custody.asset_prices q
		WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency AND q.as_of < c.ends_at
		ORDER BY q.as_of DESC LIMIT 1
	) AS n ON true
	GROUP BY m.currency, v.vault_type
) AS f
WHERE c.ends_at <= now() AND f.as_reported <> f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'Figures of a day that differ now from those known at its end: one row per day, figure, type, asset and network; for the value, per day, currency and vault type. Shows every later correction, by the service, a fee rule or a price, with its reason.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE) on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; portfolio_value for total_value of portfolio_value_daily.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset, null for the value; for the measure fee, the asset in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null if an amount was unknown then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null if an amount is unknown.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null if either is null.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions contribute differently to the figure now than at the end of the day: settlement_history shows each. 0 for the value.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When the contribution of one of these transactions was last seen to change; for the value, when one of its prices last changed.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'Time from the end of the day to corrected_at.';
COMMENT ON COLUMN "reporting"."late_corrections"."reason" IS 'Cause of the difference: answer (the service showed something else later), fee rule (custody.fee_rules was changed), price (custody.asset_prices was changed); several are separated by commas.';
COMMENT ON COLUMN "reporting"."late_corrections"."currency" IS 'For the value: currency of the prices; else null.';
COMMENT ON COLUMN "reporting"."late_corrections"."vault_type" IS 'For the value: all, warm or cold; else null.';
--> statement-breakpoint
-- Completed deposits and withdrawals with their value. The history is read first, as in settlements, so that a day reads only its own
-- rows. The counterparty is looked up only for rows that are returned: not for a sum, and after a limit.
CREATE VIEW "reporting"."movement_values" AS
SELECT s.account_id, s.transaction_id, s.settled_at, r.direction, s.transaction_type, s.asset_id, s.asset_name, s.network_id,
	trim_scale(s.amount) AS amount, p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of,
	trim_scale(s.amount * p.price) AS value,
	(SELECT q.counterparty_name FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	(SELECT q.counterparty_address FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	s.missing_since
FROM internal.settlements s
JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
JOIN internal.present_currencies c ON c.account_id = s.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = s.account_id AND q.asset_id = s.asset_id AND q.currency = c.currency AND q.as_of <= s.settled_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p
WHERE s.status = 'completed' AND r.direction IN ('in', 'out') AND s.amount IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."movement_values" IS 'Completed deposits and withdrawals, valued at the latest price in custody.asset_prices when they were completed. Only those with an amount and a price have a row: a missing one is not worthless.';
COMMENT ON COLUMN "reporting"."movement_values"."settled_at" IS 'When the mirror first saw it completed. Those completed before the mirror began are left out.';
COMMENT ON COLUMN "reporting"."movement_values"."direction" IS 'in (deposit) or out (withdraw).';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_type" IS 'deposit or withdraw.';
COMMENT ON COLUMN "reporting"."movement_values"."amount" IS 'Amount in units of the asset, without fees: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."movement_values"."price" IS 'Latest price of one unit of the asset when it was completed, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."value" IS 'Amount times price, exact: round it as the currency requires.';
--> statement-breakpoint
-- The effect of an observed correction of an amount, a fee, a type or an asset on the balances, given the status of the transaction:
-- earlier postings stay, and the difference is posted when it is seen. One row per asset that it changes.
CREATE VIEW "internal"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	CASE WHEN sum(l.fee) <> 0 THEN bool_or(l.fee_asset_is_assumed) END AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before the correction. A status seen in the same answer is posted after it.
CROSS JOIN LATERAL (
	SELECT q.to_status, max(q.observed_after) OVER () AS observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = r.account_id AND q.transaction_id = r.transaction_id AND q.observed_at < r.observed_at
		AND reporting.is_documented_status(q.to_status)
	ORDER BY q.sequence DESC LIMIT 1
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_from = r.observed_at OFFSET 0
) AS n
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_until = r.observed_at OFFSET 0
) AS o
CROSS JOIN LATERAL (
	SELECT f.sign, f.asset_id, f.asset_name, f.amount, coalesce(f.fee, 0) AS fee, u.*,
		coalesce(fr.asset_id, f.asset_id) AS fee_asset_id, fr.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN LATERAL (
		SELECT q.asset_id FROM internal.fee_rule_history q
		WHERE q.account_id = r.account_id AND q.network_id = f.network_id AND (q.transaction_type = f.transaction_type OR q.transaction_type IS NULL)
			AND q.known_from <= r.observed_at AND (q.known_until IS NULL OR q.known_until > r.observed_at)
		ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
	) AS fr ON true
) AS p
CROSS JOIN LATERAL (SELECT p.fee_asset_id IS NOT DISTINCT FROM p.asset_id AS in_same_asset) AS m
-- Fields that the correction did not change produce no line; otherwise an amount that was never known would make another sum unknown.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN m.in_same_asset THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN m.in_same_asset THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_corrections" IS 'Effect of each observed correction of a transaction on the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_corrections"."revision" IS 'Number of the correction among the revisions of the transaction; null for a change of status.';
--> statement-breakpoint
-- The effect of each observed change of status on the balances, with the amount and the fee as known then. An undocumented status
-- leaves the balances as the last documented one left them.
CREATE VIEW "internal"."posted_statuses" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_after, h.observed_at, v.transaction_type, h.from_status, h.to_status,
	l.asset_id, l.asset_name, v.network_id,
	CASE WHEN d.direction = 'in' THEN l.total ELSE 0 END AS inflow, CASE WHEN d.direction = 'out' THEN -l.total ELSE 0 END AS outflow,
	l.fee, l.staked AS staked_change, l.fee_asset_is_assumed
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index, as in transaction_timeline.
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND c.known_from <= h.observed_at AND (c.known_until IS NULL OR c.known_until > h.observed_at) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT CASE WHEN h.from_status IS NULL OR reporting.is_documented_status(h.from_status) THEN h.from_status ELSE (
		SELECT q.to_status FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND reporting.is_documented_status(q.to_status)
		ORDER BY q.sequence DESC LIMIT 1
	) END AS status_before
) AS b
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = v.transaction_type AND before.status = b.status_before
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = v.transaction_type
	AND after.status = CASE WHEN reporting.is_documented_status(h.to_status) THEN h.to_status ELSE b.status_before END
-- The rule known when the change was seen, so that a line never changes.
LEFT JOIN LATERAL (
	SELECT q.asset_id FROM internal.fee_rule_history q
	WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
		AND q.known_from <= h.observed_at AND (q.known_until IS NULL OR q.known_until > h.observed_at)
	ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
) AS fr ON true
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fr.asset_id IS NULL AS is_assumed, coalesce(fr.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- A factor of 0 gives 0 even if the amount is unknown; any other factor then gives unknown.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee in another asset has its own line, and does not reduce the staked balance.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- Transactions found by the first sweep are older; the first balances include them.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_statuses" IS 'Effect of each observed change of status on the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_statuses"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.';
--> statement-breakpoint
-- The effect of each observed change on the balances: the lines of the reconciliation. A line never changes.
CREATE VIEW "reporting"."postings" AS
SELECT p.account_id, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type,
	p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, trim_scale(p.inflow) AS inflow, trim_scale(p.outflow) AS outflow,
	trim_scale(p.fee) AS fee, trim_scale(p.inflow - p.outflow - p.fee) AS total_change, trim_scale(p.staked_change) AS staked_change,
	p.fee_asset_is_assumed
FROM (
	SELECT account_id, transaction_id, 'status' AS kind, sequence, NULL::integer AS revision, observed_after, observed_at,
		transaction_type, from_status, to_status, asset_id, asset_name, network_id, inflow, outflow, fee, staked_change,
		fee_asset_is_assumed
	FROM internal.posted_statuses
	UNION ALL
	SELECT account_id, transaction_id, 'correction', NULL, revision, observed_after, observed_at, transaction_type, to_status, to_status,
		asset_id, asset_name, network_id, inflow, outflow, fee, staked_change, fee_asset_is_assumed
	FROM internal.posted_corrections
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."postings" IS 'Effect of each observed change of a transaction on the total balance of an asset, by accounting_rules: one row per change and asset. A change of status always has a row in the asset of the transaction, a correction only in assets whose figures it changes. Amounts, fees and fee rules are those known at observed_at. A later correction adds a row with the difference; earlier rows never change, so the rows observed up to a moment are what was known then. Changes older than the mirror are not posted: the first balances include them.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet. A correction has no bound of its own and takes that of the last documented status before it, or of an earlier one if that is later. Null if unknown.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Previous status; null at the first sighting. For a correction, the same as to_status.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row, if it moved.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True if custody.fee_rules had no rule for the fee when the change was seen, so fee_asset_id is an assumption. Null for a correction that changes no fee.';
--> statement-breakpoint
-- Day by day: all at once, the postings of the whole history would be computed and sorted for the first page.
CREATE FUNCTION "reporting"."postings_of_days"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	day date, transaction_id text, kind text, sequence integer, revision integer, observed_after timestamptz, observed_at timestamptz,
	transaction_type text, from_status text, to_status text, asset_id text, asset_name text, network_id text, inflow numeric,
	outflow numeric, fee numeric, total_change numeric, staked_change numeric, fee_asset_is_assumed boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.day, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status,
		p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change, p.fee_asset_is_assumed
	FROM reporting.calendar c CROSS JOIN LATERAL (
		SELECT q.* FROM reporting.postings q
		WHERE q.account_id = "account" AND q.observed_at >= greatest(c.starts_at, coalesce("since", '-infinity'))
			AND q.observed_at < least(c.ends_at, coalesce("until", 'infinity'))
		OFFSET 0
	) AS p
	WHERE c.account_id = "account" AND c.ends_at > coalesce("since", '-infinity') AND c.starts_at < coalesce("until", 'infinity');
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."postings_of_days"(text, timestamptz, timestamptz) IS 'The postings of an account with the calendar day of observed_at, from a moment on and before another; null for no bound.';
--> statement-breakpoint
-- The day of the account is that of UTC or a neighbour, so few days of the calendar are computed.
CREATE FUNCTION "reporting"."postings_of_transaction"("account" text, "transaction" text) RETURNS TABLE (
	day date, transaction_id text, kind text, sequence integer, revision integer, observed_after timestamptz, observed_at timestamptz,
	transaction_type text, from_status text, to_status text, asset_id text, asset_name text, network_id text, inflow numeric,
	outflow numeric, fee numeric, total_change numeric, staked_change numeric, fee_asset_is_assumed boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.day, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status,
		p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change, p.fee_asset_is_assumed
	FROM reporting.postings p
	CROSS JOIN LATERAL (SELECT (p.observed_at AT TIME ZONE 'UTC')::date AS utc_day) AS d
	JOIN reporting.calendar c ON c.account_id = p.account_id AND c.day BETWEEN d.utc_day - 1 AND d.utc_day + 1
		AND p.observed_at >= c.starts_at AND p.observed_at < c.ends_at
	WHERE p.account_id = "account" AND p.transaction_id = "transaction";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."postings_of_transaction"(text, text) IS 'The postings of one transaction with the calendar day of observed_at.';
--> statement-breakpoint
-- Staked and claimable balances also grow by rewards, for which there is no transaction: staked_rest is the change without
-- transactions. A flow counts up to the arrival of an observation's last answer, so that consecutive spans miss none.
CREATE FUNCTION "reporting"."reconciliation_between"("account" text, "opened" timestamptz, "closed" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, opening_balance numeric, inflow numeric, outflow numeric, fees numeric, closing_balance numeric,
	difference numeric, staked_rest numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT f.asset_id, f.asset_name, f.opening_total, f.inflow, f.outflow, f.fee, f.closing_total,
		f.closing_total - f.opening_total - f.inflow + f.outflow + f.fee, f.staked_rest
	FROM custody.balance_snapshots e
	LEFT JOIN custody.balance_snapshots o ON o.account_id = e.account_id AND o.vault_type = 'all' AND o.snapshot_at = "opened"
	CROSS JOIN LATERAL (
		SELECT q.asset_id, max(q.asset_name) AS asset_name,
			-- An unlisted asset has balance 0, unless it may be an unidentified record; one listed without a figure is unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'opening' AND q.total IS NULL)
					AND (o.unidentified_count = 0 OR bool_or(q.part = 'opening'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'opening'), 0) END AS opening_total,
			CASE WHEN NOT bool_or(q.part = 'closing' AND q.total IS NULL) AND (e.unidentified_count = 0 OR bool_or(q.part = 'closing'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'closing'), 0) END AS closing_total,
			-- Without an opening there is no time span; a posting with an unknown amount makes the sum unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.inflow IS NULL)
				THEN coalesce(sum(q.inflow), 0) END AS inflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.outflow IS NULL)
				THEN coalesce(sum(q.outflow), 0) END AS outflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.fee IS NULL)
				THEN coalesce(sum(q.fee), 0) END AS fee,
			-- A part that only one of the two observations shows is unknown in the other.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.staked_change IS NULL)
					AND bool_and(q.is_known)
					AND count(q.staking) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
					AND count(q.claimable) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
				THEN coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'closing'), 0)
					- coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'opening'), 0)
					- coalesce(sum(q.staked_change), 0) END AS staked_rest
		FROM (
			SELECT 'opening' AS part, b.asset_id, b.asset_name, b.total_balance AS total, b.is_known,
				b.staking_balance AS staking, b.claimable_balance AS claimable, NULL::numeric AS staked_change,
				NULL::numeric AS inflow, NULL::numeric AS outflow, NULL::numeric AS fee
			FROM reporting.balances_shown("account", 'all', o.snapshot_at) AS b
			UNION ALL
			SELECT 'closing', b.asset_id, b.asset_name, b.total_balance, b.is_known, b.staking_balance, b.claimable_balance,
				NULL, NULL, NULL, NULL
			FROM reporting.balances_shown("account", 'all', e.snapshot_at) AS b
			UNION ALL
			SELECT 'posting', p.asset_id, p.asset_name, NULL, true, NULL, NULL, p.staked_change, p.inflow, p.outflow, p.fee
			FROM reporting.postings p
			WHERE p.account_id = "account" AND p.observed_at > o.answered_at AND p.observed_at <= e.answered_at
		) AS q
		GROUP BY q.asset_id
	) AS f
	WHERE e.account_id = "account" AND e.vault_type = 'all' AND e.snapshot_at = "closed";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."reconciliation_between"(text, timestamptz, timestamptz) IS 'Do the flows explain the balances between two observations of all vaults, given by account and snapshot_at? One row per asset. difference: closing - opening - inflow + outflow + fees. staked_rest: change of the staked and claimable balances that no transaction explains. The balance is explained if the two are equal and not negative. Null means unknown.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."reconciliation_of_span"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, opening_observed_at timestamptz, opening_answered_at timestamptz, opening_balance numeric,
	inflow numeric, outflow numeric, fees numeric, closing_balance numeric, closing_observed_at timestamptz,
	closing_answered_at timestamptz, difference numeric, staked_rest numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT q.asset_id, q.asset_name, o.snapshot_at, o.answered_at, trim_scale(q.opening_balance), trim_scale(q.inflow),
		trim_scale(q.outflow), trim_scale(q.fees), trim_scale(q.closing_balance), e.snapshot_at, e.answered_at, trim_scale(q.difference),
		trim_scale(q.staked_rest)
	FROM (
		SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at <= coalesce("until", 'infinity')
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS e
	LEFT JOIN LATERAL (
		SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at <= coalesce("since", 'infinity')
			AND s.snapshot_at < e.snapshot_at
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS o ON true
	CROSS JOIN LATERAL reporting.reconciliation_between("account", o.snapshot_at, e.snapshot_at) AS q;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."reconciliation_of_span"(text, timestamptz, timestamptz) IS 'Whether transactions explain the balances between two observations of all vaults, by asset: the last ones that began by the two moments. Without moments, between the last two observations.';
--> statement-breakpoint
-- The observations are those of reconciliation_daily.
CREATE VIEW "reporting"."reconciliation_postings" AS
SELECT c.account_id, c.day, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind, coalesce(p.sequence, p.revision) AS number,
	p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee, p.total_change,
	p.staked_change, p.fee_asset_is_assumed
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o
CROSS JOIN LATERAL (
	SELECT w.* FROM reporting.postings w
	WHERE w.account_id = c.account_id AND w.observed_at > o.answered_at AND w.observed_at <= e.answered_at OFFSET 0
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_postings" IS 'Postings behind each day of reconciliation_daily: those seen after its opening observation, and not after its closing one. Their sums are its inflow, outflow and fees.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. Null for a correction that changes no fee.';
--> statement-breakpoint
-- A change happened between two readings of the transactions; a balance is of a moment between the request and the answer of its
-- observation. Where these spans overlap, the balance may or may not include the change.
CREATE FUNCTION "reporting"."uncertain_lines"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	transaction_id text, kind text, number integer, observed_after timestamptz, observed_at timestamptz, transaction_type text,
	from_status text, to_status text, asset_id text, asset_name text, network_id text,
	inflow numeric, outflow numeric, fee numeric, total_change numeric, staked_change numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT p.transaction_id, p.kind, coalesce(p.sequence, p.revision), p.observed_after, p.observed_at, p.transaction_type,
		p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change
	FROM custody.balance_snapshots s
	-- The next observation: a first sighting without a lower bound counts as younger than the last observation but one, and changes seen
	-- more than a week after the next one do not count, so that an observation need not read everything after it.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	-- Reads for one observation by the index of observed_at; a join would first compute the postings of the whole history.
	CROSS JOIN LATERAL (
		SELECT w.* FROM reporting.postings w
		WHERE w.account_id = s.account_id AND w.observed_at > s.asked_at AND w.observed_at <= coalesce(least("until", n.answered_at + interval '7 days'), 'infinity')
			AND (w.observed_at <= s.answered_at OR w.observed_after < s.answered_at
				OR w.observed_after IS NULL AND w.observed_at <= coalesce(n.answered_at, 'infinity'))
			AND (w.total_change IS DISTINCT FROM 0 OR w.staked_change IS DISTINCT FROM 0)
		OFFSET 0
	) AS p
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_lines"(text, timestamptz, timestamptz) IS 'Postings that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment and at most a week after the next observation: each change may have come before the figures were read or after. number: the sequence or the revision of the posting.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."uncertain_postings"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, transactions bigint, moved numeric, unstaked_moved numeric, staked_moved numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	-- A sum is unknown if one of its amounts is.
	SELECT p.asset_id, count(DISTINCT p.transaction_id),
		CASE WHEN NOT bool_or(p.total_change IS NULL) THEN sum(abs(p.total_change)) END,
		CASE WHEN NOT bool_or(p.total_change IS NULL OR p.staked_change IS NULL)
			THEN sum(abs(p.total_change - p.staked_change)) END,
		CASE WHEN NOT bool_or(p.staked_change IS NULL) THEN sum(abs(p.staked_change)) END
	FROM reporting.uncertain_lines("account", "observed", "until") AS p
	GROUP BY p.asset_id;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'Sums over the transactions that may lie on either side of an observation of all vaults (account, snapshot_at), among those of uncertain_lines: each change may have come before the figures were read or after. One row per asset: the number of transactions, and the sums of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null if an amount is unknown.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."balance_split"("account" text, "in_currency" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, network_name text, all_total numeric, warm_total numeric, cold_total numeric,
	all_is_known boolean, warm_is_known boolean, cold_is_known boolean, available_balance numeric, processing_balance numeric,
	staking_balance numeric, claimable_balance numeric, unchanged_since timestamptz, last_known_at timestamptz, observed_at timestamptz,
	currency text, price numeric, price_as_of timestamptz, total_value numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT s.asset_id, s.asset_name, s.network_id, s.network_name, s.all_total, s.warm_total, s.cold_total, s.all_is_known,
		s.warm_is_known, s.cold_is_known, s.available_balance, s.processing_balance, s.staking_balance, s.claimable_balance,
		s.unchanged_since, s.last_known_at, s.observed_at, "in_currency", p.price, p.as_of, trim_scale(s.all_total * p.price)
	FROM (
		SELECT b.asset_id, max(b.asset_name) AS asset_name, b.network_id, max(b.network_name) AS network_name,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'all') AS all_total,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'warm') AS warm_total,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'cold') AS cold_total,
			-- Null only where an observation showed that there is no such balance: not where there is none of these vaults, and not where
			-- it may be a record that could not be identified.
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'all'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'all', "at", "on_day") o
			) IS TRUE, true)) AS all_is_known,
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'warm'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'warm', "at", "on_day") o
			) IS TRUE, true)) AS warm_is_known,
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'cold'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'cold', "at", "on_day") o
			) IS TRUE, true)) AS cold_is_known,
			max(b.available_balance) FILTER (WHERE b.vault_type = 'all') AS available_balance,
			max(b.processing_balance) FILTER (WHERE b.vault_type = 'all') AS processing_balance,
			max(b.staking_balance) FILTER (WHERE b.vault_type = 'all') AS staking_balance,
			max(b.claimable_balance) FILTER (WHERE b.vault_type = 'all') AS claimable_balance,
			max(b.unchanged_since) FILTER (WHERE b.vault_type = 'all') AS unchanged_since,
			max(b.last_known_at) FILTER (WHERE b.vault_type = 'all') AS last_known_at,
			max(b.observed_at) FILTER (WHERE b.vault_type = 'all') AS observed_at, max(b.priced_before) AS priced_before
		FROM reporting.balances_held("account", "at", "on_day") b
		GROUP BY b.asset_id, b.network_id
	) AS s
	LEFT JOIN LATERAL reporting.price_known("account", s.asset_id, "in_currency", s.priced_before, 'infinity') AS p ON true;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_split"(text, text, timestamptz, date) IS 'The balances of balances_held with those of all, warm and cold vaults side by side, and the value of all in one currency, if one is given: one row per asset and network. The parts are those of all vaults. A total is null if it is unknown (is_known is false) or not listed (is_known is null).';
--> statement-breakpoint
-- Not for BI tools, which know no arrays. More than 366 days would not fit into a small line, nor hundreds of rows into a small answer.
CREATE FUNCTION "custody"."balance_trends"("account" text, "since" date, "until" date) RETURNS TABLE (
	vault_type text, asset_id text, network_id text, from_day date, to_day date, days text[], totals text[]
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH span AS (
		SELECT greatest(coalesce("since", e.to_day - 29), e.to_day - 365) AS from_day, e.to_day
		FROM (SELECT coalesce("until", max(c.day)) AS to_day FROM reporting.calendar c WHERE c.account_id = "account") AS e
	)
	SELECT b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day,
		array_agg(to_char(b.day, 'YYYY-MM-DD') ORDER BY b.day), array_agg(b.total_balance::text ORDER BY b.day)
	FROM span s JOIN reporting.balances_daily b ON b.account_id = "account" AND b.day BETWEEN s.from_day AND s.to_day
	WHERE b.total_balance IS NOT NULL
	GROUP BY b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."balance_trends"(text, date, date) IS 'How much of each asset was held at the end of each day of a span, in one row for each asset: the days at whose end the balance was known, in order, and the totals. Without a first day 30 days, without a last one up to today, and at most 366.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values_daily" IS 'Last observed balances of each day, valued at the last price in custody.asset_prices before the day ended (today: until now). Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'Time from observed_at to the end of the day (today: to now).';
--> statement-breakpoint
CREATE FUNCTION "reporting"."balance_values_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, asset_id text, asset_name text, network_id text, network_name text, currency text, price numeric,
	price_as_of timestamptz, total_balance numeric, total_value numeric, is_known boolean, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, c.currency, p.price, p.as_of, b.total_balance,
		trim_scale(b.total_balance * p.price), b.is_known, b.observed_at
	FROM reporting.balances_held("account", "at", "on_day") b
	CROSS JOIN reporting.currencies_priced("account") c
	CROSS JOIN LATERAL reporting.price_known("account", b.asset_id, c.currency, b.priced_before, 'infinity') AS p;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_values_held"(text, timestamptz, date) IS 'The balances of balances_held, valued at the last price of custody.asset_prices by then. Only assets with a price have a row: a missing asset is not worthless.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."portfolio_value_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, currency text, total_value numeric, available_value numeric, processing_value numeric, staking_value numeric,
	claimable_value numeric, valued bigint, without_price bigint, unknown bigint, oldest_price_as_of timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, c.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		-- A part that was not sent is unknown, not zero.
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.available_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.available_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.processing_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.processing_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.staking_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.staking_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.claimable_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.claimable_balance * p.price), 0)) END,
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		greatest(count(*) FILTER (WHERE b.total_balance IS NULL),
			(SELECT s.unidentified_count FROM reporting.snapshot_held("account", b.vault_type, "at", "on_day") s)),
		min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL)
	FROM reporting.balances_held("account", "at", "on_day") b
	CROSS JOIN reporting.currencies_priced("account") c
	LEFT JOIN LATERAL reporting.price_known("account", b.asset_id, c.currency, b.priced_before, 'infinity') AS p ON true
	GROUP BY b.vault_type, c.currency;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."portfolio_value_held"(text, timestamptz, date) IS 'The total value of the balances of balances_held at the last prices of custody.asset_prices by then, and of their parts: one row per vault type and currency. It leaves out balances without a price and unknown ones: see without_price and unknown.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."destination_use_totals"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, uses bigint, completed_uses bigint, completed_amount numeric,
	non_whitelisted_uses bigint, non_whitelisted_amount numeric, unknown_whitelist_uses bigint, unknown_whitelist_amount numeric,
	missing_uses bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT u.asset_id, max(u.asset_name), u.network_id, count(*), count(*) FILTER (WHERE u.is_completed),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed), 0)) END,
		count(*) FILTER (WHERE NOT u.is_whitelisted),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL AND NOT u.is_whitelisted), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed AND NOT u.is_whitelisted), 0)) END,
		count(*) FILTER (WHERE u.is_whitelisted IS NULL),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL AND u.is_whitelisted IS NULL), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed AND u.is_whitelisted IS NULL), 0)) END,
		count(u.missing_since)
	FROM reporting.destination_uses u
	WHERE u.account_id = "account" AND u.first_seen_at >= coalesce("since", '-infinity')
		AND u.first_seen_at < coalesce("until", 'infinity')
	GROUP BY u.asset_id, u.network_id;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."destination_use_totals"(text, timestamptz, timestamptz) IS 'The withdrawals of destination_uses first seen from one moment on and before another, summed up by asset and network; null for no bound. Amounts are of completed withdrawals, null if one of them is unknown.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."fee_totals"("account" text, "first_day" date, "last_day" date) RETURNS TABLE (
	fee_asset_id text, fee_asset_is_assumed boolean, transactions bigint, fee numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT f.fee_asset_id, bool_or(f.fee_asset_is_assumed), sum(f.transactions)::bigint, trim_scale(sum(f.fee))
	FROM reporting.fees_daily f
	WHERE f.account_id = "account" AND f.day >= coalesce("first_day", '-infinity') AND f.day <= coalesce("last_day", 'infinity')
	GROUP BY f.fee_asset_id;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."fee_totals"(text, date, date) IS 'The fees of fees_daily over a span of days, both inclusive, by the asset in which they were paid; null for no bound. fee_asset_is_assumed is true if it is an assumption for some of them.';
--> statement-breakpoint
CREATE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_balance) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fees) AS fees,
	trim_scale(r.rewards) AS staking_rewards,
	trim_scale(f.opening_balance + f.inflow - f.outflow - f.fees + r.rewards) AS expected_balance,
	trim_scale(f.closing_balance) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.difference - r.rewards - r.timing) AS unexplained_difference,
	v.is_explained,
	coalesce(o.asked_at >= a.transactions_since, false) AS is_comparable,
	trim_scale(r.losses) AS staking_losses, trim_scale(r.timing) AS timing_difference,
	trim_scale(u.opening_moved) AS uncertain_at_opening, trim_scale(u.closing_moved) AS uncertain_at_closing
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
-- latest and earliest: limits of the search for an observation without uncertain transactions, three days beyond the next one, however
-- far that is after an outage. Beyond that a day stays undecided.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at, (
			SELECT min(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at > s.snapshot_at
		) + interval '3 days' AS latest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at, (
			SELECT max(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at < s.snapshot_at
		) - interval '3 days' AS earliest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o ON true
CROSS JOIN LATERAL (
	WITH found AS MATERIALIZED (
		SELECT q.*, q.difference = 0 AND q.staked_rest = 0 AS plain
		FROM reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS q
	), examined AS MATERIALIZED (
		-- The two observations, on a day on which an asset has a difference left to explain.
		SELECT CASE WHEN bool_or(NOT q.plain) THEN o.snapshot_at END AS opening, CASE WHEN bool_or(NOT q.plain) THEN e.snapshot_at END AS closing
		FROM found AS q
	-- Uncertain transactions are read once for all assets.
	), opening AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.opening, NULL) AS u
	), closing AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.closing, NULL) AS u
	)
	SELECT q.*, uo.transactions AS opening_transactions, uo.moved AS opening_moved, uo.unstaked_moved AS opening_unstaked,
		uo.staked_moved AS opening_staked, ue.transactions AS closing_transactions, ue.moved AS closing_moved,
		ue.unstaked_moved AS closing_unstaked, ue.staked_moved AS closing_staked
	FROM found AS q
	LEFT JOIN opening AS uo ON NOT q.plain AND uo.asset_id IS NOT DISTINCT FROM q.asset_id
	LEFT JOIN closing AS ue ON NOT q.plain AND ue.asset_id IS NOT DISTINCT FROM q.asset_id
) AS f
CROSS JOIN LATERAL (
	-- rest: the part of the difference outside of the staked balances.
	SELECT f.difference - f.staked_rest AS rest
) AS d
-- p and n: the nearest observations on either side without uncertain transactions. Between them, differences of timing add up to 0.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < CASE WHEN f.opening_transactions IS NOT NULL THEN o.snapshot_at END
		AND s.snapshot_at >= o.earliest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS earlier ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at > CASE WHEN f.closing_transactions IS NOT NULL THEN e.snapshot_at END
		AND s.snapshot_at <= e.latest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at LIMIT 1
) AS later ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.opening_transactions IS NULL THEN o.snapshot_at ELSE earlier.snapshot_at END END AS snapshot_at
) AS p
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.snapshot_at ELSE later.snapshot_at END END AS snapshot_at,
		CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.answered_at ELSE later.answered_at END END AS answered_at
) AS n
-- An asset that neither observation lists and no transaction moves has no row in it, and a rest of 0.
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, p.snapshot_at, CASE WHEN p.snapshot_at < o.snapshot_at THEN o.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS before ON true
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, e.snapshot_at, CASE WHEN n.snapshot_at > e.snapshot_at THEN n.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS after ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_moved WHEN f.plain IS NOT NULL THEN 0 END AS opening_moved,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_moved WHEN f.plain IS NOT NULL THEN 0 END AS closing_moved,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_unstaked ELSE 0 END AS opening_unstaked,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_unstaked ELSE 0 END AS closing_unstaked,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_staked ELSE 0 END
			+ CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_staked ELSE 0 END AS staked,
		CASE WHEN p.snapshot_at = o.snapshot_at THEN 0 WHEN before.has_row THEN before.rest
			WHEN p.snapshot_at IS NOT NULL THEN 0 END AS rest_before,
		CASE WHEN n.snapshot_at = e.snapshot_at THEN 0 WHEN after.has_row THEN after.rest
			WHEN n.snapshot_at IS NOT NULL THEN 0 END AS rest_after
) AS u
CROSS JOIN LATERAL (
	SELECT coalesce(d.rest = 0 OR u.rest_before + d.rest + u.rest_after = 0
		AND abs(u.rest_before) <= u.opening_unstaked AND abs(u.rest_after) <= u.closing_unstaked, false) AS by_timing
) AS t
CROSS JOIN LATERAL (
	-- gained: the gain from staking. If only stakings are uncertain, the total shows it, which stakings do not change.
	SELECT CASE WHEN u.staked = 0 THEN f.staked_rest
		WHEN t.by_timing AND u.opening_moved = 0 AND u.closing_moved = 0 THEN f.difference END AS gained
) AS g
CROSS JOIN LATERAL (
	SELECT greatest(g.gained, 0 * g.gained) AS rewards, greatest(-g.gained, 0 * g.gained) AS losses,
		CASE WHEN t.by_timing OR d.rest IS NULL OR g.gained IS NULL THEN f.difference - g.gained ELSE 0 END AS timing
) AS r
CROSS JOIN LATERAL (
	-- certainly: the difference is greater than all uncertain transactions can explain.
	SELECT g.gained < 0 OR f.difference < -(u.opening_moved + u.closing_moved) OR f.staked_rest < -u.staked
			OR abs(d.rest) > u.opening_unstaked + u.closing_unstaked AS certainly,
		-- standing: not caused by timing, which would show twice, in opposite directions.
		u.rest_before + d.rest + u.rest_after <> 0 AND u.rest_before * d.rest >= 0 AND u.rest_after * d.rest >= 0 AS standing
) AS x
CROSS JOIN LATERAL (
	-- An unknown amount of an uncertain transaction leaves only what depends on it undecided.
	SELECT CASE WHEN f.plain IS NULL OR f.plain THEN f.plain
		WHEN g.gained >= 0 AND t.by_timing THEN true
		-- The last run of each job, by the index of start times.
		WHEN (x.certainly OR x.standing AND NOT t.by_timing) AND (
			SELECT max(l.started_at) FROM internal.jobs j
			CROSS JOIN LATERAL (
				SELECT w.started_at FROM sync.runs w
				WHERE w.account_id = c.account_id AND w.job = j.job AND w.status = 'succeeded'
				ORDER BY w.started_at DESC LIMIT 1
			) AS l WHERE j.resource = 'transactions'
		) >= CASE WHEN x.certainly THEN e.answered_at ELSE n.answered_at END THEN false
	END AS is_explained
) AS v;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the last balance observed before the day, the flows up to the last observation of the day, and the balance in that observation. Flows are counted between the two observations, not from midnight to midnight. A balance may include a change that the transactions showed only later: a difference that such transactions can cause, and that the observations around it cancel exactly, is a timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset in the balances or the postings; of several, the last in alphabetical order.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last observation answered before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'Inflows by accounting_rules. Deposits in progress count, as they do in the balance. Null on the first day, and if an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'Outflows without fees. Null on the first day, and if an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null if unknown: on the first day, if only one of the two observations shows a staked part, or if uncertain stakings leave it open.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null if one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults in the last observation of the day; 0 if the asset was not listed, null if a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When the closing balance was observed (its snapshot_at): the last observation answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null if one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True if unexplained_difference is 0 and there are no staking_losses. False if no transaction explains what left or came in, or if unexplained_difference is null but a loss is certain. Null if unknown, as on the first day or without a figure, or if undecided: a change may lie on either side of the observation, or transactions were not read since.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'True if all transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'Loss of staked and claimable balances that no transaction explains; never negative. A loss is not explained. Null if staking_rewards is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference due to timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions (any observation, not only the last of a day) all such differences add up to 0. Null if the difference or staking_rewards is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings leave the total unchanged: only their fees count. Computed only if balances differ from the flows, else 0; null if a figure is unknown, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_closing" IS 'The same for the closing observation. Transactions not read yet are not included.';
--> statement-breakpoint
CREATE VIEW "reporting"."reconciliation_uncertain" AS
SELECT c.account_id, c.day, e.snapshot_at AS closing_observed_at, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind,
	p.number, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee,
	p.total_change, p.staked_change
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
-- OFFSET 0 keeps the planner from searching all observations before the one of the day is known.
CROSS JOIN LATERAL (
	SELECT u.* FROM reporting.uncertain_lines(c.account_id, e.snapshot_at, NULL) AS u OFFSET 0
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_uncertain" IS 'Postings that may lie on either side of the last observation of a day: each change may have come before the balances were read or after. That observation closes the day and opens the next day that has one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."closing_observed_at" IS 'When the observation was made (its snapshot_at): the last one answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "custody"."accounts"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."asset_prices"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asked_at" IS 'When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived.';
COMMENT ON COLUMN "custody"."balance_snapshots"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "custody"."balance_snapshots"."change_id" IS 'Grows with every row of all history tables, in the order in which the account''s commits happened: reading on from the last number seen misses no row. There may be gaps.';
COMMENT ON COLUMN "custody"."balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balances"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "custody"."balances"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "custody"."balances"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."balances"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "custody"."balances"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "custody"."balances"."available_balance" IS 'Available part.';
COMMENT ON COLUMN "custody"."balances"."processing_balance" IS 'Part being processed in a transaction.';
COMMENT ON COLUMN "custody"."balances"."staking_balance" IS 'Staked part.';
COMMENT ON COLUMN "custody"."balances"."claimable_balance" IS 'Part claimable from staking.';
COMMENT ON COLUMN "custody"."balances"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "custody"."document_readings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer arrived.';
COMMENT ON COLUMN "custody"."document_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_revisions"."change" IS 'added, changed, removed or restored.';
COMMENT ON COLUMN "custody"."document_revisions"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "custody"."document_revisions"."change_id" IS 'Grows with every row of all history tables, in the order in which the account''s commits happened: reading on from the last number seen misses no row. There may be gaps.';
COMMENT ON COLUMN "custody"."fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."former_fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."former_fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."former_prices"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."former_time_zones"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."histories"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_revisions"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "custody"."transaction_revisions"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "custody"."transaction_revisions"."content_hash" IS 'Digest of the record without its timestamp; it changes when the record does.';
COMMENT ON COLUMN "custody"."transaction_revisions"."change_id" IS 'Grows with every row of all history tables, in the order in which the account''s commits happened: reading on from the last number seen misses no row. There may be gaps.';
COMMENT ON COLUMN "custody"."transaction_status_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_status_history"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "custody"."transaction_status_history"."from_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "custody"."transaction_status_history"."content_hash" IS 'Digest of the record without its timestamp; it changes when the record does.';
COMMENT ON COLUMN "custody"."transaction_status_history"."change_id" IS 'Grows with every row of all history tables, in the order in which the account''s commits happened: reading on from the last number seen misses no row. There may be gaps.';
COMMENT ON COLUMN "custody"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transactions"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "custody"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "custody"."transactions"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "custody"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "custody"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."transactions"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "custody"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "custody"."transactions"."source_type" IS 'Type of the source: vault, external, whitelist or network.';
COMMENT ON COLUMN "custody"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "custody"."transactions"."destination_type" IS 'Type of the destination: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "custody"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "custody"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "custody"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "custody"."transactions"."changed_at" IS 'When the answer that last changed this row arrived.';
COMMENT ON COLUMN "custody"."transactions"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "custody"."transactions"."content_hash" IS 'Digest of the record without its timestamp; it changes when the record does.';
COMMENT ON COLUMN "custody"."unreadable_balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."unreadable_balances"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "custody"."unreadable_balances"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "custody"."unreadable_balances"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "custody"."vaults"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."vaults"."vault_id" IS 'Identifier of the vault.';
COMMENT ON COLUMN "custody"."vaults"."document" IS 'The whole record as received; the service documents none of its fields.';
COMMENT ON COLUMN "custody"."vaults"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "custody"."vaults"."changed_at" IS 'When the answer that last changed this row arrived.';
COMMENT ON COLUMN "custody"."vaults"."content_hash" IS 'Digest of the record without its timestamp; it changes when the record does.';
COMMENT ON COLUMN "custody"."whitelist_entries"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."whitelist_entries"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."document" IS 'The whole record as received; the service documents none of its fields.';
COMMENT ON COLUMN "custody"."whitelist_entries"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "custody"."whitelist_entries"."changed_at" IS 'When the answer that last changed this row arrived.';
COMMENT ON COLUMN "custody"."whitelist_entries"."content_hash" IS 'Digest of the record without its timestamp; it changes when the record does.';
COMMENT ON COLUMN "internal"."account_clocks"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."account_jobs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."account_jobs"."job" IS 'Name of the job: see sync.runs.';
COMMENT ON COLUMN "internal"."account_jobs"."resource" IS 'transactions, balances, vaults or whitelist (null for a job that mirrors nothing).';
COMMENT ON COLUMN "internal"."account_jobs"."is_mirrored" IS 'Whether CUSTODY_RESOURCES includes what the job reads.';
COMMENT ON COLUMN "internal"."account_rests"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_listings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_listings"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."erasures"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."fee_rule_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."jobs"."job" IS 'Name of the job: see sync.runs.';
COMMENT ON COLUMN "internal"."jobs"."resource" IS 'transactions, balances, vaults or whitelist (null for a job that mirrors nothing).';
COMMENT ON COLUMN "internal"."known_settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."known_settlements"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."known_settlements"."known_from" IS 'When the mirror first held this to be true.';
COMMENT ON COLUMN "internal"."known_settlements"."known_until" IS 'Until when the mirror held this to be true; null if it still does.';
COMMENT ON COLUMN "internal"."known_settlements"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."known_settlements"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "internal"."known_settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."known_settlements"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "internal"."posted_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_corrections"."to_status" IS 'Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."posted_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "internal"."posted_corrections"."inflow" IS 'What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."outflow" IS 'What left the account, without the fee. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee" IS 'Fee taken from the total; 0 if the service sent none.';
COMMENT ON COLUMN "internal"."posted_corrections"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "internal"."posted_statuses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_statuses"."from_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "internal"."posted_statuses"."to_status" IS 'Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."posted_statuses"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "internal"."posted_statuses"."inflow" IS 'What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."outflow" IS 'What left the account, without the fee. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee" IS 'Fee taken from the total; 0 if the service sent none.';
COMMENT ON COLUMN "internal"."posted_statuses"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null if the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "internal"."present_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."present_currencies"."currency" IS 'Currency of the prices in custody.asset_prices.';
COMMENT ON COLUMN "internal"."seal_tiles"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."settlements"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."settlements"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."settlements"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "internal"."settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."settlements"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "internal"."settlements"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "internal"."time_zones"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_contents"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_from" IS 'When the mirror first held this to be true.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_until" IS 'Until when the mirror held this to be true; null if it still does.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."transaction_contents"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "reporting"."accounting_rules"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."balance_changes"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_changes"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balance_changes"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balance_changes"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_changes"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balance_changes"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."total_balance" IS 'Total balance in units of the asset: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."available_balance" IS 'Available part.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."processing_balance" IS 'Part being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."staking_balance" IS 'Staked part.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."claimable_balance" IS 'Part claimable from staking.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."is_known" IS 'False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."next_known_at" IS 'For an unknown balance: the first later observation (its snapshot_at) that showed it, or showed that it did not exist; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asked_at" IS 'When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived.';
COMMENT ON COLUMN "reporting"."balance_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balance_values"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values"."total_balance" IS 'Total balance in units of the asset: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values"."currency" IS 'Currency of the prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price_as_of" IS 'When that price took effect.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balance_values_daily"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_balance" IS 'Total balance in units of the asset: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."currency" IS 'Currency of the prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price_as_of" IS 'When that price took effect.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_current"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_current"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_current"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balances_current"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_current"."total_balance" IS 'Total balance in units of the asset: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_current"."available_balance" IS 'Available part.';
COMMENT ON COLUMN "reporting"."balances_current"."processing_balance" IS 'Part being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_current"."staking_balance" IS 'Staked part.';
COMMENT ON COLUMN "reporting"."balances_current"."claimable_balance" IS 'Part claimable from staking.';
COMMENT ON COLUMN "reporting"."balances_current"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_current"."is_known" IS 'False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_current"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_current"."asked_at" IS 'When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_current"."answered_at" IS 'When the last answer of the observation had arrived.';
COMMENT ON COLUMN "reporting"."balances_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balances_daily"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_daily"."total_balance" IS 'Total balance in units of the asset: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_daily"."available_balance" IS 'Available part.';
COMMENT ON COLUMN "reporting"."balances_daily"."processing_balance" IS 'Part being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_daily"."staking_balance" IS 'Staked part.';
COMMENT ON COLUMN "reporting"."balances_daily"."claimable_balance" IS 'Part claimable from staking.';
COMMENT ON COLUMN "reporting"."balances_daily"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_daily"."is_known" IS 'False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_daily"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_daily"."next_known_at" IS 'For an unknown balance: the first later observation (its snapshot_at) that showed it, or showed that it did not exist; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_daily"."asked_at" IS 'When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_daily"."answered_at" IS 'When the last answer of the observation had arrived.';
COMMENT ON COLUMN "reporting"."balances_daily"."ends_at" IS 'First moment of the next day. For the day as it was closed, pass ends_at - interval ''1 microsecond'' to functions such as flows_daily_at.';
COMMENT ON COLUMN "reporting"."calendar"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."calendar"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."calendar"."month" IS 'First day of the calendar month in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."calendar"."ends_at" IS 'First moment of the next day. For the day as it was closed, pass ends_at - interval ''1 microsecond'' to functions such as flows_daily_at.';
COMMENT ON COLUMN "reporting"."checkpoints"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."checkpoints"."tree_size" IS 'Number of rows sealed by the checkpoint.';
COMMENT ON COLUMN "reporting"."data_freshness"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."data_freshness"."resource" IS 'transactions, balances, vaults or whitelist (null for a job that mirrors nothing).';
COMMENT ON COLUMN "reporting"."destination_uses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destination_uses"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destination_uses"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_type" IS 'Type of the destination: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."destination_uses"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_older_than_mirror" IS 'Whether it existed before the mirror, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."destination_uses"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "reporting"."destinations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations"."destination_type" IS 'Type of the destination: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."destinations"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."destinations"."uses" IS 'Withdrawals to it, whatever their status.';
COMMENT ON COLUMN "reporting"."destinations"."completed_uses" IS 'Completed uses.';
COMMENT ON COLUMN "reporting"."destinations"."missing_uses" IS 'Withdrawals that the service no longer shows.';
COMMENT ON COLUMN "reporting"."destinations_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."destinations_daily"."destination_type" IS 'Type of the destination: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations_daily"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "reporting"."destinations_daily"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."destinations_daily"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."destinations_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."destinations_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."destinations_daily"."uses" IS 'Withdrawals to it, whatever their status.';
COMMENT ON COLUMN "reporting"."destinations_daily"."completed_uses" IS 'Completed uses.';
COMMENT ON COLUMN "reporting"."document_changes"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."document_changes"."change" IS 'added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."document_changes"."is_current" IS 'True for the current state.';
COMMENT ON COLUMN "reporting"."document_changes"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.';
COMMENT ON COLUMN "reporting"."fees_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."fees_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."fees_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."fees_daily"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."fees_daily"."missing" IS 'Of these, how many the service no longer shows.';
COMMENT ON COLUMN "reporting"."flows_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."flows_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."flows_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."flows_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."flows_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."flows_daily"."missing" IS 'Of these, how many the service no longer shows.';
COMMENT ON COLUMN "reporting"."half_erased_accounts"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."health_problems"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."late_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."missing_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."missing_transactions"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."missing_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."missing_transactions"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."missing_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."missing_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."missing_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."missing_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."missing_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."missing_transactions"."amount" IS 'Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.';
COMMENT ON COLUMN "reporting"."missing_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "reporting"."missing_transactions"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."missing_transactions"."vault_name" IS 'Name of the account''s own vault: from the transaction, else its current name.';
COMMENT ON COLUMN "reporting"."missing_transactions"."counterparty_type" IS 'Type of the counterparty: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."missing_transactions"."counterparty_id" IS 'Identifier of the counterparty; null if the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."missing_transactions"."counterparty_name" IS 'Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."missing_transactions"."counterparty_address" IS 'Wallet address of the counterparty.';
COMMENT ON COLUMN "reporting"."missing_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."missing_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."missing_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."missing_transactions"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror.';
COMMENT ON COLUMN "reporting"."missing_transactions"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "reporting"."missing_transactions"."status_since" IS 'When the mirror first saw the current status. The change itself happened between the previous reading and this moment.';
COMMENT ON COLUMN "reporting"."movement_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."movement_values"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."movement_values"."currency" IS 'Currency of the prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."price_as_of" IS 'When that price took effect.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_name" IS 'Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_address" IS 'Wallet address of the counterparty.';
COMMENT ON COLUMN "reporting"."movement_values"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "reporting"."open_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."open_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."open_transactions"."amount" IS 'Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_name" IS 'Name of the account''s own vault: from the transaction, else its current name.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_type" IS 'Type of the counterparty: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_id" IS 'Identifier of the counterparty; null if the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_name" IS 'Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_address" IS 'Wallet address of the counterparty.';
COMMENT ON COLUMN "reporting"."open_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."open_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."open_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."open_transactions"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "reporting"."open_transactions"."status_since" IS 'When the mirror first saw the current status. The change itself happened between the previous reading and this moment.';
COMMENT ON COLUMN "reporting"."open_transactions"."is_older_than_mirror" IS 'Whether it existed before the mirror, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."vault_type" IS 'Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."kind" IS 'status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 if the service sent none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."price_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."price_currencies"."currency" IS 'Currency of the prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."kind" IS 'status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."from_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."to_status" IS 'Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."inflow" IS 'What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."outflow" IS 'What left the account, without the fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee" IS 'Fee taken from the total; 0 if the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."kind" IS 'status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."from_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."to_status" IS 'Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."inflow" IS 'What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."outflow" IS 'What left the account, without the fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."fee" IS 'Fee taken from the total; 0 if the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null if the amount is unknown.';
COMMENT ON COLUMN "reporting"."settlement_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_from" IS 'When the mirror first held this to be true.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_until" IS 'Until when the mirror held this to be true; null if it still does.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."settlement_history"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."status_durations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."status_durations"."month" IS 'First day of the calendar month in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."status_durations"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."sync_health"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."missing" IS 'Of these, how many the service no longer shows.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."amount" IS 'Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_id" IS 'Identifier that the service gave the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_type" IS 'Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transactions"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."transactions"."amount" IS 'Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."transactions"."vault_name" IS 'Name of the account''s own vault: from the transaction, else its current name.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_type" IS 'Type of the counterparty: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_id" IS 'Identifier of the counterparty; null if the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_name" IS 'Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_address" IS 'Wallet address of the counterparty.';
COMMENT ON COLUMN "reporting"."transactions"."source_type" IS 'Type of the source: vault, external, whitelist or network.';
COMMENT ON COLUMN "reporting"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "reporting"."transactions"."destination_type" IS 'Type of the destination: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "reporting"."transactions"."status_since" IS 'When the mirror first saw the current status. The change itself happened between the previous reading and this moment.';
COMMENT ON COLUMN "reporting"."transactions"."is_older_than_mirror" IS 'Whether it existed before the mirror, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."transactions"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "reporting"."vault_split"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_id" IS 'Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vault_split"."network_id" IS 'Identifier of the blockchain network; empty or null if the service names none.';
COMMENT ON COLUMN "reporting"."vault_split"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vaults"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vaults"."vault_id" IS 'Identifier of the vault.';
COMMENT ON COLUMN "reporting"."vaults"."first_seen_at" IS 'When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.';
COMMENT ON COLUMN "reporting"."vaults"."missing_since" IS 'When the service stopped showing it; null while it shows it.';
COMMENT ON COLUMN "reporting"."whitelist_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."whitelist_history"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."change" IS 'added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_current" IS 'True for the current state.';
COMMENT ON COLUMN "sync"."anomalies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."anomalies"."resource" IS 'transactions, balances, vaults or whitelist (null for a job that mirrors nothing).';
COMMENT ON COLUMN "sync"."anomalies"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."anomalies"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."anomalies"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."expectations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."expectations"."job" IS 'Name of the job: see sync.runs.';
COMMENT ON COLUMN "sync"."expectations"."is_mirrored" IS 'Whether CUSTODY_RESOURCES includes what the job reads.';
COMMENT ON COLUMN "sync"."learned"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."leases"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."positions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."positions"."job" IS 'Name of the job: see sync.runs.';
COMMENT ON COLUMN "sync"."quarantine"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."quarantine"."resource" IS 'transactions, balances, vaults or whitelist (null for a job that mirrors nothing).';
COMMENT ON COLUMN "sync"."quarantine"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."quarantine"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."quarantine"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."retirements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."runs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."tree_size" IS 'Number of rows sealed by the checkpoint.';
COMMENT ON COLUMN "sync"."seal_stops"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."seal_verifications"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."sync_requests"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_digest_idx" ON "sync"."api_keys" USING btree ("digest");
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_idx" ON "sync"."api_keys" USING btree ("name") WHERE "sync"."api_keys"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "balance_snapshots_at_idx" ON "custody"."balance_snapshots" USING btree ("account_id","snapshot_at");
--> statement-breakpoint
CREATE INDEX "balance_snapshots_answered_idx" ON "custody"."balance_snapshots" USING btree ("account_id","vault_type","answered_at");
--> statement-breakpoint
CREATE INDEX "balance_snapshots_change_idx" ON "custody"."balance_snapshots" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "balances_current_idx" ON "custody"."balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."balances"."valid_to" is null;
--> statement-breakpoint
CREATE INDEX "balances_valid_idx" ON "custody"."balances" USING gist (tstzrange("valid_from", "valid_to"));
--> statement-breakpoint
CREATE INDEX "balances_began_idx" ON "custody"."balances" USING btree ("account_id","valid_from");
--> statement-breakpoint
CREATE INDEX "balances_ended_idx" ON "custody"."balances" USING btree ("account_id","valid_to") WHERE "custody"."balances"."valid_to" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "unreadable_balances_current_idx" ON "custody"."unreadable_balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."unreadable_balances"."valid_to" is null;
--> statement-breakpoint
CREATE INDEX "unreadable_balances_valid_idx" ON "custody"."unreadable_balances" USING gist (tstzrange("valid_from", "valid_to"));
--> statement-breakpoint
CREATE INDEX "unreadable_balances_began_idx" ON "custody"."unreadable_balances" USING btree ("account_id","valid_from");
--> statement-breakpoint
CREATE INDEX "unreadable_balances_ended_idx" ON "custody"."unreadable_balances" USING btree ("account_id","valid_to") WHERE "custody"."unreadable_balances"."valid_to" is not null;
--> statement-breakpoint
CREATE INDEX "document_revisions_observed_idx" ON "custody"."document_revisions" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "document_revisions_change_idx" ON "custody"."document_revisions" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "document_revisions_address_idx" ON "custody"."document_revisions" USING hash (lower("address")) WHERE "custody"."document_revisions"."kind" = 'whitelist_entry';
--> statement-breakpoint
CREATE INDEX "anomalies_open_idx" ON "sync"."anomalies" USING btree ("account_id","kind") WHERE "sync"."anomalies"."resolved_at" is null;
--> statement-breakpoint
CREATE INDEX "quarantine_open_idx" ON "sync"."quarantine" USING btree ("account_id","resource") WHERE "sync"."quarantine"."resolved_at" is null;
--> statement-breakpoint
CREATE INDEX "runs_job_started_idx" ON "sync"."runs" USING btree ("account_id","job","started_at");
--> statement-breakpoint
CREATE INDEX "runs_open_read_idx" ON "sync"."runs" USING btree ("account_id","started_at") WHERE "sync"."runs"."open_transactions_read";
--> statement-breakpoint
CREATE INDEX "runs_verified_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."verified";
--> statement-breakpoint
CREATE INDEX "runs_succeeded_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."status" = 'succeeded';
--> statement-breakpoint
CREATE INDEX "runs_full_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."mode" = 'full' and "sync"."runs"."status" = 'succeeded';
--> statement-breakpoint
CREATE INDEX "runs_failed_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."status" = 'failed';
--> statement-breakpoint
CREATE INDEX "seal_checkpoints_change_idx" ON "sync"."seal_checkpoints" USING btree ("account_id","last_change_id");
--> statement-breakpoint
CREATE INDEX "transaction_revisions_observed_idx" ON "custody"."transaction_revisions" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "transaction_revisions_change_idx" ON "custody"."transaction_revisions" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "transaction_revisions_filters_idx" ON "custody"."transaction_revisions" USING btree ("account_id","transaction_id") WHERE "custody"."transaction_revisions"."changed_fields" && array['status','transaction_type','asset_id','network_id','source_id','source_address','destination_id','destination_address','source_type','destination_type'];
--> statement-breakpoint
CREATE INDEX "transaction_status_history_observed_idx" ON "custody"."transaction_status_history" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "transaction_status_history_change_idx" ON "custody"."transaction_status_history" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "transactions_open_idx" ON "custody"."transactions" USING btree ("account_id","first_seen_at","transaction_id") WHERE "custody"."transactions"."status" not in ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
CREATE INDEX "transactions_first_seen_idx" ON "custody"."transactions" USING btree ("account_id","first_seen_at","transaction_id","missing_since",trim_scale("amount"));
--> statement-breakpoint
CREATE INDEX "transactions_status_changed_idx" ON "custody"."transactions" USING btree ("account_id","status_changed_at");
--> statement-breakpoint
CREATE INDEX "transactions_amount_idx" ON "custody"."transactions" USING btree ("account_id",trim_scale("amount"));
--> statement-breakpoint
CREATE INDEX "transactions_changed_idx" ON "custody"."transactions" USING btree ("account_id","changed_at");
--> statement-breakpoint
CREATE INDEX "transactions_destination_idx" ON "custody"."transactions" USING btree ("account_id",custody.destination_key("destination_type", "destination_id", "destination_address", "asset_id", "network_id"),"first_seen_at") WHERE "custody"."transactions"."transaction_type" = 'withdraw';
--> statement-breakpoint
CREATE INDEX "transactions_filter_idx" ON "custody"."transactions" USING gin ((array[hashtextextended("status", hashtextextended("account_id", 0)), hashtextextended("transaction_type", hashtextextended("account_id", 1)), hashtextextended("asset_id", hashtextextended("account_id", 2)), hashtextextended("network_id", hashtextextended("account_id", 3)), hashtextextended("source_id", hashtextextended("account_id", 4)), hashtextextended("source_address", hashtextextended("account_id", 5)), hashtextextended("destination_id", hashtextextended("account_id", 6)), hashtextextended("destination_address", hashtextextended("account_id", 7)), hashtextextended("source_type", hashtextextended("account_id", 8)), hashtextextended("destination_type", hashtextextended("account_id", 9))]));
--> statement-breakpoint
CREATE INDEX "transactions_search_idx" ON "custody"."transactions" USING gin (custody.search_terms("transaction_id", "txn_hash", "source_address", "destination_address", "destination_memo", "note"));
--> statement-breakpoint
CREATE INDEX "transactions_earlier_statuses_idx" ON "custody"."transactions" USING gist (tstzrange(least("first_seen_at", "status_changed_at"), "status_changed_at")) WHERE "custody"."transactions"."first_seen_at" < "custody"."transactions"."status_changed_at";
--> statement-breakpoint
CREATE INDEX "transactions_missing_idx" ON "custody"."transactions" USING btree ("account_id","transaction_id") WHERE "custody"."transactions"."missing_since" is not null;
--> statement-breakpoint
DO $$
DECLARE
	open record;
	reader text;
BEGIN
	FOR open IN SELECT p.oid::regprocedure AS name, p.provolatile <> 'v' AND n.nspname IN ('custody', 'reporting') AS is_read
		FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
		WHERE n.nspname IN ('custody', 'reporting', 'sync', 'internal', 'drizzle') AND EXISTS (
			SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0)
	LOOP
		FOR reader IN
			SELECT DISTINCT a.grantee::regrole::text
			FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
			WHERE open.is_read AND n.nspname IN ('custody', 'reporting') AND a.grantee NOT IN (0, n.nspowner)
		LOOP
			EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', open.name, reader);
		END LOOP;
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open.name);
	END LOOP;
END
$$;
