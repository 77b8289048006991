CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
	f.transactions, trim_scale(f.fee) AS fee, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
		count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND r.total_fee_factor <> 0 AND s.fee <> 0
	GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
) AS f;

COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees paid by the account, by day, fee asset, asset of the transaction and type, as known now. A transaction counts if accounting_rules charge a fee for its status, on the day on which that status was first seen. Fees of null or 0 are left out. For past knowledge, see fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Number of transactions with a fee other than 0.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees, in units of fee_asset_id.';
