CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
	t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note, t.first_seen_at, t.status_since,
	now() - t.status_since AS time_in_status, t.age, round(extract(epoch FROM t.age) / 3600, 2) AS age_hours,
	CASE
		WHEN t.age < interval '1 hour' THEN 'under 1 hour'
		WHEN t.age < interval '4 hours' THEN '1 to 4 hours'
		WHEN t.age < interval '24 hours' THEN '4 to 24 hours'
		WHEN t.age < interval '72 hours' THEN '1 to 3 days'
		WHEN t.age < interval '168 hours' THEN '3 to 7 days'
		ELSE 'over 7 days'
	END AS age_band,
	CASE
		WHEN t.age < interval '1 hour' THEN 1
		WHEN t.age < interval '4 hours' THEN 2
		WHEN t.age < interval '24 hours' THEN 3
		WHEN t.age < interval '72 hours' THEN 4
		WHEN t.age < interval '168 hours' THEN 5
		ELSE 6
	END AS age_band_order,
	t.is_older_than_mirror
FROM reporting.transactions t
WHERE t.is_open;

COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each, with their age. Those it no longer shows are in missing_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since first_seen_at.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'Age in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'Age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
