CREATE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share,
	b.is_known, l.asked_at, l.answered_at
FROM (
	-- The last tick with all three observations: figures of different ticks are never compared.
	SELECT a.account_id, s.snapshot_at, s.asked_at, s.answered_at, s.all_unidentified, s.warm_unidentified, s.cold_unidentified
	FROM custody.accounts a
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at, least(s.asked_at, w.asked_at, c.asked_at) AS asked_at,
			greatest(s.answered_at, w.answered_at, c.answered_at) AS answered_at, s.unidentified_count > 0 AS all_unidentified,
			w.unidentified_count > 0 AS warm_unidentified, c.unidentified_count > 0 AS cold_unidentified
		FROM custody.balance_snapshots s
		JOIN custody.balance_snapshots w ON w.account_id = s.account_id AND w.vault_type = 'warm' AND w.snapshot_at = s.snapshot_at
		JOIN custody.balance_snapshots c ON c.account_id = s.account_id AND c.vault_type = 'cold' AND c.snapshot_at = s.snapshot_at
		WHERE s.account_id = a.account_id AND s.vault_type = 'all'
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS s
) AS l
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name, q.network_id, max(q.network_name) AS network_name,
		-- An unlisted asset has balance 0, unless it may be an unidentified record; one listed without a figure is unknown.
		CASE WHEN bool_or(q.vault_type = 'warm' AND q.total_balance IS NULL)
				OR l.warm_unidentified AND NOT bool_or(q.vault_type = 'warm') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'warm'), 0) END AS warm_total,
		CASE WHEN bool_or(q.vault_type = 'cold' AND q.total_balance IS NULL)
				OR l.cold_unidentified AND NOT bool_or(q.vault_type = 'cold') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'cold'), 0) END AS cold_total,
		CASE WHEN bool_or(q.vault_type = 'all' AND q.total_balance IS NULL)
				OR l.all_unidentified AND NOT bool_or(q.vault_type = 'all') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'all'), 0) END AS all_total,
		bool_and(q.is_known) AND (bool_or(q.vault_type = 'warm') OR NOT l.warm_unidentified)
			AND (bool_or(q.vault_type = 'cold') OR NOT l.cold_unidentified)
			AND (bool_or(q.vault_type = 'all') OR NOT l.all_unidentified) AS is_known
	FROM (
		SELECT v.vault_type, s.asset_id, s.asset_name, s.network_id, s.network_name, s.total_balance, s.is_known
		FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
		CROSS JOIN LATERAL reporting.balances_shown(l.account_id, v.vault_type, l.snapshot_at) AS s
	) AS q
	GROUP BY q.asset_id, q.network_id
) AS b;

COMMENT ON VIEW "reporting"."vault_split" IS 'Warm and cold balances side by side, from the last tick that observed all, warm and cold. The three are separate answers, a moment apart. A total with an unreadable part is null, and so is everything computed from it.';
COMMENT ON COLUMN "reporting"."vault_split"."observed_at" IS 'When the balances were observed.';
COMMENT ON COLUMN "reporting"."vault_split"."warm_total" IS 'Total balance of the warm vaults; 0 if they do not list the asset; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_total" IS 'Total balance of the cold vaults; 0 if they do not list the asset; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."all_total" IS 'Total balance of all vaults, as the service sends it; null if unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."difference" IS 'all_total - warm_total - cold_total.';
COMMENT ON COLUMN "reporting"."vault_split"."agrees" IS 'True if the difference is 0; null if a total is null.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_share" IS 'Share of the cold vaults, from 0 to 1, rounded to 6 places.';
COMMENT ON COLUMN "reporting"."vault_split"."is_known" IS 'True if all three could be read. If false, at least one total is unknown and null, because a record could not be read.';
COMMENT ON COLUMN "reporting"."vault_split"."asked_at" IS 'When the first request for the three began.';
COMMENT ON COLUMN "reporting"."vault_split"."answered_at" IS 'When the last answer for the three arrived.';
