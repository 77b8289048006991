CREATE FUNCTION "reporting"."balance_split"("account" text, "in_currency" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, network_name text, all_total numeric, warm_total numeric, cold_total numeric,
	all_is_known boolean, warm_is_known boolean, cold_is_known boolean, available_balance numeric, processing_balance numeric,
	staking_balance numeric, claimable_balance numeric, unchanged_since timestamptz, last_known_at timestamptz, observed_at timestamptz,
	currency text, price numeric, price_as_of timestamptz, total_value numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT s.asset_id, s.asset_name, s.network_id, s.network_name, s.all_total, s.warm_total, s.cold_total, s.all_is_known,
		s.warm_is_known, s.cold_is_known, s.available_balance, s.processing_balance, s.staking_balance, s.claimable_balance,
		s.unchanged_since, s.last_known_at, s.observed_at, "in_currency", p.price, p.as_of, trim_scale(s.all_total * p.price)
	FROM (
		SELECT b.asset_id, max(b.asset_name) AS asset_name, b.network_id, max(b.network_name) AS network_name,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'all') AS all_total,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'warm') AS warm_total,
			max(b.total_balance) FILTER (WHERE b.vault_type = 'cold') AS cold_total,
			-- Null only where an observation showed that there is no such balance: not where there is none of these vaults, and not where
			-- it may be a record that could not be identified.
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'all'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'all', "at", "on_day") o
			) IS TRUE, true)) AS all_is_known,
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'warm'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'warm', "at", "on_day") o
			) IS TRUE, true)) AS warm_is_known,
			coalesce(bool_or(b.is_known) FILTER (WHERE b.vault_type = 'cold'), nullif((
				SELECT o.unidentified_count = 0 FROM reporting.snapshot_held("account", 'cold', "at", "on_day") o
			) IS TRUE, true)) AS cold_is_known,
			max(b.available_balance) FILTER (WHERE b.vault_type = 'all') AS available_balance,
			max(b.processing_balance) FILTER (WHERE b.vault_type = 'all') AS processing_balance,
			max(b.staking_balance) FILTER (WHERE b.vault_type = 'all') AS staking_balance,
			max(b.claimable_balance) FILTER (WHERE b.vault_type = 'all') AS claimable_balance,
			max(b.unchanged_since) FILTER (WHERE b.vault_type = 'all') AS unchanged_since,
			max(b.last_known_at) FILTER (WHERE b.vault_type = 'all') AS last_known_at,
			max(b.observed_at) FILTER (WHERE b.vault_type = 'all') AS observed_at, max(b.priced_before) AS priced_before
		FROM reporting.balances_held("account", "at", "on_day") b
		GROUP BY b.asset_id, b.network_id
	) AS s
	LEFT JOIN LATERAL reporting.price_known("account", s.asset_id, "in_currency", s.priced_before, 'infinity') AS p ON true;
END;

COMMENT ON FUNCTION "reporting"."balance_split"(text, text, timestamptz, date) IS 'The balances of balances_held with those of all, warm and cold vaults side by side, and the value of all in one currency, if one is given: one row per asset and network. The parts are those of all vaults. A total is null if it is unknown (is_known is false) or not listed (is_known is null).';
