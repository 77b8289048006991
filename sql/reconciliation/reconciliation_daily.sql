-- Staked and claimable balances also grow by rewards, for which there is no transaction.
CREATE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_total) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fee) AS fees,
	trim_scale(f.staking_rewards) AS staking_rewards,
	trim_scale(f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards) AS expected_balance,
	trim_scale(f.closing_total) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.closing_total - (f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards)) AS unexplained_difference,
	f.closing_total = f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards AS is_explained,
	coalesce(o.snapshot_at >= a.transactions_since, false) AS is_comparable
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at >= c.starts_at AND s.snapshot_at < c.ends_at
) AS e
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < c.starts_at
) AS o
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name,
		-- An asset that is not listed holds nothing; one that is listed without a figure is unknown.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'opening' AND q.total IS NULL)
			THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'opening'), 0) END AS opening_total,
		CASE WHEN NOT bool_or(q.part = 'closing' AND q.total IS NULL)
			THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'closing'), 0) END AS closing_total,
		-- Without an opening there is no span of time to post to; a posting of an amount that is not known is unknown.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.inflow IS NULL)
			THEN coalesce(sum(q.inflow), 0) END AS inflow,
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.outflow IS NULL)
			THEN coalesce(sum(q.outflow), 0) END AS outflow,
		CASE WHEN o.snapshot_at IS NOT NULL THEN coalesce(sum(q.fee), 0) END AS fee,
		-- A part that is told by one of the two observations alone is unknown in the other.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.staked_change IS NULL)
				AND count(q.staking) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
				AND count(q.claimable) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
			THEN coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'closing'), 0)
				- coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'opening'), 0)
				- coalesce(sum(q.staked_change), 0) END AS staking_rewards
	FROM (
		SELECT 'opening' AS part, b.asset_id, b.asset_name, b.total_balance AS total,
			b.staking_balance AS staking, b.claimable_balance AS claimable, NULL::numeric AS staked_change,
			NULL::numeric AS inflow, NULL::numeric AS outflow, NULL::numeric AS fee
		FROM custody.balances b
		WHERE b.account_id = c.account_id AND b.vault_type = 'all' AND tstzrange(b.valid_from, b.valid_to) @> o.snapshot_at
		UNION ALL
		SELECT 'closing', b.asset_id, b.asset_name, b.total_balance, b.staking_balance, b.claimable_balance, NULL, NULL, NULL, NULL
		FROM custody.balances b
		WHERE b.account_id = c.account_id AND b.vault_type = 'all' AND tstzrange(b.valid_from, b.valid_to) @> e.snapshot_at
		UNION ALL
		SELECT 'posting', p.asset_id, p.asset_name, NULL, NULL, NULL, p.staked_change, p.inflow, p.outflow, p.fee
		FROM reporting.postings p
		WHERE p.account_id = c.account_id AND p.observed_at > o.snapshot_at AND p.observed_at <= e.snapshot_at
	) AS q
	GROUP BY q.asset_id
) AS f
WHERE e.snapshot_at IS NOT NULL;

COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the balance observed last before the day, what transactions did until the last observation of the day, and the balance observed then. Flows are taken between the two observations, not from midnight to midnight. A difference that is undone on the next day is a matter of timing: balances and transactions are not read at the same moment.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults then; 0 when the asset was not listed.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'What came in, by accounting_rules: deposits that are on their way count already, as they do in the balance. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'What went out, without fees. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains. Negative: a loss. Null on the first day, and where it is not known, as when one of the two observations alone told a staked part.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'The difference is 0. Null where it is not known, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'The transactions were completely mirrored before the opening observation. Where false, transactions may be missing from the flows.';
