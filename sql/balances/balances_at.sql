CREATE FUNCTION "reporting"."balances_at"("at" timestamptz) RETURNS TABLE (
	account_id text, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	total_balance numeric, available_balance numeric, processing_balance numeric, staking_balance numeric,
	claimable_balance numeric, unchanged_since timestamptz, observed_at timestamptz, age interval,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
		CASE WHEN b.is_known THEN b.total_balance END, CASE WHEN b.is_known THEN b.available_balance END,
		CASE WHEN b.is_known THEN b.processing_balance END, CASE WHEN b.is_known THEN b.staking_balance END,
		CASE WHEN b.is_known THEN b.claimable_balance END, CASE WHEN b.is_known THEN b.unchanged_since END,
		l.snapshot_at, "at" - l.snapshot_at, b.is_known, b.last_known_at, b.next_known_at
	FROM custody.accounts a
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	-- l: the last observation answered by then; n: the one in progress.
	LEFT JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at <= "at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l ON true
	LEFT JOIN LATERAL (
		SELECT CASE WHEN s.asked_at <= "at" THEN s.snapshot_at END AS snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at > "at"
		ORDER BY s.answered_at, s.snapshot_at LIMIT 1
	) AS n ON true
	CROSS JOIN LATERAL (
		SELECT asset_id, coalesce(o.asset_name, c.asset_name) AS asset_name, network_id,
			coalesce(o.network_name, c.network_name) AS network_name,
			o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance, o.unchanged_since,
			s.is_known,
			CASE WHEN NOT s.is_known THEN CASE WHEN o.is_known IS FALSE THEN o.last_known_at ELSE l.snapshot_at END END AS last_known_at,
			CASE WHEN NOT s.is_known THEN
				CASE WHEN n.snapshot_at IS NULL THEN o.next_known_at WHEN c.is_known IS FALSE THEN c.next_known_at ELSE n.snapshot_at END
			END AS next_known_at
		FROM reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS o
		FULL JOIN reporting.balances_shown(a.account_id, v.vault_type, n.snapshot_at) AS c USING (asset_id, network_id)
		CROSS JOIN LATERAL (
			SELECT coalesce(o.is_known AND (n.snapshot_at IS NULL OR c.is_known
				AND (o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance)
					IS NOT DISTINCT FROM
					(c.total_balance, c.available_balance, c.processing_balance, c.staking_balance, c.claimable_balance)), false) AS is_known
		) AS s
	) AS b;
END;

COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as known at a moment: those of the last observation answered by then. If another observation was in progress (from its asked_at to its answered_at), the balances it found changed are unknown, as unreadable ones are: is_known is false, the figures are null, and last_known_at and next_known_at name the observations (snapshot_at) on either side. A large age means that nothing was observed for a long time.';
