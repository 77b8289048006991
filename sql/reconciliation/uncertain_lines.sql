-- A change happened between two readings of the transactions; a balance is of a moment between the request and the answer of its
-- observation. Where these spans overlap, the balance may or may not include the change.
CREATE FUNCTION "reporting"."uncertain_lines"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	transaction_id text, kind text, number integer, observed_after timestamptz, observed_at timestamptz, transaction_type text,
	from_status text, to_status text, asset_id text, asset_name text, network_id text,
	inflow numeric, outflow numeric, fee numeric, total_change numeric, staked_change numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT p.transaction_id, p.kind, coalesce(p.sequence, p.revision), p.observed_after, p.observed_at, p.transaction_type,
		p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change
	FROM custody.balance_snapshots s
	-- The next observation: a first sighting without a lower bound counts as younger than the last observation but one, and changes seen
	-- more than a week after the next one do not count, so that an observation need not read everything after it.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	-- Reads for one observation by the index of observed_at; a join would first compute the postings of the whole history.
	CROSS JOIN LATERAL (
		SELECT w.* FROM reporting.postings w
		WHERE w.account_id = s.account_id AND w.observed_at > s.asked_at AND w.observed_at <= coalesce(least("until", n.answered_at + interval '7 days'), 'infinity')
			AND (w.observed_at <= s.answered_at OR w.observed_after < s.answered_at
				OR w.observed_after IS NULL AND w.observed_at <= coalesce(n.answered_at, 'infinity'))
			AND (w.total_change IS DISTINCT FROM 0 OR w.staked_change IS DISTINCT FROM 0)
		OFFSET 0
	) AS p
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed";
END;

COMMENT ON FUNCTION "reporting"."uncertain_lines"(text, timestamptz, timestamptz) IS 'Postings that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment and at most a week after the next observation: each change may have come before the figures were read or after. number: the sequence or the revision of the posting.';
