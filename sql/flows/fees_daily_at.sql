-- Like reporting.fees_daily, from the transactions and rules known at a moment.
CREATE FUNCTION "reporting"."fees_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, fee_asset_id text, fee_asset_is_assumed boolean, asset_id text, asset_name text, network_id text,
	transaction_type text, transactions bigint, fee numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
		f.transactions, trim_scale(f.fee), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
			count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND r.total_fee_factor <> 0 AND s.fee <> 0
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
	) AS f;
END;

COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. The asset of a fee follows the rules of custody.fee_rules known then.';
