-- The currencies that have prices: one index lookup per asset and currency, instead of reading every price.
CREATE VIEW "internal"."present_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT DISTINCT account_id, currency FROM priced;

COMMENT ON VIEW "internal"."present_currencies" IS 'Currencies in which an account has prices in custody.asset_prices.';
