-- What is known of readings before they were kept. A bound is filled in where there was none; what was observed stays.
ALTER TABLE "custody"."document_revisions" DISABLE TRIGGER "append_only";
--> statement-breakpoint
-- The last verified reading before the one that saw the change, as far back as runs are kept; else nothing is known.
UPDATE "custody"."document_revisions" AS r SET "observed_after" = k.at
FROM (
	SELECT s.account_id, s.kind, s.document_id, s.revision, (
		SELECT max(o.started_at) FROM sync.runs o
		WHERE o.account_id = s.account_id AND o.job = CASE s.kind WHEN 'vault' THEN 'vaults' ELSE 'whitelist' END
			AND o.verified AND o.status = 'succeeded' AND o.run_id < s.run_id AND o.finished_at <= s.observed_at
	) AS at
	FROM custody.document_revisions s
) AS k
WHERE r.account_id = k.account_id AND r.kind = k.kind AND r.document_id = k.document_id AND r.revision = k.revision AND k.at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ENABLE TRIGGER "append_only";
--> statement-breakpoint
INSERT INTO "custody"."document_readings" ("account_id", "kind", "first_read_at", "last_read_after", "last_read_at")
SELECT o.account_id, CASE o.job WHEN 'vaults' THEN 'vault' ELSE 'whitelist_entry' END, min(o.finished_at), max(o.started_at), max(o.finished_at)
FROM sync.runs o
WHERE o.verified AND o.status = 'succeeded' AND o.job IN ('vaults', 'whitelist')
	AND EXISTS (SELECT FROM custody.accounts a WHERE a.account_id = o.account_id)
GROUP BY o.account_id, o.job;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" DISABLE TRIGGER "sum_up_changed";
--> statement-breakpoint
-- The last verified sweep before the first sighting, where it is kept; not of what stood unread in quarantine. Of withdrawals alone:
-- nothing else asks, and tables are large.
UPDATE "custody"."transactions" AS t SET "first_seen_after" = k.at
FROM (
	SELECT w.account_id, w.transaction_id, (
		SELECT o.started_at FROM sync.runs o
		WHERE o.account_id = w.account_id AND o.job IN ('transactions', 'reconcile') AND o.mode = 'full' AND o.verified
			AND o.status = 'succeeded' AND (o.verdict->>'resumed' <> '0') IS NOT TRUE AND o.finished_at <= w.first_seen_at
		ORDER BY o.finished_at DESC LIMIT 1
	) AS at
	FROM custody.transactions w
	WHERE w.transaction_type = 'withdraw' AND NOT EXISTS (
		SELECT FROM sync.quarantine q
		WHERE q.account_id = w.account_id AND q.resource = 'transactions' AND q.record_key = w.transaction_id)
) AS k
WHERE t.account_id = k.account_id AND t.transaction_id = k.transaction_id AND k.at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" ENABLE TRIGGER "sum_up_changed";
--> statement-breakpoint
INSERT INTO "internal"."destination_totals" SELECT * FROM "internal"."destination_sums";
--> statement-breakpoint
DELETE FROM "sync"."positions" WHERE "job" = 'destination-totals';
