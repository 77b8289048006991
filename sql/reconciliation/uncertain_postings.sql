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
	FROM reporting.uncertain_lines("account", "observed", "until") AS p
	GROUP BY p.asset_id;
END;

COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'Sums over the transactions that may lie on either side of an observation of all vaults (account, snapshot_at), among those of uncertain_lines: each change may have come before the figures were read or after. One row per asset: the number of transactions, and the sums of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null if an amount is unknown.';
