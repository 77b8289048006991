CREATE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_balance) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fees) AS fees,
	trim_scale(r.rewards) AS staking_rewards,
	trim_scale(f.opening_balance + f.inflow - f.outflow - f.fees + r.rewards) AS expected_balance,
	trim_scale(f.closing_balance) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.difference - r.rewards - r.timing) AS unexplained_difference,
	v.is_explained,
	coalesce(o.asked_at >= a.transactions_since, false) AS is_comparable,
	trim_scale(r.losses) AS staking_losses, trim_scale(r.timing) AS timing_difference,
	trim_scale(u.opening_moved) AS uncertain_at_opening, trim_scale(u.closing_moved) AS uncertain_at_closing
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
-- latest and earliest: limits of the search for an observation without uncertain transactions, three days beyond the next one, however
-- far that is after an outage. Beyond that a day stays undecided.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at, (
			SELECT min(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at > s.snapshot_at
		) + interval '3 days' AS latest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at, (
			SELECT max(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at < s.snapshot_at
		) - interval '3 days' AS earliest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o ON true
CROSS JOIN LATERAL (
	WITH found AS MATERIALIZED (
		SELECT q.*, q.difference = 0 AND q.staked_rest = 0 AS plain
		FROM reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS q
	), examined AS MATERIALIZED (
		-- The two observations, on a day on which an asset has a difference left to explain.
		SELECT CASE WHEN bool_or(NOT q.plain) THEN o.snapshot_at END AS opening, CASE WHEN bool_or(NOT q.plain) THEN e.snapshot_at END AS closing
		FROM found AS q
	-- Uncertain transactions are read once for all assets.
	), opening AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.opening, NULL) AS u
	), closing AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.closing, NULL) AS u
	)
	SELECT q.*, uo.transactions AS opening_transactions, uo.moved AS opening_moved, uo.unstaked_moved AS opening_unstaked,
		uo.staked_moved AS opening_staked, ue.transactions AS closing_transactions, ue.moved AS closing_moved,
		ue.unstaked_moved AS closing_unstaked, ue.staked_moved AS closing_staked
	FROM found AS q
	LEFT JOIN opening AS uo ON NOT q.plain AND uo.asset_id IS NOT DISTINCT FROM q.asset_id
	LEFT JOIN closing AS ue ON NOT q.plain AND ue.asset_id IS NOT DISTINCT FROM q.asset_id
) AS f
CROSS JOIN LATERAL (
	-- rest: the part of the difference outside of the staked balances.
	SELECT f.difference - f.staked_rest AS rest
) AS d
-- p and n: the nearest observations on either side without uncertain transactions. Between them, differences of timing add up to 0.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < CASE WHEN f.opening_transactions IS NOT NULL THEN o.snapshot_at END
		AND s.snapshot_at >= o.earliest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS earlier ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at > CASE WHEN f.closing_transactions IS NOT NULL THEN e.snapshot_at END
		AND s.snapshot_at <= e.latest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at LIMIT 1
) AS later ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.opening_transactions IS NULL THEN o.snapshot_at ELSE earlier.snapshot_at END END AS snapshot_at
) AS p
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.snapshot_at ELSE later.snapshot_at END END AS snapshot_at,
		CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.answered_at ELSE later.answered_at END END AS answered_at
) AS n
-- An asset that neither observation lists and no transaction moves has no row in it, and a rest of 0.
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, p.snapshot_at, CASE WHEN p.snapshot_at < o.snapshot_at THEN o.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS before ON true
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, e.snapshot_at, CASE WHEN n.snapshot_at > e.snapshot_at THEN n.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS after ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_moved WHEN f.plain IS NOT NULL THEN 0 END AS opening_moved,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_moved WHEN f.plain IS NOT NULL THEN 0 END AS closing_moved,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_unstaked ELSE 0 END AS opening_unstaked,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_unstaked ELSE 0 END AS closing_unstaked,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_staked ELSE 0 END
			+ CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_staked ELSE 0 END AS staked,
		CASE WHEN p.snapshot_at = o.snapshot_at THEN 0 WHEN before.has_row THEN before.rest
			WHEN p.snapshot_at IS NOT NULL THEN 0 END AS rest_before,
		CASE WHEN n.snapshot_at = e.snapshot_at THEN 0 WHEN after.has_row THEN after.rest
			WHEN n.snapshot_at IS NOT NULL THEN 0 END AS rest_after
) AS u
CROSS JOIN LATERAL (
	SELECT coalesce(d.rest = 0 OR u.rest_before + d.rest + u.rest_after = 0
		AND abs(u.rest_before) <= u.opening_unstaked AND abs(u.rest_after) <= u.closing_unstaked, false) AS by_timing
) AS t
CROSS JOIN LATERAL (
	-- gained: the gain from staking. If only stakings are uncertain, the total shows it, which stakings do not change.
	SELECT CASE WHEN u.staked = 0 THEN f.staked_rest
		WHEN t.by_timing AND u.opening_moved = 0 AND u.closing_moved = 0 THEN f.difference END AS gained
) AS g
CROSS JOIN LATERAL (
	SELECT greatest(g.gained, 0 * g.gained) AS rewards, greatest(-g.gained, 0 * g.gained) AS losses,
		CASE WHEN t.by_timing OR d.rest IS NULL OR g.gained IS NULL THEN f.difference - g.gained ELSE 0 END AS timing
) AS r
CROSS JOIN LATERAL (
	-- certainly: the difference is greater than all uncertain transactions can explain.
	SELECT g.gained < 0 OR f.difference < -(u.opening_moved + u.closing_moved) OR f.staked_rest < -u.staked
			OR abs(d.rest) > u.opening_unstaked + u.closing_unstaked AS certainly,
		-- standing: not caused by timing, which would show twice, in opposite directions.
		u.rest_before + d.rest + u.rest_after <> 0 AND u.rest_before * d.rest >= 0 AND u.rest_after * d.rest >= 0 AS standing
) AS x
CROSS JOIN LATERAL (
	-- An unknown amount of an uncertain transaction leaves only what depends on it undecided.
	SELECT CASE WHEN f.plain IS NULL OR f.plain THEN f.plain
		WHEN g.gained >= 0 AND t.by_timing THEN true
		-- The last run of each job, by the index of start times.
		WHEN (x.certainly OR x.standing AND NOT t.by_timing) AND (
			SELECT max(l.started_at) FROM internal.jobs j
			CROSS JOIN LATERAL (
				SELECT w.started_at FROM sync.runs w
				WHERE w.account_id = c.account_id AND w.job = j.job AND w.status = 'succeeded'
				ORDER BY w.started_at DESC LIMIT 1
			) AS l WHERE j.resource = 'transactions'
		) >= CASE WHEN x.certainly THEN e.answered_at ELSE n.answered_at END THEN false
	END AS is_explained
) AS v;

COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the last balance observed before the day, the flows up to the last observation of the day, and the balance in that observation. Flows are counted between the two observations, not from midnight to midnight. A balance may include a change that the transactions showed only later: a difference that such transactions can cause, and that the observations around it cancel exactly, is a timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset in the balances or the postings; of several, the last in alphabetical order.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last observation answered before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'Inflows by accounting_rules. Deposits in progress count, as they do in the balance. Null on the first day, and if an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'Outflows without fees. Null on the first day, and if an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null if unknown: on the first day, if only one of the two observations shows a staked part, or if uncertain stakings leave it open.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null if one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults in the last observation of the day; 0 if the asset was not listed, null if a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When the closing balance was observed (its snapshot_at): the last observation answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null if one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True if unexplained_difference is 0 and there are no staking_losses. False if no transaction explains what left or came in, or if unexplained_difference is null but a loss is certain. Null if unknown, as on the first day or without a figure, or if undecided: a change may lie on either side of the observation, or transactions were not read since.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'True if all transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'Loss of staked and claimable balances that no transaction explains; never negative. A loss is not explained. Null if staking_rewards is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference due to timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions (any observation, not only the last of a day) all such differences add up to 0. Null if the difference or staking_rewards is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings leave the total unchanged: only their fees count. Computed only if balances differ from the flows, else 0; null if a figure is unknown, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_closing" IS 'The same for the closing observation. Transactions not read yet are not included.';
