CREATE VIEW "reporting"."reconciliation_uncertain" AS
SELECT c.account_id, c.day, e.snapshot_at AS closing_observed_at, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind,
	p.number, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee,
	p.total_change, p.staked_change
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
-- OFFSET 0 keeps the planner from searching all observations before the one of the day is known.
CROSS JOIN LATERAL (
	SELECT u.* FROM reporting.uncertain_lines(c.account_id, e.snapshot_at, NULL) AS u OFFSET 0
) AS p;

COMMENT ON VIEW "reporting"."reconciliation_uncertain" IS 'Postings that may lie on either side of the last observation of a day: each change may have come before the balances were read or after. That observation closes the day and opens the next day that has one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."closing_observed_at" IS 'When the observation was made (its snapshot_at): the last one answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
