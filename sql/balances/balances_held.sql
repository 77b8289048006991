-- The balances of an account and the moment before which their prices are chosen: one of its three parts has rows. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."balances_held"("account" text, "at" timestamptz, "on_day" date) RETURNS TABLE (
	vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric, available_balance numeric,
	processing_balance numeric, staking_balance numeric, claimable_balance numeric, is_known boolean, last_known_at timestamptz,
	unchanged_since timestamptz, observed_at timestamptz, priced_before timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		'infinity'::timestamptz
	FROM reporting.balances_current b
	WHERE "at" IS NULL AND "on_day" IS NULL AND b.account_id = "account"
	UNION ALL
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		"at" + interval '1 microsecond'
	FROM reporting.balances_at("at") b
	WHERE "at" IS NOT NULL AND b.account_id = "account"
	UNION ALL
	SELECT b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance, b.available_balance,
		b.processing_balance, b.staking_balance, b.claimable_balance, b.is_known, b.last_known_at, b.unchanged_since, b.observed_at,
		b.ends_at
	FROM reporting.balances_daily b
	WHERE b.day = "on_day" AND b.account_id = "account";
END;

COMMENT ON FUNCTION "reporting"."balances_held"(text, timestamptz, date) IS 'The balances of an account as known at a moment (balances_at), or at the close of a day (balances_daily): pass one of the two, or null for both to get those of now (balances_current). Prices count before priced_before.';
