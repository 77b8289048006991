-- Transactions seen more than a week later do not count as uncertain, as in reconciliation_daily.
CREATE VIEW "reporting"."reconciliation_uncertain" AS
SELECT c.account_id, c.day, e.snapshot_at AS closing_observed_at, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind,
	p.number, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee,
	p.total_change, p.staked_change
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
-- OFFSET 0 keeps the observation from being looked for among all before the one of the day is known.
CROSS JOIN LATERAL (
	SELECT u.* FROM reporting.uncertain_lines(c.account_id, e.snapshot_at, e.answered_at + interval '7 days') AS u OFFSET 0
) AS p;

COMMENT ON VIEW "reporting"."reconciliation_uncertain" IS 'The postings that may lie on either side of the last observation of a day: each change may have come before the balances were read or after. It is the closing observation of that day, and the opening one of the next day that has one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."closing_observed_at" IS 'When the observation was made (its snapshot_at): the last one that was answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
