-- What is known of readings before they were kept. A bound is filled in where there was none; what was observed stays.
ALTER TABLE "custody"."document_revisions" DISABLE TRIGGER "append_only";
--> statement-breakpoint
-- The last verified reading before the one that saw the change, as far back as runs are kept; else the last that brought a change.
UPDATE "custody"."document_revisions" AS r SET "observed_after" = k.at
FROM (
	SELECT s.account_id, s.kind, s.document_id, s.revision, greatest(
		(SELECT max(o.observed_at) FROM custody.document_revisions o
			WHERE o.account_id = s.account_id AND o.kind = s.kind AND o.observed_at < s.observed_at),
		(SELECT max(o.started_at) FROM sync.runs o
			WHERE o.account_id = s.account_id AND o.job = CASE s.kind WHEN 'vault' THEN 'vaults' ELSE 'whitelist' END
				AND o.verified AND o.run_id < s.run_id AND o.finished_at <= s.observed_at)
	) AS at
	FROM custody.document_revisions s
) AS k
WHERE r.account_id = k.account_id AND r.kind = k.kind AND r.document_id = k.document_id AND r.revision = k.revision AND k.at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ENABLE TRIGGER "append_only";
--> statement-breakpoint
INSERT INTO "custody"."document_readings" ("account_id", "kind", "first_read_at", "last_read_after", "last_read_at")
SELECT f.account_id, f.kind, min(f.at), max(f.after), max(f.at)
FROM (
	SELECT account_id, kind, observed_at AS at, observed_at AS after FROM custody.document_revisions
	UNION ALL
	SELECT account_id, CASE job WHEN 'vaults' THEN 'vault' ELSE 'whitelist_entry' END, finished_at, started_at
	FROM sync.runs WHERE verified AND job IN ('vaults', 'whitelist')
) AS f
WHERE EXISTS (SELECT FROM custody.accounts a WHERE a.account_id = f.account_id)
GROUP BY f.account_id, f.kind;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" DISABLE TRIGGER "sum_up_changed";
--> statement-breakpoint
-- Whatever was seen later than the first whole sweep was not there then. Of withdrawals alone: nothing else asks, and tables are large.
UPDATE "custody"."transactions" AS t SET "first_seen_after" = a.transactions_since
FROM custody.accounts a
WHERE a.account_id = t.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at > a.transactions_since;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" ENABLE TRIGGER "sum_up_changed";
--> statement-breakpoint
INSERT INTO "internal"."destination_totals" SELECT * FROM "internal"."destination_sums";
--> statement-breakpoint
DELETE FROM "sync"."positions" WHERE "job" = 'destination-totals';
