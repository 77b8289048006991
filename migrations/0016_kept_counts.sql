DROP INDEX "custody"."document_revisions_change_idx";--> statement-breakpoint
DROP INDEX "custody"."transaction_revisions_change_idx";--> statement-breakpoint
DROP INDEX "custody"."transaction_status_history_change_idx";--> statement-breakpoint
ALTER TABLE "custody"."accounts" ADD COLUMN "transactions_total" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "custody"."accounts" ADD COLUMN "transactions_missing" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "document_revisions_change_idx" ON "custody"."document_revisions" USING btree ("account_id","change_id");--> statement-breakpoint
CREATE INDEX "transaction_revisions_change_idx" ON "custody"."transaction_revisions" USING btree ("account_id","change_id");--> statement-breakpoint
CREATE INDEX "transaction_status_history_change_idx" ON "custody"."transaction_status_history" USING btree ("account_id","change_id");--> statement-breakpoint
UPDATE "custody"."accounts" AS a SET "transactions_total" = c.total, "transactions_missing" = c.missing
FROM (SELECT account_id, count(*) AS total, count(missing_since) AS missing FROM custody.transactions GROUP BY account_id) AS c
WHERE c.account_id = a.account_id AND c.total > 0;
