CREATE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, 'infinity', 'infinity') AS p;

COMMENT ON VIEW "reporting"."balance_values" IS 'The balances last observed, valued at the latest price in custody.asset_prices. Only assets that have a price have a row: an asset that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."balance_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values"."age" IS 'How long ago the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
