CREATE FUNCTION "reporting"."balance_values_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, asset_id text, asset_name text, network_id text, network_name text, currency text, price numeric,
	price_as_of timestamptz, total_balance numeric, total_value numeric, is_known boolean, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, c.currency, p.price, p.as_of, b.total_balance,
		trim_scale(b.total_balance * p.price), b.is_known, b.observed_at
	FROM reporting.balances_held("account", "at", "on_day") b
	CROSS JOIN reporting.currencies_priced("account") c
	CROSS JOIN LATERAL reporting.price_known("account", b.asset_id, c.currency, b.priced_before, 'infinity') AS p;
END;

COMMENT ON FUNCTION "reporting"."balance_values_held"(text, timestamptz, date) IS 'The balances of balances_held, valued at the last price of custody.asset_prices by then. Only assets with a price have a row: a missing asset is not worthless.';
