-- Transactions that the service no longer shows: it is unknown whether they are open or settled.
CREATE VIEW "reporting"."missing_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;

COMMENT ON VIEW "reporting"."missing_transactions" IS 'Transactions that the service no longer shows, one row each, as last seen: two verified sweeps in a row did not find them, and the service does not know their identifiers.';
COMMENT ON COLUMN "reporting"."missing_transactions"."missing_since" IS 'When the service stopped showing it.';
COMMENT ON COLUMN "reporting"."missing_transactions"."was_open" IS 'Whether it was not settled when last seen, so that its outcome is unknown.';
COMMENT ON COLUMN "reporting"."missing_transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."missing_transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."missing_transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
