CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p;

COMMENT ON VIEW "reporting"."balance_values_daily" IS 'Last observed balances of each day, valued at the last price in custody.asset_prices before the day ended (today: until now). Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'Time from observed_at to the end of the day (today: to now).';
