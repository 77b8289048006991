CREATE VIEW "reporting"."balance_changes" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_from AS changed_at,
	u.snapshot_at AS unchanged_until,
	CASE WHEN u.snapshot_at IS NULL THEN 'first observed' WHEN p.valid_from IS NULL THEN 'appeared' ELSE 'changed' END AS change,
	trim_scale(p.total_balance) AS total_before, trim_scale(b.total_balance) AS total_after,
	trim_scale(CASE WHEN u.snapshot_at IS NULL THEN NULL WHEN p.valid_from IS NULL THEN b.total_balance
		ELSE b.total_balance - p.total_balance END) AS total_change,
	trim_scale(p.available_balance) AS available_before, trim_scale(b.available_balance) AS available_after,
	trim_scale(p.processing_balance) AS processing_before, trim_scale(b.processing_balance) AS processing_after,
	trim_scale(p.staking_balance) AS staking_before, trim_scale(b.staking_balance) AS staking_after,
	trim_scale(p.claimable_balance) AS claimable_before, trim_scale(b.claimable_balance) AS claimable_after,
	u.asked_at AS changed_after, f.answered_at AS changed_before
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_from
LEFT JOIN LATERAL (
	SELECT q.* FROM custody.balances q
	WHERE q.account_id = b.account_id AND q.vault_type = b.vault_type AND q.asset_id = b.asset_id
	AND q.network_id = b.network_id AND q.valid_from < b.valid_from
	ORDER BY q.valid_from DESC LIMIT 1
) AS p ON p.valid_to = b.valid_from
-- A snapshot with an unidentified record may lack a balance that existed.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_from
		AND (s.unidentified_count = 0 OR s.snapshot_at >= p.valid_from)
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- The same amounts with other trailing zeros are not a change.
WHERE b.unchanged_since = b.valid_from
UNION ALL
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_to,
	u.snapshot_at, 'disappeared',
	trim_scale(b.total_balance), NULL, trim_scale(-b.total_balance),
	trim_scale(b.available_balance), NULL, trim_scale(b.processing_balance), NULL,
	trim_scale(b.staking_balance), NULL, trim_scale(b.claimable_balance), NULL,
	u.asked_at, f.answered_at
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_to
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_to
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- OFFSET 0 makes the planner look up each row by index.
WHERE b.valid_to IS NOT NULL AND NOT EXISTS (
	SELECT FROM custody.balances n
	WHERE n.account_id = b.account_id AND n.vault_type = b.vault_type AND n.asset_id = b.asset_id
		AND n.network_id = b.network_id AND n.valid_from = b.valid_to
	OFFSET 0
);

COMMENT ON VIEW "reporting"."balance_changes" IS 'Every change of a balance between two observations, one row each, including assets that appear or are no longer listed. A different number of trailing zeros is not a change, nor is a balance that was unreadable for a time and is the same afterwards. Figures before are null if the asset is first observed or appears, figures after if it disappears; total_change then counts the whole balance.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_at" IS 'First observation (its snapshot_at) that showed the change, which happened between changed_after and changed_before.';
COMMENT ON COLUMN "reporting"."balance_changes"."unchanged_until" IS 'Last observation (its snapshot_at) that showed the balance without the change; observations in between could not read it. Null if no earlier observation showed it.';
COMMENT ON COLUMN "reporting"."balance_changes"."change" IS 'first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (no longer listed by the service).';
COMMENT ON COLUMN "reporting"."balance_changes"."total_before" IS 'Total balance before.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_after" IS 'Total balance after.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_change" IS 'total_after - total_before; null if change is first observed.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_before" IS 'Available part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_after" IS 'Available part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_before" IS 'Part being processed before.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_after" IS 'Part being processed after.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_before" IS 'Staked part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_after" IS 'Staked part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_before" IS 'Claimable part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_after" IS 'Claimable part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_after" IS 'Lower bound of the change: when the first request of the observation unchanged_until began. Null without an earlier observation.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_before" IS 'Upper bound of the change: when the last answer of the observation changed_at arrived.';
