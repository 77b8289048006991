-- internal.present_currencies plus the currencies in which prices were replaced or removed.
CREATE VIEW "reporting"."price_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.former_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.former_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT account_id, currency FROM internal.present_currencies
UNION
SELECT account_id, currency FROM priced;

COMMENT ON VIEW "reporting"."price_currencies" IS 'Currencies in which an account has, or once had, prices in custody.asset_prices.';
