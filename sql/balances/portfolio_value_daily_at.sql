-- Like reporting.portfolio_value_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."portfolio_value_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, currency text, total_value numeric, valued bigint, without_price bigint, unknown bigint,
	oldest_price_as_of timestamptz, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, m.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		greatest(count(*) FILTER (WHERE b.total_balance IS NULL), max(l.unidentified_count)), min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL), l.snapshot_at
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at, s.unidentified_count FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p ON true
	GROUP BY c.account_id, c.day, v.vault_type, m.currency, l.snapshot_at;
END;

COMMENT ON FUNCTION "reporting"."portfolio_value_daily_at"(timestamptz) IS 'portfolio_value_daily as known at a moment: from the balances observed and the prices of custody.asset_prices known up to and including that moment. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. A currency without a known price has a row in which nothing is valued.';
