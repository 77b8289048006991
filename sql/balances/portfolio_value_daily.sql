CREATE VIEW "reporting"."portfolio_value_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	greatest(count(*) FILTER (WHERE b.total_balance IS NULL), max(s.unidentified_count)) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN custody.balance_snapshots s ON s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at = b.observed_at
JOIN internal.present_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;

COMMENT ON VIEW "reporting"."portfolio_value_daily" IS 'The total value of the balances last observed on each day, at the last prices before the day ended (today: until now) in custody.asset_prices: one row per vault type and currency. A day without observations, or on which nothing was listed, has no row: its value is unknown.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. It leaves out balances without a price and unknown ones: see without_price and unknown.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."valued" IS 'Number of balances in the sum, one per asset and network, zeros included.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."without_price" IS 'Number of nonzero balances without a price in the currency.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."unknown" IS 'Number of balances that could not be read, records that could not be identified included.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."oldest_price_as_of" IS 'When the oldest of the prices took effect; null for an empty sum.';
COMMENT ON COLUMN "reporting"."portfolio_value_daily"."observed_at" IS 'When the observation of these figures was made.';
