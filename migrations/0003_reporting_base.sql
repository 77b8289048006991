CREATE TABLE "custody"."asset_prices" (
	"account_id" text DEFAULT 'default' NOT NULL,
	"asset_id" text NOT NULL,
	"currency" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"source" text,
	CONSTRAINT "asset_prices_pkey" PRIMARY KEY("account_id","asset_id","currency","as_of"),
	CONSTRAINT "asset_prices_price_finite" CHECK ("custody"."asset_prices"."price" >= 0 and "custody"."asset_prices"."price" < 'Infinity')
);
--> statement-breakpoint
ALTER TABLE "custody"."accounts" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."accounts" ADD COLUMN "transactions_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "vault_type" text;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "asset_id" text;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "network_id" text;--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD COLUMN "change_id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "custody"."document_revisions_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "sync"."runs" ADD COLUMN "open_transactions_read" boolean;--> statement-breakpoint
ALTER TABLE "custody"."transaction_revisions" ADD COLUMN "change_id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "custody"."transaction_revisions_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD COLUMN "observed_after" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD COLUMN "change_id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "custody"."transaction_status_history_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "custody"."asset_prices" ADD CONSTRAINT "asset_prices_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "balance_snapshots_at_idx" ON "custody"."balance_snapshots" USING btree ("account_id","snapshot_at");--> statement-breakpoint
CREATE INDEX "balances_valid_idx" ON "custody"."balances" USING gist (tstzrange("valid_from", "valid_to"));--> statement-breakpoint
CREATE INDEX "balances_began_idx" ON "custody"."balances" USING btree ("account_id","valid_from");--> statement-breakpoint
CREATE INDEX "balances_ended_idx" ON "custody"."balances" USING btree ("account_id","valid_to") WHERE "custody"."balances"."valid_to" is not null;--> statement-breakpoint
CREATE INDEX "document_revisions_change_idx" ON "custody"."document_revisions" USING brin ("change_id") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "runs_open_read_idx" ON "sync"."runs" USING btree ("account_id","started_at") WHERE "sync"."runs"."open_transactions_read";--> statement-breakpoint
CREATE INDEX "transaction_revisions_change_idx" ON "custody"."transaction_revisions" USING brin ("change_id") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "transaction_status_history_change_idx" ON "custody"."transaction_status_history" USING brin ("change_id") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "transactions_first_seen_idx" ON "custody"."transactions" USING btree ("account_id","first_seen_at");--> statement-breakpoint
CREATE INDEX "transactions_status_changed_idx" ON "custody"."transactions" USING btree ("account_id","status_changed_at");--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD CONSTRAINT "transaction_status_history_after_before_at" CHECK ("custody"."transaction_status_history"."observed_after" <= "custody"."transaction_status_history"."observed_at");