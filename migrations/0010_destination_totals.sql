CREATE TABLE "custody"."destination_totals" (
	"account_id" text NOT NULL,
	"destination_key" "bytea" NOT NULL,
	"uses" bigint NOT NULL,
	"completed_uses" bigint NOT NULL,
	"completed_amount" numeric NOT NULL,
	"unknown_amounts" bigint NOT NULL,
	"first_used_at" timestamp with time zone NOT NULL,
	"first_transaction_id" text NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"last_transaction_id" text NOT NULL,
	CONSTRAINT "destination_totals_pkey" PRIMARY KEY("account_id","destination_key")
);
--> statement-breakpoint
ALTER TABLE "custody"."destination_totals" ADD CONSTRAINT "destination_totals_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_verified_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."verified";--> statement-breakpoint
CREATE INDEX "runs_failed_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "transactions_destination_idx" ON "custody"."transactions" USING btree ("account_id",custody.destination_key("destination_type", "destination_id", "destination_address", "asset_id", "network_id"),"first_seen_at") WHERE "custody"."transactions"."transaction_type" = 'withdraw';