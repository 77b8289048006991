CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.transaction_type, f.transactions, trim_scale(f.fee) AS fee
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT t.asset_id, max(t.asset_name) AS asset_name, t.network_id, t.transaction_type, count(*) AS transactions, sum(t.fee) AS fee
	FROM custody.transactions t
	JOIN reporting.accounting_rules r ON r.transaction_type = t.transaction_type AND r.status = t.status
	WHERE t.account_id = c.account_id AND t.status_changed_at >= c.starts_at AND t.status_changed_at < c.ends_at
		AND t.status_changed_at > a.transactions_since AND r.total_fee_factor <> 0 AND t.fee <> 0
	GROUP BY t.asset_id, t.network_id, t.transaction_type
) AS f;

COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees the account paid, by day, asset and type: of transactions settled on the day whose status costs a fee by accounting_rules. The fee is in the asset of the transaction.';
COMMENT ON COLUMN "reporting"."fees_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."fees_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."fees_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."fees_daily"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Transactions that cost a fee.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees.';
