-- A balance that a snapshot does not show is zero, unless it may be one of the records that could not be read. Rows are grouped, not
-- joined by their keys: without statistics such a join compares each with each.
CREATE FUNCTION "internal"."compared_totals"("account" text, "at" timestamptz, "before" timestamptz) RETURNS TABLE (
	asset_id text, network_id text, "all" text, warm text, cold text, difference text, holds boolean, differed_before boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH tick AS MATERIALIZED (
		SELECT s.vault_type, s.snapshot_at, s.unidentified_count FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.snapshot_at IN ("at", "before")
	), relevant AS (
		SELECT b.vault_type, b.asset_id, b.network_id, b.valid_from, b.valid_to, b.total_balance AS total, true AS is_held
		FROM custody.balances b WHERE b.account_id = "account" AND b.valid_to IS NULL
		UNION ALL
		SELECT b.vault_type, b.asset_id, b.network_id, b.valid_from, b.valid_to, b.total_balance, true
		FROM custody.balances b WHERE b.account_id = "account" AND b.valid_to > "before"
		UNION ALL
		SELECT u.vault_type, u.asset_id, u.network_id, u.valid_from, u.valid_to, NULL, false
		FROM custody.unreadable_balances u WHERE u.account_id = "account" AND (u.valid_to IS NULL OR u.valid_to > "before")
	), cells AS (
		SELECT r.asset_id, r.network_id, t.vault_type, t.snapshot_at = "at" AS is_now, bool_or(r.is_held AND s.is_shown) AS is_held,
			CASE WHEN NOT bool_or(s.is_shown AND r.total IS NULL) THEN
				coalesce(max(r.total) FILTER (WHERE s.is_shown), CASE WHEN t.unidentified_count = 0 THEN 0 END) END AS total
		FROM relevant r CROSS JOIN tick t CROSS JOIN LATERAL (
			SELECT r.vault_type = t.vault_type AND r.valid_from <= t.snapshot_at
				AND coalesce(r.valid_to, 'infinity') > t.snapshot_at AS is_shown
		) AS s
		GROUP BY r.asset_id, r.network_id, t.vault_type, t.snapshot_at, t.unidentified_count
	), totals AS (
		SELECT c.asset_id, c.network_id, max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'all') AS all_now,
			max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'warm') AS warm_now,
			max(c.total) FILTER (WHERE c.is_now AND c.vault_type = 'cold') AS cold_now,
			max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'all')
				- max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'warm')
				- max(c.total) FILTER (WHERE NOT c.is_now AND c.vault_type = 'cold') AS difference_before
		FROM cells c GROUP BY c.asset_id, c.network_id HAVING bool_or(c.is_held)
	)
	SELECT t.asset_id, t.network_id, t.all_now::text, t.warm_now::text, t.cold_now::text, d.difference::text,
		d.difference = 0, d.difference <> 0 AND d.difference = t.difference_before
	FROM totals t CROSS JOIN LATERAL (SELECT t.all_now - t.warm_now - t.cold_now AS difference) AS d;
END;

COMMENT ON FUNCTION "internal"."compared_totals"(text, timestamptz, timestamptz) IS 'By asset, the balances in all, warm and cold vaults in the snapshots of one tick, what the first is more than the others together, and whether the tick before showed the same difference.';
