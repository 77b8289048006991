DROP INDEX "sync"."runs_failed_idx";--> statement-breakpoint
CREATE INDEX "runs_outcome_idx" ON "sync"."runs" USING btree ("account_id","job","status","run_id");