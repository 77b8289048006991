CREATE VIEW "reporting"."balances_current" AS
SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age,
	b.is_known, b.last_known_at, l.asked_at, l.answered_at
FROM custody.accounts a
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS b;

COMMENT ON VIEW "reporting"."balances_current" IS 'Last observed balances, one row per asset and vault type.';
COMMENT ON COLUMN "reporting"."balances_current"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balances_current"."age" IS 'Time since observed_at.';
