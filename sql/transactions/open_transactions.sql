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

COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each, and since when. Those that it no longer shows are in vanished_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."open_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."open_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_name" IS 'Name of the own vault: from the transaction, else its present name.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_type" IS 'Type of the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."open_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."open_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."open_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."open_transactions"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."open_transactions"."status_since" IS 'When the mirror first saw the present status. The change itself happened between the reading before and this moment.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since it was first seen.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'The same in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'The age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
COMMENT ON COLUMN "reporting"."open_transactions"."is_older_than_mirror" IS 'It existed before the mirror, so that its beginning is unknown.';
