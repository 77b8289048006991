-- Transactions that the service no longer shows: it is unknown whether they are open or settled.
CREATE VIEW "reporting"."vanished_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;

COMMENT ON VIEW "reporting"."vanished_transactions" IS 'Transactions that the service no longer shows, one row each, as last seen: two verified sweeps in a row did not meet them, and the service does not know their identifiers.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."missing_since" IS 'Since when the service no longer shows it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."was_open" IS 'It was not settled when it was last seen: its fate is unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves. From the transaction itself, so that it is set even when vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_name" IS 'Name of the own vault: from the transaction, else its present name.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_type" IS 'Type of the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it appeared between this and first_seen_at. Null when unknown, as for what existed before the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status_since" IS 'When the mirror first saw the present status. The change itself happened between the reading before and this moment.';
