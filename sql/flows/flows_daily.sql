CREATE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount, f.missing
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
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND s.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY s.asset_id, s.network_id
) AS f;

COMMENT ON VIEW "reporting"."flows_daily" IS 'Inflows and outflows by day and asset, as known now: completed deposits and withdrawals, on the day on which each was first seen as completed. Fees are not included: see fees_daily. A day without flows has no row. For what was reported when a day was over, see flows_daily_at and late_corrections.';
COMMENT ON COLUMN "reporting"."flows_daily"."deposits" IS 'Number of completed deposits.';
COMMENT ON COLUMN "reporting"."flows_daily"."in_amount" IS 'Sum of their amounts; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."withdrawals" IS 'Number of completed withdrawals.';
COMMENT ON COLUMN "reporting"."flows_daily"."out_amount" IS 'Sum of their amounts, without fees; null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."net_amount" IS 'in_amount - out_amount; null if either is null.';
