CREATE FUNCTION "reporting"."portfolio_value_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, currency text, total_value numeric, available_value numeric, processing_value numeric, staking_value numeric,
	claimable_value numeric, valued bigint, without_price bigint, unknown bigint, oldest_price_as_of timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, c.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		-- A part that was not sent is unknown, not zero.
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.available_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.available_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.processing_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.processing_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.staking_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.staking_balance * p.price), 0)) END,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.claimable_balance IS NULL), false)
			THEN trim_scale(coalesce(sum(b.claimable_balance * p.price), 0)) END,
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		greatest(count(*) FILTER (WHERE b.total_balance IS NULL),
			(SELECT s.unidentified_count FROM reporting.snapshot_held("account", b.vault_type, "at", "on_day") s)),
		min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL)
	FROM reporting.balances_held("account", "at", "on_day") b
	CROSS JOIN reporting.currencies_priced("account") c
	LEFT JOIN LATERAL reporting.price_known("account", b.asset_id, c.currency, b.priced_before, 'infinity') AS p ON true
	GROUP BY b.vault_type, c.currency;
END;

COMMENT ON FUNCTION "reporting"."portfolio_value_held"(text, timestamptz, date) IS 'The total value of the balances of balances_held at the last prices of custody.asset_prices by then, and of their parts: one row per vault type and currency. It leaves out balances without a price and unknown ones: see without_price and unknown.';
