-- What each observed change did to the balances: the lines of the reconciliation. A line never changes, except for the asset of a fee
-- when a person changes the rules.
CREATE VIEW "reporting"."postings" AS
SELECT p.account_id, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type,
	p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, trim_scale(p.inflow) AS inflow, trim_scale(p.outflow) AS outflow,
	trim_scale(p.fee) AS fee, trim_scale(p.inflow - p.outflow - p.fee) AS total_change, trim_scale(p.staked_change) AS staked_change,
	p.fee_asset_is_assumed
FROM (
	SELECT account_id, transaction_id, 'status' AS kind, sequence, NULL::integer AS revision, observed_after, observed_at,
		transaction_type, from_status, to_status, asset_id, asset_name, network_id, inflow, outflow, fee, staked_change,
		fee_asset_is_assumed
	FROM internal.posted_statuses
	UNION ALL
	SELECT account_id, transaction_id, 'correction', NULL, revision, observed_after, observed_at, transaction_type, to_status, to_status,
		asset_id, asset_name, network_id, inflow, outflow, fee, staked_change, fee_asset_is_assumed
	FROM internal.posted_corrections
) AS p;

COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by accounting_rules: one row per change and asset. Amounts and fees are those known at observed_at. A later correction is a row of its own with the difference, and earlier rows stay: the rows observed until a moment are what was known then. What existed before the mirror is not posted, because the first balances include it.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
