-- The effect of each observed change on the balances: the lines of the reconciliation. A line never changes.
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

COMMENT ON VIEW "reporting"."postings" IS 'Effect of each observed change of a transaction on the total balance of an asset, by accounting_rules: one row per change and asset. A change of status always has a row in the asset of the transaction, a correction only in assets whose figures it changes. Amounts, fees and fee rules are those known at observed_at. A later correction adds a row with the difference; earlier rows never change, so the rows observed up to a moment are what was known then. Changes older than the mirror are not posted: the first balances include them.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet. A correction has no bound of its own and takes that of the last documented status before it, or of an earlier one if that is later. Null if unknown.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Previous status; null at the first sighting. For a correction, the same as to_status.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset moved. A fee in another asset than the transaction has its own row, if it moved.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True if custody.fee_rules had no rule for the fee when the change was seen, so fee_asset_id is an assumption. Null for a correction that changes no fee.';
