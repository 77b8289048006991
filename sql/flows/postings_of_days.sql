-- Day by day: all at once, the postings of the whole history would be computed and sorted for the first page.
CREATE FUNCTION "reporting"."postings_of_days"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	day date, transaction_id text, kind text, sequence integer, revision integer, observed_after timestamptz, observed_at timestamptz,
	transaction_type text, from_status text, to_status text, asset_id text, asset_name text, network_id text, inflow numeric,
	outflow numeric, fee numeric, total_change numeric, staked_change numeric, fee_asset_is_assumed boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.day, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status,
		p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change, p.fee_asset_is_assumed
	FROM reporting.calendar c CROSS JOIN LATERAL (
		SELECT q.* FROM reporting.postings q
		WHERE q.account_id = "account" AND q.observed_at >= greatest(c.starts_at, coalesce("since", '-infinity'))
			AND q.observed_at < least(c.ends_at, coalesce("until", 'infinity'))
		OFFSET 0
	) AS p
	WHERE c.account_id = "account" AND c.ends_at > coalesce("since", '-infinity') AND c.starts_at < coalesce("until", 'infinity');
END;

COMMENT ON FUNCTION "reporting"."postings_of_days"(text, timestamptz, timestamptz) IS 'The postings of an account with the calendar day of observed_at, from a moment on and before another; null for no bound.';
