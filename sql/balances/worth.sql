CREATE VIEW "reporting"."worth" AS
SELECT v.account_id, v.vault_type, v.currency,
	CASE WHEN v.valued_assets > 0 OR v.assets = 0 THEN trim_scale(v.total_value) END AS total_value,
	CASE WHEN v.valued_assets > 0 OR v.assets = 0 THEN trim_scale(v.available_value) END AS available_value,
	CASE WHEN v.valued_assets > 0 OR v.assets = 0 THEN trim_scale(v.processing_value) END AS processing_value,
	CASE WHEN v.valued_assets > 0 OR v.assets = 0 THEN trim_scale(v.staking_value) END AS staking_value,
	CASE WHEN v.valued_assets > 0 OR v.assets = 0 THEN trim_scale(v.claimable_value) END AS claimable_value,
	v.assets, v.valued_assets, v.unpriced_assets, v.unknown_assets, v.oldest_price_as_of, v.observed_at
FROM (
	SELECT b.account_id, b.vault_type, c.currency, max(b.observed_at) AS observed_at,
		coalesce(sum(b.total_balance * p.price), 0) AS total_value,
		-- A part that the service did not send is unknown, not zero.
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.available_balance IS NULL), false)
			THEN coalesce(sum(b.available_balance * p.price), 0) END AS available_value,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.processing_balance IS NULL), false)
			THEN coalesce(sum(b.processing_balance * p.price), 0) END AS processing_value,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.staking_balance IS NULL), false)
			THEN coalesce(sum(b.staking_balance * p.price), 0) END AS staking_value,
		CASE WHEN NOT coalesce(bool_or(b.total_balance * p.price <> 0 AND b.claimable_balance IS NULL), false)
			THEN coalesce(sum(b.claimable_balance * p.price), 0) END AS claimable_value,
		count(*) FILTER (WHERE b.total_balance IS DISTINCT FROM 0) AS assets,
		count(*) FILTER (WHERE b.total_balance <> 0 AND p.price IS NOT NULL) AS valued_assets,
		count(*) FILTER (WHERE b.total_balance <> 0 AND p.price IS NULL) AS unpriced_assets,
		count(*) FILTER (WHERE b.total_balance IS NULL) AS unknown_assets,
		min(p.as_of) FILTER (WHERE b.total_balance <> 0) AS oldest_price_as_of
	FROM reporting.balances_current b
	JOIN internal.price_currencies c ON c.account_id = b.account_id
	LEFT JOIN LATERAL (
		SELECT q.price, q.as_of FROM custody.asset_prices q
		WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= now()
		ORDER BY q.as_of DESC LIMIT 1
	) AS p ON true
	GROUP BY b.account_id, b.vault_type, c.currency
) AS v;

COMMENT ON VIEW "reporting"."worth" IS 'What the balances last observed are worth, by currency of custody.asset_prices, at the latest prices. Without prices there is no row. Assets without a price and unknown balances are left out of the values, and counted.';
COMMENT ON COLUMN "reporting"."worth"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."worth"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."worth"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."worth"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. It leaves out unpriced_assets and unknown_assets. Null when nothing of what is held has a price.';
COMMENT ON COLUMN "reporting"."worth"."available_value" IS 'The same of the part that is available; null also when the service did not send the part of an asset.';
COMMENT ON COLUMN "reporting"."worth"."processing_value" IS 'The same of the part that is being processed in transactions.';
COMMENT ON COLUMN "reporting"."worth"."staking_value" IS 'The same of the part that is staked.';
COMMENT ON COLUMN "reporting"."worth"."claimable_value" IS 'The same of the part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."worth"."assets" IS 'How many assets are held: balances that are not 0, unknown ones included. An asset counts once for each network.';
COMMENT ON COLUMN "reporting"."worth"."valued_assets" IS 'Of these, how many are in the values.';
COMMENT ON COLUMN "reporting"."worth"."unpriced_assets" IS 'Of these, how many have no price in the currency: the values leave them out.';
COMMENT ON COLUMN "reporting"."worth"."unknown_assets" IS 'Of these, how many could not be read: their balance is unknown, and the values leave them out.';
COMMENT ON COLUMN "reporting"."worth"."oldest_price_as_of" IS 'From when on the oldest of the prices holds.';
COMMENT ON COLUMN "reporting"."worth"."observed_at" IS 'When the observation of these figures was made.';
