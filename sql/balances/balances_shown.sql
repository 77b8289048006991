-- The content of one snapshot: the only place that combines balances with unreadable balances. PostgreSQL inlines it into the views.
CREATE FUNCTION "reporting"."balances_shown"("account" text, "vaults" text, "at" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, network_name text, total_balance numeric, available_balance numeric,
	processing_balance numeric, staking_balance numeric, claimable_balance numeric, unchanged_since timestamptz,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT asset_id, b.asset_name, network_id, b.network_name,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.total_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.available_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.processing_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.staking_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.claimable_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN b.unchanged_since END,
		u.is_unknown IS NULL,
		CASE WHEN u.is_unknown THEN (
			SELECT max(s.snapshot_at) FROM custody.balance_snapshots s
			WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at < u.valid_from
				AND (b.valid_from IS NOT NULL OR s.unidentified_count = 0)
		) END,
		u.valid_to
	FROM (
		SELECT q.* FROM custody.balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS b
	FULL JOIN (
		SELECT q.asset_id, q.network_id, q.valid_from, q.valid_to, true AS is_unknown FROM custody.unreadable_balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS u USING (asset_id, network_id)
	-- A moment without a snapshot returns nothing.
	WHERE EXISTS (
		SELECT FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at = "at"
	);
END;

COMMENT ON FUNCTION "reporting"."balances_shown"(text, text, timestamptz) IS 'The balances in one snapshot, by account, vault type and snapshot_at: one row per asset. If the record of a balance could not be read, is_known is false and the figures are null. A moment without a snapshot returns no rows; use balances_at for any moment.';
