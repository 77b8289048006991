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
DROP INDEX "sync"."runs_failed_idx";--> statement-breakpoint
CREATE INDEX "runs_outcome_idx" ON "sync"."runs" USING btree ("account_id","job","status","run_id");
