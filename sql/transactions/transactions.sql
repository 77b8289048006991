CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status,
	-- Null for a missing transaction. In this form a filter on is_open uses the index of open transactions.
	NOT reporting.is_settled(t.status) AND (t.missing_since IS NULL OR NULL) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed,
	nullif(p.own_id, '') AS vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND s.seen THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN CASE WHEN t.missing_since IS NULL THEN now() - t.first_seen_at END
		WHEN s.seen THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since, t.changed_at
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- A rule for the type wins over a rule for every type.
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = t.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = t.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
-- The account's side is the vault that money enters or leaves; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in,
		-- seen: the mirror saw the current status begin, even if the first sweep saw another one before.
		t.status_changed_at > a.transactions_since OR t.status_changed_at > t.first_seen_at AS seen
) AS s
CROSS JOIN LATERAL (
	SELECT s.comes_in,
		CASE WHEN s.comes_in THEN t.destination_id WHEN t.source_type = 'vault' THEN t.source_id END AS own_id,
		CASE WHEN s.comes_in THEN t.source_type ELSE t.destination_type END AS other_type,
		CASE WHEN s.comes_in THEN t.source_id ELSE t.destination_id END AS other_id
) AS p
LEFT JOIN custody.vaults ov ON ov.account_id = t.account_id AND ov.vault_id = p.own_id
LEFT JOIN custody.vaults cv ON cv.account_id = t.account_id AND cv.vault_id = p.other_id AND p.other_type = 'vault'
LEFT JOIN custody.whitelist_entries cw
	ON cw.account_id = t.account_id AND cw.entry_id = p.other_id AND p.other_type = 'whitelist';

COMMENT ON VIEW "reporting"."transactions" IS 'Transactions as last observed, one row each, with names of vaults and counterparties. Includes those that the service no longer shows: see missing_since.';
COMMENT ON COLUMN "reporting"."transactions"."is_open" IS 'True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown.';
COMMENT ON COLUMN "reporting"."transactions"."fee" IS 'Fee in units of fee_asset_id, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The account''s own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."vault_type" IS 'warm or cold; null if the vault is not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since first_seen_at; afterwards from first_seen_at to settled_at. Null if it is settled and settled_at is null, and if it went missing while open.';
COMMENT ON COLUMN "reporting"."transactions"."changed_at" IS 'When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since.';
