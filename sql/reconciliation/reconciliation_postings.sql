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

COMMENT ON VIEW "reporting"."reconciliation_postings" IS 'The postings behind each day of reconciliation_daily: those seen after its opening observation, and not after its closing one. Their sums are its inflow, outflow and fees.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
