-- A gap is a stretch without observations for longer than was to be expected: the time after which health calls one overdue (a day
-- without a daemon), and three times the distance between the two before.
CREATE FUNCTION "reporting"."balance_series"("account" text, "asset" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	starts_at timestamptz, ends_at timestamptz, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	state text, observed_at timestamptz, total_balance numeric, available_balance numeric, processing_balance numeric,
	staking_balance numeric, claimable_balance numeric, gap_from timestamptz, gap_to timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	WITH asked AS (
		SELECT a.account_id, e.ends_at,
			greatest(coalesce("since", e.ends_at - interval '30 days'), a.first_seen_at - interval '1 day') AS starts_at
		FROM custody.accounts a
		CROSS JOIN LATERAL (SELECT least(coalesce("until", now()), now()) AS ends_at) AS e
		WHERE a.account_id = "account"
	),
	grid AS (
		-- The shortest step with which the span has at most 200, from a minute to half a year.
		SELECT k.account_id, k.starts_at, k.ends_at, coalesce((
			SELECT min(s.seconds) FROM unnest(ARRAY[60, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 345600, 604800,
				1209600, 2419200, 7862400, 15724800]) AS s (seconds)
			WHERE s.seconds * 200::numeric >= extract(epoch FROM k.ends_at - k.starts_at)
		), 15724800) AS seconds FROM asked k
	),
	-- From a day on, steps are days of the account. The first and the last are cut at the ends of the span.
	steps AS (
		SELECT greatest(s.starts_at, s.from_at) AS starts_at, least(s.ends_at, s.to_at) AS ends_at,
			lag(s.starts_at) OVER (ORDER BY s.starts_at) AS before_at
		FROM (
			SELECT n.at AS starts_at, n.at + make_interval(secs => g.seconds) AS ends_at, g.starts_at AS from_at, g.ends_at AS to_at
			FROM grid g CROSS JOIN LATERAL generate_series(
				date_bin(make_interval(secs => g.seconds), g.starts_at, timestamptz '2000-01-01 00:00:00Z'), g.ends_at,
				make_interval(secs => g.seconds)
			) AS n (at)
			WHERE g.seconds < 86400
			UNION ALL
			SELECT d.starts_at, lead(d.starts_at, 1, 'infinity') OVER (ORDER BY d.day), d.from_at, d.to_at
			FROM (
				SELECT c.day, c.starts_at, g.starts_at AS from_at, g.ends_at AS to_at,
					row_number() OVER (ORDER BY c.day) - 1 AS number, g.seconds / 86400 AS days
				FROM grid g JOIN reporting.calendar c ON c.account_id = g.account_id AND c.ends_at > g.starts_at AND c.starts_at < g.ends_at
				WHERE g.seconds >= 86400
			) AS d WHERE d.number % d.days = 0
		) AS s
		WHERE greatest(s.starts_at, s.from_at) < least(s.ends_at, s.to_at)
	),
	-- The vault types and networks under which the asset was ever listed, by a few lookups in the primary key.
	places AS (
		SELECT v.vault_type, n.network_id FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
		CROSS JOIN LATERAL (
			(WITH RECURSIVE known (network_id) AS (
				SELECT (SELECT min(b.network_id) FROM custody.balances b
					WHERE b.account_id = "account" AND b.vault_type = v.vault_type AND b.asset_id = "asset")
				UNION ALL
				SELECT (SELECT min(b.network_id) FROM custody.balances b
					WHERE b.account_id = "account" AND b.vault_type = v.vault_type AND b.asset_id = "asset" AND b.network_id > k.network_id)
				FROM known k WHERE k.network_id IS NOT NULL
			) SELECT k.network_id FROM known k WHERE k.network_id IS NOT NULL)
			UNION
			SELECT u.network_id FROM custody.unreadable_balances u
			WHERE u.account_id = "account" AND u.vault_type = v.vault_type AND u.asset_id = "asset"
		) AS n
	)
	SELECT s.starts_at, s.ends_at, p.vault_type, "asset", b.asset_name, p.network_id, b.network_name,
		CASE WHEN o.snapshot_at IS NULL THEN 'not observed' WHEN u.is_unreadable THEN 'unreadable'
			WHEN b.is_listed THEN 'observed' WHEN o.unidentified_count > 0 THEN 'unreadable' ELSE 'not listed' END,
		o.snapshot_at,
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.total_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.available_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.processing_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.staking_balance END),
		trim_scale(CASE WHEN u.is_unreadable IS NULL THEN b.claimable_balance END),
		g.gap_from, g.gap_to
	FROM steps s CROSS JOIN places p
	LEFT JOIN LATERAL (
		SELECT o.snapshot_at, o.unidentified_count FROM custody.balance_snapshots o
		WHERE o.account_id = "account" AND o.vault_type = p.vault_type AND o.answered_at >= s.starts_at AND o.answered_at < s.ends_at
		ORDER BY o.answered_at DESC, o.snapshot_at DESC LIMIT 1
	) AS o ON true
	LEFT JOIN LATERAL (
		SELECT true AS is_listed, q.asset_name, q.network_name, q.total_balance, q.available_balance, q.processing_balance,
			q.staking_balance, q.claimable_balance
		FROM (
			SELECT q.* FROM custody.balances q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.asset_id = "asset" AND q.network_id = p.network_id
				AND q.valid_from <= o.snapshot_at
			ORDER BY q.valid_from DESC LIMIT 1
		) AS q WHERE q.valid_to IS NULL OR q.valid_to > o.snapshot_at
	) AS b ON true
	LEFT JOIN LATERAL (
		SELECT true AS is_unreadable FROM custody.unreadable_balances q
		WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.asset_id = "asset" AND q.network_id = p.network_id
			AND q.valid_from <= o.snapshot_at AND coalesce(q.valid_to, 'infinity') > o.snapshot_at
	) AS u ON true
	-- Whether a step without an observation belongs to a gap, and is its first.
	LEFT JOIN LATERAL (
		SELECT l.snapshot_at AS gap_from, n.snapshot_at AS gap_to,
			(s.before_at IS NULL OR l.answered_at >= s.before_at)
				AND (l.answered_at IS NULL OR coalesce(n.answered_at, now()) - l.answered_at > greatest(
					coalesce((SELECT e.max_age FROM sync.expectations e WHERE e.account_id = "account" AND e.job = 'balances'), interval '1 day'),
					3 * (l.answered_at - l.before_at))) AS is_gap
		FROM (SELECT WHERE o.snapshot_at IS NULL) AS i
		LEFT JOIN LATERAL (
			SELECT q.snapshot_at, q.answered_at, (
				SELECT w.answered_at FROM custody.balance_snapshots w
				WHERE w.account_id = "account" AND w.vault_type = p.vault_type AND w.answered_at < q.answered_at
				ORDER BY w.answered_at DESC LIMIT 1) AS before_at
			FROM custody.balance_snapshots q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.answered_at < s.starts_at
			ORDER BY q.answered_at DESC, q.snapshot_at DESC LIMIT 1
		) AS l ON true
		LEFT JOIN LATERAL (
			SELECT q.snapshot_at, q.answered_at FROM custody.balance_snapshots q
			WHERE q.account_id = "account" AND q.vault_type = p.vault_type AND q.answered_at >= s.ends_at
			ORDER BY q.answered_at, q.snapshot_at LIMIT 1
		) AS n ON true
	) AS g ON true
	WHERE o.snapshot_at IS NOT NULL OR g.is_gap;
END;

COMMENT ON FUNCTION "reporting"."balance_series"(text, text, timestamptz, timestamptz) IS 'The balances of an asset over a span (30 days up to now, where a bound is null), evenly sampled in at most about 200 steps: for each the last observation answered within it, exact. A step without an observation has no row, but each gap has one: state is not observed, and gap_from and gap_to are the observations around it.';
