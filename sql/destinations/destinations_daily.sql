CREATE VIEW "reporting"."destinations_daily" AS
SELECT c.account_id, c.day, d.destination_type, d.destination_id, d.destination_name, d.destination_address, d.asset_id, d.asset_name,
	d.network_id, d.uses, d.completed_uses, d.completed_amount
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT t.destination_type, t.destination_id, max(t.destination_name) AS destination_name, t.destination_address,
		t.asset_id, max(t.asset_name) AS asset_name, t.network_id, count(*) AS uses,
		count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
		CASE WHEN NOT coalesce(bool_or(t.status = 'completed' AND t.amount IS NULL), false)
			THEN trim_scale(coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0)) END AS completed_amount
	FROM custody.transactions t
	WHERE t.account_id = c.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at >= c.starts_at AND t.first_seen_at < c.ends_at
	GROUP BY t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id
) AS d;

COMMENT ON VIEW "reporting"."destinations_daily" IS 'Withdrawals by the day on which they were first seen, by destination and asset.';
COMMENT ON COLUMN "reporting"."destinations_daily"."completed_amount" IS 'Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.';
