-- The observation that balances_held shows. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."snapshot_held"("account" text, "vaults" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	snapshot_at timestamptz, unidentified_count integer
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	(
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE "at" IS NULL AND "on_day" IS NULL AND o.account_id = "account" AND o.vault_type = "vaults"
		ORDER BY o.snapshot_at DESC LIMIT 1
	)
	UNION ALL
	(
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE o.account_id = "account" AND o.vault_type = "vaults" AND o.answered_at <= "at"
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	)
	UNION ALL
	(
		SELECT o.snapshot_at, o.unidentified_count FROM reporting.calendar d
		JOIN custody.balance_snapshots o ON o.account_id = d.account_id AND o.answered_at >= d.starts_at AND o.answered_at < d.ends_at
		WHERE d.account_id = "account" AND d.day = "on_day" AND o.vault_type = "vaults"
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	);
END;

COMMENT ON FUNCTION "reporting"."snapshot_held"(text, text, timestamptz, date) IS 'The last observation of a vault type by a moment, or on a day: pass one of the two, or null for both to get the last one. No row without an observation.';
