CREATE FUNCTION "reporting"."reconciliation_of_span"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, opening_observed_at timestamptz, opening_answered_at timestamptz, opening_balance numeric,
	inflow numeric, outflow numeric, fees numeric, closing_balance numeric, closing_observed_at timestamptz,
	closing_answered_at timestamptz, difference numeric, staked_rest numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT q.asset_id, q.asset_name, o.snapshot_at, o.answered_at, trim_scale(q.opening_balance), trim_scale(q.inflow),
		trim_scale(q.outflow), trim_scale(q.fees), trim_scale(q.closing_balance), e.snapshot_at, e.answered_at, trim_scale(q.difference),
		trim_scale(q.staked_rest)
	FROM (
		SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at <= coalesce("until", 'infinity')
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS e
	LEFT JOIN LATERAL (
		SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at <= coalesce("since", 'infinity')
			AND s.snapshot_at < e.snapshot_at
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS o ON true
	CROSS JOIN LATERAL reporting.reconciliation_between("account", o.snapshot_at, e.snapshot_at) AS q;
END;

COMMENT ON FUNCTION "reporting"."reconciliation_of_span"(text, timestamptz, timestamptz) IS 'Whether transactions explain the balances between two observations of all vaults, by asset: the last ones that began by the two moments. Without moments, between the last two observations.';
