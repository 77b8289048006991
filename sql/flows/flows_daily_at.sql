-- Like reporting.flows_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."flows_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, asset_id text, asset_name text, network_id text, deposits bigint, in_amount numeric,
	withdrawals bigint, out_amount numeric, net_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount),
		f.withdrawals, trim_scale(f.out_amount), trim_scale(f.in_amount - f.out_amount), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) FILTER (WHERE r.direction = 'in') AS deposits,
			CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
			count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
			CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.status = 'completed' AND r.direction IN ('in', 'out')
				AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.asset_id, s.network_id
	) AS f;
END;

COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''. Compare it with flows_daily to see later corrections of a past day.';
