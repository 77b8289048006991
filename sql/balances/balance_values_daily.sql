CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.price_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= b.observed_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p;

COMMENT ON VIEW "reporting"."balance_values_daily" IS 'The last observed balances of each day, valued at the latest price up to then in custody.asset_prices. Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balance_values_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'How long before the end of the day (today: before now) the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
