-- What each observed change did to the balances: the lines of the reconciliation. A line never changes.
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

COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by accounting_rules: one row per change and asset. Amounts, fees and the rules of custody.fee_rules are those known at observed_at. A later correction is a row of its own with the difference, and earlier rows stay: the rows observed until a moment are what was known then. What existed before the mirror is not posted, because the first balances include it.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet; of a correction, that of the status before it, because it has no bound of its own. Null when unknown.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting. For a correction, as to_status.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
