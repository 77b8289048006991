-- Bounds of the observations that were made before bounds were recorded: an estimate where the end of the run is not known. A run that was
-- abandoned was given its end later. Which records could not be read is not known any more.
UPDATE "custody"."balance_snapshots" s SET
	"asked_at" = s."snapshot_at",
	"answered_at" = greatest(s."snapshot_at", (
		SELECT least(r."finished_at", s."snapshot_at" + interval '1 hour', (
			SELECT min(n."snapshot_at") FROM "custody"."balance_snapshots" n
			WHERE n."account_id" = s."account_id" AND n."vault_type" = s."vault_type" AND n."snapshot_at" > s."snapshot_at"))
		FROM "sync"."runs" r
		WHERE r."account_id" = s."account_id" AND r."run_id" = s."run_id" AND r."status" = 'succeeded')),
	"unidentified_count" = s."quarantined_count";
--> statement-breakpoint
-- A balance that was not among those read, while some record could not be: it did not end then, and was unknown until it was shown
-- again or a snapshot that could be read whole did not show it.
WITH "gap" AS (
	SELECT b."account_id", b."vault_type", b."asset_id", b."network_id", b."valid_from", b."valid_to" AS "since", least(
		(SELECT min(n."valid_from") FROM "custody"."balances" n
			WHERE (n."account_id", n."vault_type", n."asset_id", n."network_id")
				= (b."account_id", b."vault_type", b."asset_id", b."network_id") AND n."valid_from" > b."valid_to"),
		(SELECT min(c."snapshot_at") FROM "custody"."balance_snapshots" c
			WHERE c."account_id" = b."account_id" AND c."vault_type" = b."vault_type" AND c."snapshot_at" > b."valid_to"
				AND c."quarantined_count" = 0)) AS "until"
	FROM "custody"."balances" b
	JOIN "custody"."balance_snapshots" s ON s."account_id" = b."account_id" AND s."vault_type" = b."vault_type"
		AND s."snapshot_at" = b."valid_to" AND s."quarantined_count" > 0
	WHERE NOT EXISTS (
		SELECT FROM "custody"."balances" n
		WHERE (n."account_id", n."vault_type", n."asset_id", n."network_id", n."valid_from")
			= (b."account_id", b."vault_type", b."asset_id", b."network_id", b."valid_to"))
), "unknown" AS (
	INSERT INTO "custody"."unreadable_balances" ("account_id", "vault_type", "asset_id", "network_id", "valid_from", "valid_to")
	SELECT "account_id", "vault_type", "asset_id", "network_id", "since", "until" FROM "gap"
)
UPDATE "custody"."balances" b SET "valid_to" = g."until" FROM "gap" g
WHERE (b."account_id", b."vault_type", b."asset_id", b."network_id", b."valid_from")
	= (g."account_id", g."vault_type", g."asset_id", g."network_id", g."valid_from");
--> statement-breakpoint
-- Since when the amounts are the same numbers: a row goes on from the one before it where these are equal.
UPDATE "custody"."balances" b SET "unchanged_since" = i."since"
FROM (
	SELECT r."account_id", r."vault_type", r."asset_id", r."network_id", r."valid_from",
		max(r."valid_from") FILTER (WHERE r."is_change") OVER (
			PARTITION BY r."account_id", r."vault_type", r."asset_id", r."network_id" ORDER BY r."valid_from") AS "since"
	FROM (
		SELECT q.*, lag(q."valid_to") OVER w IS DISTINCT FROM q."valid_from"
			OR lag(q."total_balance") OVER w IS DISTINCT FROM q."total_balance"
			OR lag(q."available_balance") OVER w IS DISTINCT FROM q."available_balance"
			OR lag(q."processing_balance") OVER w IS DISTINCT FROM q."processing_balance"
			OR lag(q."staking_balance") OVER w IS DISTINCT FROM q."staking_balance"
			OR lag(q."claimable_balance") OVER w IS DISTINCT FROM q."claimable_balance" AS "is_change"
		FROM "custody"."balances" q
		WINDOW w AS (PARTITION BY q."account_id", q."vault_type", q."asset_id", q."network_id" ORDER BY q."valid_from")
	) AS r
) AS i
WHERE (b."account_id", b."vault_type", b."asset_id", b."network_id", b."valid_from")
	= (i."account_id", i."vault_type", i."asset_id", i."network_id", i."valid_from");
