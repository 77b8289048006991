-- The one rule by which prices are chosen: the last one before a moment, and none of the future. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."price_before"("account" text, "asset" text, "currency" text, "before" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(q.price), q.as_of FROM custody.asset_prices q
	WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "price_before"."currency"
		AND q.as_of < "before" AND q.as_of <= now()
	ORDER BY q.as_of DESC LIMIT 1;
END;

COMMENT ON FUNCTION "reporting"."price_before"(text, text, text, timestamptz) IS 'The last price of an asset in a currency before a moment, from custody.asset_prices; no row where there is none. The end of a day takes the last price before the day ends: give the day''s ends_at of reporting.calendar.';
