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
			-- An asset that is not listed has balance 0, unless it may be a record that could not be identified; one that is listed
			-- without a figure is unknown.
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
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."reconciliation_between"(text, timestamptz, timestamptz) IS 'Do the flows explain the balances between two observations of all vaults, given by account and snapshot_at? One row per asset. difference: closing - opening - inflow + outflow + fees. staked_rest: the change of the staked and claimable balances that no transaction explains. The balance is explained when the two are equal and not negative. Null is unknown.';
--> statement-breakpoint
-- The observations are those of reconciliation_daily.
CREATE VIEW "reporting"."reconciliation_postings" AS
SELECT c.account_id, c.day, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind, coalesce(p.sequence, p.revision) AS number,
	p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee, p.total_change,
	p.staked_change, p.fee_asset_is_assumed
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
CROSS JOIN LATERAL (
	SELECT s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o
CROSS JOIN LATERAL (
	SELECT w.* FROM reporting.postings w
	WHERE w.account_id = c.account_id AND w.observed_at > o.answered_at AND w.observed_at <= e.answered_at OFFSET 0
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_postings" IS 'The postings behind each day of reconciliation_daily: those seen after its opening observation, and not after its closing one. Their sums are its inflow, outflow and fees.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
--> statement-breakpoint
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
	-- A first sighting without a lower bound counts as younger than the last observation but one.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	-- Read for the one observation, by the index of observed_at; joined, the postings of the whole history would be computed first.
	CROSS JOIN LATERAL (
		SELECT w.* FROM reporting.postings w
		WHERE w.account_id = s.account_id AND w.observed_at > s.asked_at AND w.observed_at <= coalesce("until", 'infinity')
			AND (w.observed_at <= s.answered_at OR w.observed_after < s.answered_at
				OR w.observed_after IS NULL AND w.observed_at <= coalesce(n.answered_at, 'infinity'))
			AND (w.total_change IS DISTINCT FROM 0 OR w.staked_change IS DISTINCT FROM 0)
		OFFSET 0
	) AS p
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_lines"(text, timestamptz, timestamptz) IS 'The postings that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment: each change may have come before the figures were read or after. number: the sequence or the revision of the posting.';
--> statement-breakpoint
-- Transactions seen more than a week later do not count as uncertain, as in reconciliation_daily.
CREATE VIEW "reporting"."reconciliation_uncertain" AS
SELECT c.account_id, c.day, e.snapshot_at AS closing_observed_at, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind,
	p.number, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee,
	p.total_change, p.staked_change
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
-- OFFSET 0 keeps the observation from being looked for among all before the one of the day is known.
CROSS JOIN LATERAL (
	SELECT u.* FROM reporting.uncertain_lines(c.account_id, e.snapshot_at, e.answered_at + interval '7 days') AS u OFFSET 0
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_uncertain" IS 'The postings that may lie on either side of the last observation of a day: each change may have come before the balances were read or after. It is the closing observation of that day, and the opening one of the next day that has one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."closing_observed_at" IS 'When the observation was made (its snapshot_at): the last one that was answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."number" IS 'Number of the change within its kind: the sequence of a status, or the revision of a correction.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
--> statement-breakpoint
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
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'What was moved by transactions that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment: each change may have come before the figures were read or after. One row per asset: the number of transactions, and the sums of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null when an amount is unknown.';
--> statement-breakpoint
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
CROSS JOIN LATERAL (
	WITH found AS MATERIALIZED (
		SELECT q.*, q.difference = 0 AND q.staked_rest = 0 AS plain
		FROM reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS q
	), examined AS MATERIALIZED (
		-- The two observations, on a day on which an asset has a difference left to explain.
		SELECT CASE WHEN bool_or(NOT q.plain) THEN o.snapshot_at END AS opening, CASE WHEN bool_or(NOT q.plain) THEN e.snapshot_at END AS closing
		FROM found AS q
	-- What was uncertain then is read once for all assets. Transactions seen more than a week later do not count as uncertain, so that
	-- a day need not read everything after it.
	), opening AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.opening, o.answered_at + interval '7 days') AS u
	), closing AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.closing, e.answered_at + interval '7 days') AS u
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
-- Where the observation itself has some, they are looked up at most three days away: beyond that it stays undecided.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < CASE WHEN f.opening_transactions IS NOT NULL THEN o.snapshot_at END
		AND s.snapshot_at >= o.snapshot_at - interval '3 days'
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, s.answered_at + interval '7 days') AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS earlier ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at > CASE WHEN f.closing_transactions IS NOT NULL THEN e.snapshot_at END
		AND s.snapshot_at <= e.snapshot_at + interval '3 days'
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, s.answered_at + interval '7 days') AS q
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
-- An asset that neither observation lists and no transaction moves has no row there, and a rest of 0.
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
	-- gained: what staking gained. If only stakings are uncertain, it shows in the total, which stakings do not change.
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
		-- standing: not caused by timing, which shows twice, in opposite directions.
		u.rest_before + d.rest + u.rest_after <> 0 AND u.rest_before * d.rest >= 0 AND u.rest_after * d.rest >= 0 AS standing
) AS x
CROSS JOIN LATERAL (
	SELECT CASE WHEN f.plain THEN true
		WHEN f.plain IS NULL OR u.opening_unstaked IS NULL OR u.closing_unstaked IS NULL OR u.staked IS NULL THEN NULL
		WHEN g.gained >= 0 AND t.by_timing THEN true
		-- The last run of each job, by the index of their beginnings.
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
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the last balance observed before the day, the flows up to the last observation of the day, and the balance of that observation. Flows are counted between the two observations, not from midnight to midnight. A balance may include a change that the transactions showed only later: a difference that such transactions can cause, and that the observations around it cancel exactly, is a timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last observation that was answered before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults in that observation; 0 when the asset was not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'What came in, by accounting_rules: deposits on their way count already, as they do in the balance. Null on the first day, and when an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'What went out, without fees. Null on the first day, and when an amount is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null when it is unknown: on the first day, when only one of the two observations shows a staked part, or when uncertain stakings leave it open.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null when one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was (its snapshot_at): the last observation that was answered on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null when one of them is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True: unexplained_difference is 0 and there are no staking_losses. False: no transaction explains what left or came; also when unexplained_difference is null but a loss is certain. Null: unknown, as on the first day or when a figure is unknown; or undecided, because a change may lie on either side of the observation, or transactions were not read since.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'All transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'What the staked and claimable balances lost without a transaction that explains it; never negative. A loss is not explained. Null when staking_rewards is null.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference that comes from timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions all such differences add up to 0. Null when the difference or staking_rewards is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings do not change the total: only their fees count. Computed only when balances differ from the flows, else 0; null when one of the figures is unknown, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_closing" IS 'The same for the closing observation. Transactions that were not read yet are not included.';
