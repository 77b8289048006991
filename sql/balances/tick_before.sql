CREATE FUNCTION "internal"."tick_before"("account" text, "at" timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at < "at"
		-- Each vault type has one at a moment. This is asked once, not for each row.
		AND (SELECT count(*) FROM custody.balance_snapshots o WHERE o.account_id = "account" AND o.snapshot_at = "at") = 3
		AND (SELECT count(*) FROM custody.balance_snapshots o WHERE o.account_id = "account" AND o.snapshot_at = s.snapshot_at) = 3
	ORDER BY s.snapshot_at DESC LIMIT 1
);

COMMENT ON FUNCTION "internal"."tick_before"(text, timestamptz) IS 'The last moment before this one that has a snapshot of each vault type; null when there is none, or this one lacks a type.';
