-- One index lookup per asset and currency of the account, instead of reading every price. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."currencies_priced"("account" text) RETURNS TABLE (currency text) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH RECURSIVE priced AS (
		(SELECT q.asset_id, q.currency FROM custody.asset_prices q WHERE q.account_id = "account" ORDER BY q.asset_id, q.currency LIMIT 1)
		UNION ALL
		SELECT n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
			SELECT q.asset_id, q.currency FROM custody.asset_prices q
			WHERE q.account_id = "account" AND (q.asset_id, q.currency) > (c.asset_id, c.currency)
			ORDER BY q.asset_id, q.currency LIMIT 1
		) AS n
	)
	SELECT DISTINCT p.currency FROM priced p;
END;

COMMENT ON FUNCTION "reporting"."currencies_priced"(text) IS 'The currencies in which an account has prices in custody.asset_prices.';
