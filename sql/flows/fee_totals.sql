CREATE FUNCTION "reporting"."fee_totals"("account" text, "first_day" date, "last_day" date) RETURNS TABLE (
	fee_asset_id text, fee_asset_is_assumed boolean, transactions bigint, fee numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT f.fee_asset_id, bool_or(f.fee_asset_is_assumed), sum(f.transactions)::bigint, trim_scale(sum(f.fee))
	FROM reporting.fees_daily f
	WHERE f.account_id = "account" AND f.day >= coalesce("first_day", '-infinity') AND f.day <= coalesce("last_day", 'infinity')
	GROUP BY f.fee_asset_id;
END;

COMMENT ON FUNCTION "reporting"."fee_totals"(text, date, date) IS 'The fees of fees_daily over a span of days, both inclusive, by the asset in which they were paid; null for no bound. fee_asset_is_assumed is true if it is an assumption for some of them.';
