-- Like reporting.balance_values_daily, from the observations and prices known at a moment.
CREATE FUNCTION "reporting"."balance_values_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric,
	currency text, price numeric, price_as_of timestamptz, total_value numeric, observed_at timestamptz, age interval, is_known boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
		m.currency, p.price, p.as_of, trim_scale(b.total_balance * p.price), l.snapshot_at,
		least(c.ends_at, "as_known_at", now()) - l.snapshot_at, b.is_known
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	CROSS JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p;
END;

COMMENT ON FUNCTION "reporting"."balance_values_daily_at"(timestamptz) IS 'balance_values_daily as known at a moment: from the balances observed and the prices known up to and including that moment. For a closed day pass ends_at of calendar minus interval ''1 microsecond''.';
