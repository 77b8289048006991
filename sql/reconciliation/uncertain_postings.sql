-- A change happened between two readings of the transactions; a balance is of a moment between the request and the answer of its
-- observation. Where these spans overlap, the balance may or may not include the change.
CREATE FUNCTION "reporting"."uncertain_postings"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, transactions bigint, moved numeric, unstaked_moved numeric, staked_moved numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	-- A sum is unknown if one of its amounts is.
	SELECT p.asset_id, count(DISTINCT p.transaction_id),
		CASE WHEN NOT bool_or(p.total_change IS NULL) THEN sum(abs(p.total_change)) END,
		CASE WHEN NOT bool_or(p.total_change IS NULL OR p.staked_change IS NULL)
			THEN sum(abs(p.total_change - p.staked_change)) END,
		CASE WHEN NOT bool_or(p.staked_change IS NULL) THEN sum(abs(p.staked_change)) END
	FROM custody.balance_snapshots s
	-- A first sighting without a lower bound counts as younger than the last observation but one.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	-- Read for the one observation, by the index of observed_at; joined, the postings of the whole history would be computed first.
	CROSS JOIN LATERAL (
		SELECT w.asset_id, w.transaction_id, w.total_change, w.staked_change FROM reporting.postings w
		WHERE w.account_id = s.account_id AND w.observed_at > s.asked_at AND w.observed_at <= coalesce("until", 'infinity')
			AND (w.observed_at <= s.answered_at OR w.observed_after < s.answered_at
				OR w.observed_after IS NULL AND w.observed_at <= coalesce(n.answered_at, 'infinity'))
			AND (w.total_change IS DISTINCT FROM 0 OR w.staked_change IS DISTINCT FROM 0)
		OFFSET 0
	) AS p
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed"
	GROUP BY p.asset_id;
END;

COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'What was moved by transactions that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment: each change may have come before the figures were read or after. One row per asset: the number of transactions, and the sums of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null when an amount is unknown.';
