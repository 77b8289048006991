-- The day of the account is that of UTC or a neighbour, so few days of the calendar are computed.
CREATE FUNCTION "reporting"."postings_of_transaction"("account" text, "transaction" text) RETURNS TABLE (
	day date, transaction_id text, kind text, sequence integer, revision integer, observed_after timestamptz, observed_at timestamptz,
	transaction_type text, from_status text, to_status text, asset_id text, asset_name text, network_id text, inflow numeric,
	outflow numeric, fee numeric, total_change numeric, staked_change numeric, fee_asset_is_assumed boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.day, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status,
		p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change, p.fee_asset_is_assumed
	FROM reporting.postings p
	CROSS JOIN LATERAL (SELECT (p.observed_at AT TIME ZONE 'UTC')::date AS utc_day) AS d
	JOIN reporting.calendar c ON c.account_id = p.account_id AND c.day BETWEEN d.utc_day - 1 AND d.utc_day + 1
		AND p.observed_at >= c.starts_at AND p.observed_at < c.ends_at
	WHERE p.account_id = "account" AND p.transaction_id = "transaction";
END;

COMMENT ON FUNCTION "reporting"."postings_of_transaction"(text, text) IS 'The postings of one transaction with the calendar day of observed_at.';
