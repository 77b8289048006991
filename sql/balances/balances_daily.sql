CREATE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at, c.ends_at
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
-- An observation counts from its last answer: everything it shows had happened by the end of the day.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b;

COMMENT ON VIEW "reporting"."balances_daily" IS 'Last observed balances of each day. An observation belongs to the day on which its last answer arrived. A day without observations has no rows; a day without changes has rows.';
COMMENT ON COLUMN "reporting"."balances_daily"."observed_at" IS 'When the balance was observed.';
COMMENT ON COLUMN "reporting"."balances_daily"."age" IS 'Time from observed_at to the end of the day (today: to now).';
