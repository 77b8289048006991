-- Not for BI tools, which know no arrays. More than 366 days would not fit into a small line, nor hundreds of rows into a small answer.
CREATE FUNCTION "custody"."balance_trends"("account" text, "since" date, "until" date) RETURNS TABLE (
	vault_type text, asset_id text, network_id text, from_day date, to_day date, days text[], totals text[]
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH span AS (
		SELECT greatest(coalesce("since", e.to_day - 29), e.to_day - 365) AS from_day, e.to_day
		FROM (SELECT coalesce("until", max(c.day)) AS to_day FROM reporting.calendar c WHERE c.account_id = "account") AS e
	)
	SELECT b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day,
		array_agg(to_char(b.day, 'YYYY-MM-DD') ORDER BY b.day), array_agg(b.total_balance::text ORDER BY b.day)
	FROM span s JOIN reporting.balances_daily b ON b.account_id = "account" AND b.day BETWEEN s.from_day AND s.to_day
	WHERE b.total_balance IS NOT NULL
	GROUP BY b.vault_type, b.asset_id, b.network_id, s.from_day, s.to_day;
END;

COMMENT ON FUNCTION "custody"."balance_trends"(text, date, date) IS 'How much of each asset was held at the end of each day of a span, in one row for each asset: the days at whose end the balance was known, in order, and the totals. Without a first day 30 days, without a last one up to today, and at most 366.';
