-- Staked and claimable balances also grow by rewards, for which there is no transaction: staked_rest is the change without
-- transactions. A flow counts up to the arrival of an observation's last answer, so that consecutive spans miss none.
CREATE FUNCTION "reporting"."reconciliation_between"("account" text, "opened" timestamptz, "closed" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, opening_balance numeric, inflow numeric, outflow numeric, fees numeric, closing_balance numeric,
	difference numeric, staked_rest numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT f.asset_id, f.asset_name, f.opening_total, f.inflow, f.outflow, f.fee, f.closing_total,
		f.closing_total - f.opening_total - f.inflow + f.outflow + f.fee, f.staked_rest
	FROM custody.balance_snapshots e
	LEFT JOIN custody.balance_snapshots o ON o.account_id = e.account_id AND o.vault_type = 'all' AND o.snapshot_at = "opened"
	CROSS JOIN LATERAL (
		SELECT q.asset_id, max(q.asset_name) AS asset_name,
			-- An unlisted asset has balance 0, unless it may be an unidentified record; one listed without a figure is unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'opening' AND q.total IS NULL)
					AND (o.unidentified_count = 0 OR bool_or(q.part = 'opening'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'opening'), 0) END AS opening_total,
			CASE WHEN NOT bool_or(q.part = 'closing' AND q.total IS NULL) AND (e.unidentified_count = 0 OR bool_or(q.part = 'closing'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'closing'), 0) END AS closing_total,
			-- Without an opening there is no time span; a posting with an unknown amount makes the sum unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.inflow IS NULL)
				THEN coalesce(sum(q.inflow), 0) END AS inflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.outflow IS NULL)
				THEN coalesce(sum(q.outflow), 0) END AS outflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.fee IS NULL)
				THEN coalesce(sum(q.fee), 0) END AS fee,
			-- A part that only one of the two observations shows is unknown in the other.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.staked_change IS NULL)
					AND bool_and(q.is_known)
					AND count(q.staking) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
					AND count(q.claimable) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
				THEN coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'closing'), 0)
					- coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'opening'), 0)
					- coalesce(sum(q.staked_change), 0) END AS staked_rest
		FROM (
			SELECT 'opening' AS part, b.asset_id, b.asset_name, b.total_balance AS total, b.is_known,
				b.staking_balance AS staking, b.claimable_balance AS claimable, NULL::numeric AS staked_change,
				NULL::numeric AS inflow, NULL::numeric AS outflow, NULL::numeric AS fee
			FROM reporting.balances_shown("account", 'all', o.snapshot_at) AS b
			UNION ALL
			SELECT 'closing', b.asset_id, b.asset_name, b.total_balance, b.is_known, b.staking_balance, b.claimable_balance,
				NULL, NULL, NULL, NULL
			FROM reporting.balances_shown("account", 'all', e.snapshot_at) AS b
			UNION ALL
			SELECT 'posting', p.asset_id, p.asset_name, NULL, true, NULL, NULL, p.staked_change, p.inflow, p.outflow, p.fee
			FROM reporting.postings p
			WHERE p.account_id = "account" AND p.observed_at > o.answered_at AND p.observed_at <= e.answered_at
		) AS q
		GROUP BY q.asset_id
	) AS f
	WHERE e.account_id = "account" AND e.vault_type = 'all' AND e.snapshot_at = "closed";
END;

COMMENT ON FUNCTION "reporting"."reconciliation_between"(text, timestamptz, timestamptz) IS 'Do the flows explain the balances between two observations of all vaults, given by account and snapshot_at? One row per asset. difference: closing - opening - inflow + outflow + fees. staked_rest: change of the staked and claimable balances that no transaction explains. The balance is explained if the two are equal and not negative. Null means unknown.';
