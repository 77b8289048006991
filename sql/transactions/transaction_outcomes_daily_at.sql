-- Like reporting.transaction_outcomes_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."transaction_outcomes_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, transaction_type text, asset_id text, asset_name text, network_id text, settled bigint,
	completed bigint, rejected bigint, cancelled bigint, failed bigint, unsuccessful_share numeric, completed_amount numeric,
	unsuccessful_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
		o.settled, o.completed, o.rejected, o.cancelled, o.failed,
		round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6),
		trim_scale(o.completed_amount), trim_scale(o.unsuccessful_amount), o.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) AS settled,
			count(*) FILTER (WHERE s.status = 'completed') AS completed,
			count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
			count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
			count(*) FILTER (WHERE s.status = 'failed') AS failed,
			-- An unknown amount makes the sum unknown.
			CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
			CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.transaction_type, s.asset_id, s.network_id
	) AS o;
END;

COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as known at a moment, including what was seen exactly then. For a closed day pass ends_at of calendar minus interval ''1 microsecond''.';
