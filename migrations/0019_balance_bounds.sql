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
ALTER TABLE "custody"."balance_snapshots" ADD COLUMN "asked_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD COLUMN "answered_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD COLUMN "unidentified_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD COLUMN "unchanged_since" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "unreadable_balances_current_idx" ON "custody"."unreadable_balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."unreadable_balances"."valid_to" is null;--> statement-breakpoint
CREATE INDEX "unreadable_balances_valid_idx" ON "custody"."unreadable_balances" USING gist (tstzrange("valid_from", "valid_to"));--> statement-breakpoint
CREATE INDEX "balance_snapshots_answered_idx" ON "custody"."balance_snapshots" USING btree ("account_id","vault_type","answered_at");--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD CONSTRAINT "balance_snapshots_bounds_forward" CHECK ("custody"."balance_snapshots"."answered_at" >= "custody"."balance_snapshots"."asked_at");
