CREATE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_balance) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fees) AS fees,
	trim_scale(x.rewards) AS staking_rewards,
	trim_scale(f.opening_balance + f.inflow - f.outflow - f.fees + x.rewards) AS expected_balance,
	trim_scale(f.closing_balance) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.difference - x.rewards - x.timing) AS unexplained_difference,
	v.is_explained,
	coalesce(o.asked_at >= a.transactions_since, false) AS is_comparable,
	trim_scale(x.losses) AS staking_losses, trim_scale(x.timing) AS timing_difference,
	trim_scale(u.opening_moved) AS uncertain_at_opening, trim_scale(u.closing_moved) AS uncertain_at_closing
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o ON true
-- The observation before the opening and the one after the closing: what they undo was a matter of timing.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < o.snapshot_at
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS p ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at > e.snapshot_at
	ORDER BY s.snapshot_at LIMIT 1
) AS n ON true
CROSS JOIN LATERAL reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS f
CROSS JOIN LATERAL (
	SELECT f.difference = f.staked_rest AND f.staked_rest >= 0 AS alone, f.difference - f.staked_rest AS rest,
		greatest(-f.staked_rest, 0) AS lost
) AS d
-- Looked at only where the flows alone do not explain the balance.
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, q.staked_rest
	FROM reporting.reconciliation_between(c.account_id, p.snapshot_at, CASE WHEN NOT d.alone THEN o.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS before ON true
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, q.staked_rest
	FROM reporting.reconciliation_between(c.account_id, e.snapshot_at, CASE WHEN NOT d.alone THEN n.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS after ON true
LEFT JOIN LATERAL (
	SELECT q.transactions, q.moved, q.unstaked_moved, q.staked_moved
	FROM reporting.uncertain_postings(c.account_id, CASE WHEN NOT d.alone THEN o.snapshot_at END, e.answered_at) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS uo ON true
LEFT JOIN LATERAL (
	SELECT q.transactions, q.moved, q.unstaked_moved, q.staked_moved
	FROM reporting.uncertain_postings(c.account_id, CASE WHEN NOT d.alone THEN e.snapshot_at END, n.answered_at) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS ue ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN uo.transactions IS NOT NULL THEN uo.moved WHEN d.alone IS NOT NULL THEN 0 END AS opening_moved,
		CASE WHEN ue.transactions IS NOT NULL THEN ue.moved WHEN d.alone IS NOT NULL THEN 0 END AS closing_moved,
		coalesce(abs(d.rest) <= uo.unstaked_moved AND d.lost <= uo.staked_moved, false) AS fits_opening,
		coalesce(abs(d.rest) <= ue.unstaked_moved AND d.lost <= ue.staked_moved, false) AS fits_closing,
		coalesce(abs(d.rest) <= uo.unstaked_moved + ue.unstaked_moved AND d.lost <= uo.staked_moved + ue.staked_moved, false) AS fits_both,
		coalesce(uo.staked_moved, 0) + coalesce(ue.staked_moved, 0) AS staked_moved
) AS u
CROSS JOIN LATERAL (
	SELECT coalesce(u.fits_opening AND before.rest + d.rest = 0 AND before.staked_rest + f.staked_rest >= 0
		OR u.fits_closing AND after.rest + d.rest = 0 AND after.staked_rest + f.staked_rest >= 0
		OR u.fits_both AND before.rest + d.rest + after.rest = 0
			AND before.staked_rest + f.staked_rest + after.staked_rest >= 0, false) AS by_timing
) AS t
CROSS JOIN LATERAL (
	-- Stakings that lie on either side are no rewards and no losses.
	SELECT CASE WHEN t.by_timing AND abs(f.staked_rest) <= u.staked_moved THEN 0 ELSE greatest(f.staked_rest, 0) END AS rewards,
		CASE WHEN t.by_timing AND abs(f.staked_rest) <= u.staked_moved THEN 0 ELSE d.lost END AS losses
) AS r
CROSS JOIN LATERAL (
	SELECT CASE WHEN f.staked_rest IS NOT NULL THEN r.rewards END AS rewards,
		CASE WHEN f.staked_rest IS NOT NULL THEN r.losses END AS losses,
		CASE WHEN t.by_timing THEN f.difference - r.rewards WHEN d.alone IS NOT NULL THEN 0 END AS timing
) AS x
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.alone OR t.by_timing THEN true
		WHEN d.alone IS NULL OR u.opening_moved IS NULL OR u.closing_moved IS NULL THEN NULL
		-- Undecided: what may account for it is not read yet, or there is nothing to hold it against.
		WHEN n.snapshot_at IS NULL AND (u.fits_closing OR NOT EXISTS (
			SELECT FROM sync.runs w
			WHERE w.account_id = c.account_id AND w.job IN ('transactions', 'reconcile') AND w.status = 'succeeded'
				AND w.started_at >= e.answered_at)) THEN NULL
		WHEN u.fits_opening AND before.rest IS NULL OR u.fits_closing AND after.rest IS NULL THEN NULL
		ELSE false
	END AS is_explained
) AS v;

COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the balance observed last before the day, what transactions did until the last observation of the day, and the balance observed then. Flows are taken between the two observations, not from midnight to midnight. A figure may hold a change that the transactions showed a moment later: a difference that such transactions can account for, and that the neighbouring observation undoes, is timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last whose answer arrived before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults then; 0 when the asset was not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'What came in, by accounting_rules: deposits that are on their way count already, as they do in the balance. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'What went out, without fees. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains, never negative: staking_losses tells what they lost. Inferred, not told by the service. Null on the first day, and where it is not known, as when one of the two observations alone told a staked part.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was (its snapshot_at): the last whose answer arrived on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True: unexplained_difference is 0 and there are no staking_losses but by timing. False: something left or came that no transaction tells. Null: unknown, as on the first day or where a figure is unknown; or undecided until transactions or balances are read again, because a change may lie on either side of the observation.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'The transactions were completely mirrored before the opening observation. Where false, transactions may be missing from the flows.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'What the staked and claimable balances lost without a transaction that explains it, never negative. A loss is not explained. Null where staking_rewards is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference that is a matter of timing: transactions that may lie on either side of the opening or closing observation can account for it, and the neighbouring observation shows the opposite. Null where the difference is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'How much transactions moved that may lie on either side of the opening observation, as a sum of absolute amounts. Told where the flows alone do not explain the balance, else 0; null where one of the figures is not known, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_closing" IS 'The same of the closing observation. Transactions that are not read yet are not in it.';
