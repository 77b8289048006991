CREATE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount, o.missing
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
	FROM internal.settlements s
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
	GROUP BY s.transaction_type, s.asset_id, s.network_id
) AS o;

COMMENT ON VIEW "reporting"."transaction_outcomes_daily" IS 'How transactions ended, by day, type and asset, as known now: each counts once, on the day on which its current settled status was first seen. Those that had that status before the mirror began are left out. For past knowledge, see transaction_outcomes_daily_at.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."settled" IS 'Number of transactions settled on the day.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."rejected" IS 'Of these, rejected.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."cancelled" IS 'Of these, cancelled.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."failed" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_share" IS 'Share of those rejected, cancelled or failed, from 0 to 1, rounded to 6 places.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed_amount" IS 'Sum of the completed amounts; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_amount" IS 'Sum of the other amounts; null if the service sent no amount for one of them.';
