-- The one rule that chooses prices: the last one before a moment, never a future one, as known at another moment. If two periods
-- overlap, because an earlier known_from was stated, the price stated last counts: it has the later known_until, or none. Knowledge of
-- now needs no former price: without that condition every one of them would be read. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."price_known"("account" text, "asset" text, "in_currency" text, "before" timestamptz, "as_known_at" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz, known_until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(k.price), k.as_of, k.known_until FROM (
		(
			SELECT q.price, q.as_of, NULL::timestamptz AS known_until FROM custody.asset_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now()) AND q.known_from <= "as_known_at"
			ORDER BY q.as_of DESC LIMIT 1
		)
		UNION ALL
		(
			SELECT q.price, q.as_of, q.known_until FROM custody.former_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now())
				AND "as_known_at" < now() AND q.known_from <= "as_known_at" AND q.known_until > "as_known_at"
			ORDER BY q.as_of DESC, q.known_until DESC LIMIT 1
		)
	) AS k
	ORDER BY k.as_of DESC, k.known_until DESC NULLS FIRST LIMIT 1;
END;

COMMENT ON FUNCTION "reporting"."price_known"(text, text, text, timestamptz, timestamptz) IS 'The last price of an asset in a currency before one moment, as known at another, from custody.asset_prices and custody.former_prices, with the moment at which it was replaced or removed. No row if no price was known. Pass ''infinity'' as the second moment for the prices known now. For the end of a day, pass ends_at of reporting.calendar as the first.';
