-- Every snapshot as full rows, from the intervals of custody.balances and custody.unreadable_balances.
CREATE VIEW "reporting"."balance_snapshots" AS
SELECT s.account_id, s.vault_type, s.snapshot_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.total_balance) END AS total_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.available_balance) END AS available_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.processing_balance) END AS processing_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.staking_balance) END AS staking_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.claimable_balance) END AS claimable_balance,
	CASE WHEN u.asset_id IS NULL THEN b.unchanged_since END AS unchanged_since, u.asset_id IS NULL AS is_known,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from
	) END AS last_known_at,
	u.valid_to AS next_known_at, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
-- The condition twice: as a range for the GiST index, and as bounds for a search from a balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
LEFT JOIN custody.unreadable_balances u ON u.account_id = b.account_id AND u.vault_type = b.vault_type
	AND u.asset_id = b.asset_id AND u.network_id = b.network_id
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
UNION ALL
-- Balances that were never readable have no interval in custody.balances.
SELECT s.account_id, s.vault_type, s.snapshot_at, u.asset_id, NULL, u.network_id, NULL,
	NULL, NULL, NULL, NULL, NULL, NULL, false,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from AND k.unidentified_count = 0
	) END,
	u.valid_to, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
JOIN custody.unreadable_balances u ON u.account_id = s.account_id AND u.vault_type = s.vault_type
	AND tstzrange(u.valid_from, u.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
WHERE NOT EXISTS (
	SELECT FROM custody.balances b
	WHERE b.account_id = u.account_id AND b.vault_type = u.vault_type AND b.asset_id = u.asset_id AND b.network_id = u.network_id
		AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
	OFFSET 0
);

COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows. The view is large: always filter by time, and by asset or vault type if you can. A moment without rows was not observed; it does not mean zero.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."snapshot_at" IS 'When the observation was made; the same for the three vault types of one tick.';
