-- The observations are those of reconciliation_daily.
CREATE VIEW "reporting"."reconciliation_postings" AS
SELECT c.account_id, c.day, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind, coalesce(p.sequence, p.revision) AS number,
	p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee, p.total_change,
	p.staked_change, p.fee_asset_is_assumed
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o
CROSS JOIN LATERAL (
	SELECT w.* FROM reporting.postings w
	WHERE w.account_id = c.account_id AND w.observed_at > o.answered_at AND w.observed_at <= e.answered_at OFFSET 0
) AS p;

COMMENT ON VIEW "reporting"."reconciliation_postings" IS 'Postings behind each day of reconciliation_daily: those seen after its opening observation, and not after its closing one. Their sums are its inflow, outflow and fees.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee_asset_is_assumed" IS 'True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. Null for a correction that changes no fee.';
