CREATE FUNCTION "reporting"."balances_at"("at" timestamptz) RETURNS TABLE (
	account_id text, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	total_balance numeric, available_balance numeric, processing_balance numeric, staking_balance numeric,
	claimable_balance numeric, unchanged_since timestamptz, observed_at timestamptz, age interval
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
		trim_scale(b.total_balance), trim_scale(b.available_balance), trim_scale(b.processing_balance),
		trim_scale(b.staking_balance), trim_scale(b.claimable_balance), b.valid_from, l.snapshot_at, "at" - l.snapshot_at
	FROM custody.accounts a
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.snapshot_at <= "at"
	) AS l
	JOIN custody.balances b ON b.account_id = a.account_id AND b.vault_type = v.vault_type
		AND tstzrange(b.valid_from, b.valid_to) @> l.snapshot_at;
END;

COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as they were known at a moment: those of the last observation up to then. Look at age: where it is long, nothing was observed in between.';
