-- Balances for reports: every snapshot, each day, each change, and whether transactions explain them.
CREATE VIEW "reporting"."balance_snapshots" AS
SELECT s.account_id, s.vault_type, s.snapshot_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance, b.valid_from AS unchanged_since
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
-- Said twice: as a range for its index, and as bounds for a search from the balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity');
--> statement-breakpoint
CREATE VIEW "reporting"."balances_current" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance,
	b.valid_from AS unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age
FROM custody.balances b
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type
) AS l
WHERE b.valid_to IS NULL;
--> statement-breakpoint
CREATE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance,
	b.valid_from AS unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.snapshot_at >= c.starts_at AND s.snapshot_at < c.ends_at
) AS l
JOIN custody.balances b ON b.account_id = c.account_id AND b.vault_type = v.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> l.snapshot_at;
--> statement-breakpoint
CREATE VIEW "reporting"."balance_changes" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_from AS changed_at,
	u.snapshot_at AS unchanged_until,
	CASE WHEN u.snapshot_at IS NULL THEN 'first observed' WHEN p.valid_from IS NULL THEN 'appeared' ELSE 'changed' END AS change,
	trim_scale(p.total_balance) AS total_before, trim_scale(b.total_balance) AS total_after,
	trim_scale(CASE WHEN u.snapshot_at IS NULL THEN NULL WHEN p.valid_from IS NULL THEN b.total_balance
		ELSE b.total_balance - p.total_balance END) AS total_change,
	trim_scale(p.available_balance) AS available_before, trim_scale(b.available_balance) AS available_after,
	trim_scale(p.processing_balance) AS processing_before, trim_scale(b.processing_balance) AS processing_after,
	trim_scale(p.staking_balance) AS staking_before, trim_scale(b.staking_balance) AS staking_after,
	trim_scale(p.claimable_balance) AS claimable_before, trim_scale(b.claimable_balance) AS claimable_after
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_from
) AS u
LEFT JOIN LATERAL (
	SELECT q.* FROM custody.balances q
	WHERE q.account_id = b.account_id AND q.vault_type = b.vault_type AND q.asset_id = b.asset_id
		AND q.network_id = b.network_id AND q.valid_from < b.valid_from
	ORDER BY q.valid_from DESC LIMIT 1
) AS p ON p.valid_to = b.valid_from
UNION ALL
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_to,
	u.snapshot_at, 'disappeared',
	trim_scale(b.total_balance), NULL, trim_scale(-b.total_balance),
	trim_scale(b.available_balance), NULL, trim_scale(b.processing_balance), NULL,
	trim_scale(b.staking_balance), NULL, trim_scale(b.claimable_balance), NULL
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_to
) AS u
-- Looked up for each (hence OFFSET 0), rather than held against all.
WHERE b.valid_to IS NOT NULL AND NOT EXISTS (
	SELECT FROM custody.balances n
	WHERE n.account_id = b.account_id AND n.vault_type = b.vault_type AND n.asset_id = b.asset_id
		AND n.network_id = b.network_id AND n.valid_from = b.valid_to
	OFFSET 0
);
--> statement-breakpoint
CREATE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share
FROM (
	-- The last tick at which all three were observed: figures of different moments are not held against each other.
	SELECT a.account_id, max(s.snapshot_at) AS snapshot_at
	FROM custody.accounts a
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		JOIN custody.balance_snapshots w ON w.account_id = s.account_id AND w.vault_type = 'warm' AND w.snapshot_at = s.snapshot_at
		JOIN custody.balance_snapshots c ON c.account_id = s.account_id AND c.vault_type = 'cold' AND c.snapshot_at = s.snapshot_at
		WHERE s.account_id = a.account_id AND s.vault_type = 'all'
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS s
	GROUP BY a.account_id
) AS l
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name, q.network_id, max(q.network_name) AS network_name,
		-- An asset that is not listed there is none there; one that is listed without a figure is unknown.
		CASE WHEN bool_or(q.vault_type = 'warm' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'warm'), 0) END AS warm_total,
		CASE WHEN bool_or(q.vault_type = 'cold' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'cold'), 0) END AS cold_total,
		CASE WHEN bool_or(q.vault_type = 'all' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'all'), 0) END AS all_total
	FROM custody.balances q
	WHERE q.account_id = l.account_id AND tstzrange(q.valid_from, q.valid_to) @> l.snapshot_at
	GROUP BY q.asset_id, q.network_id
) AS b;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE FUNCTION "reporting"."balances_at"("at" timestamptz) RETURNS TABLE (
	account_id text, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	total_balance numeric, available_balance numeric, processing_balance numeric, staking_balance numeric,
	claimable_balance numeric, unchanged_since timestamptz, observed_at timestamptz, age interval
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
		trim_scale(b.total_balance), trim_scale(b.available_balance), trim_scale(b.processing_balance),
		trim_scale(b.staking_balance), trim_scale(b.claimable_balance), b.valid_from, l.snapshot_at, "at" - l.snapshot_at
	FROM custody.accounts a
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.snapshot_at <= "at"
	) AS l
	JOIN custody.balances b ON b.account_id = a.account_id AND b.vault_type = v.vault_type
		AND tstzrange(b.valid_from, b.valid_to) @> l.snapshot_at;
END;
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values" AS
-- In which currencies there are prices, from one step into the index for each asset, not from every price.
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age
FROM reporting.balances_current b
JOIN (SELECT DISTINCT account_id, currency FROM priced) AS c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= now()
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values_daily" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age
FROM reporting.balances_daily b
JOIN (SELECT DISTINCT account_id, currency FROM priced) AS c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= b.observed_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
