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
	trim_scale(p.claimable_balance) AS claimable_before, trim_scale(b.claimable_balance) AS claimable_after,
	u.asked_at AS changed_after, f.answered_at AS changed_before
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_from
LEFT JOIN LATERAL (
	SELECT q.* FROM custody.balances q
	WHERE q.account_id = b.account_id AND q.vault_type = b.vault_type AND q.asset_id = b.asset_id
	AND q.network_id = b.network_id AND q.valid_from < b.valid_from
	ORDER BY q.valid_from DESC LIMIT 1
) AS p ON p.valid_to = b.valid_from
-- In a snapshot with a record that could not be identified, a balance that was not shown may have existed.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_from
		AND (s.unidentified_count = 0 OR s.snapshot_at >= p.valid_from)
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- Another spelling of the same amounts is no change.
WHERE b.unchanged_since = b.valid_from
UNION ALL
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.valid_to,
	u.snapshot_at, 'disappeared',
	trim_scale(b.total_balance), NULL, trim_scale(-b.total_balance),
	trim_scale(b.available_balance), NULL, trim_scale(b.processing_balance), NULL,
	trim_scale(b.staking_balance), NULL, trim_scale(b.claimable_balance), NULL,
	u.asked_at, f.answered_at
FROM custody.accounts a
JOIN custody.balances b ON b.account_id = a.account_id
JOIN custody.balance_snapshots f ON f.account_id = b.account_id AND f.vault_type = b.vault_type AND f.snapshot_at = b.valid_to
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type AND s.snapshot_at < b.valid_to
		AND NOT EXISTS (
			SELECT FROM custody.unreadable_balances r
			WHERE r.account_id = b.account_id AND r.vault_type = b.vault_type AND r.asset_id = b.asset_id
				AND r.network_id = b.network_id AND r.valid_from <= s.snapshot_at
				AND s.snapshot_at < coalesce(r.valid_to, 'infinity')
			OFFSET 0
		)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS u ON true
-- OFFSET 0 makes the planner look up each row by index.
WHERE b.valid_to IS NOT NULL AND NOT EXISTS (
	SELECT FROM custody.balances n
	WHERE n.account_id = b.account_id AND n.vault_type = b.vault_type AND n.asset_id = b.asset_id
		AND n.network_id = b.network_id AND n.valid_from = b.valid_to
	OFFSET 0
);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_changes" IS 'Every change of a balance between two observations, one row each, including assets that appear or are no longer shown. Other zeros in the spelling are no change, nor is a balance that could not be read for a time and is the same afterwards.';
COMMENT ON COLUMN "reporting"."balance_changes"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_changes"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_changes"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_changes"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_changes"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_changes"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_at" IS 'First observation (its snapshot_at) that showed the change. The change itself happened between changed_after and changed_before.';
COMMENT ON COLUMN "reporting"."balance_changes"."unchanged_until" IS 'Last observation (its snapshot_at) that showed the balance without the change; any observations between the two could not read it. Null when no earlier observation showed it.';
COMMENT ON COLUMN "reporting"."balance_changes"."change" IS 'first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (the service no longer lists the asset).';
COMMENT ON COLUMN "reporting"."balance_changes"."total_before" IS 'Total balance before.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_after" IS 'Total balance after.';
COMMENT ON COLUMN "reporting"."balance_changes"."total_change" IS 'The difference; null when change is first observed.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_before" IS 'Available part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."available_after" IS 'Available part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_before" IS 'Part being processed before.';
COMMENT ON COLUMN "reporting"."balance_changes"."processing_after" IS 'Part being processed after.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_before" IS 'Staked part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."staking_after" IS 'Staked part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_before" IS 'Claimable part before.';
COMMENT ON COLUMN "reporting"."balance_changes"."claimable_after" IS 'Claimable part after.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_after" IS 'The change happened after this moment, when the first request of the observation unchanged_until began. Null without an earlier observation.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_before" IS 'The change happened before this moment, when the last answer of the observation changed_at had arrived.';
--> statement-breakpoint
-- Every snapshot as full rows, from the intervals of custody.balances and custody.unreadable_balances.
CREATE VIEW "reporting"."balance_snapshots" AS
SELECT s.account_id, s.vault_type, s.snapshot_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.total_balance) END AS total_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.available_balance) END AS available_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.processing_balance) END AS processing_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.staking_balance) END AS staking_balance,
	CASE WHEN u.asset_id IS NULL THEN trim_scale(b.claimable_balance) END AS claimable_balance,
	CASE WHEN u.asset_id IS NULL THEN b.unchanged_since END AS unchanged_since, u.asset_id IS NULL AS is_known,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from
	) END AS last_known_at,
	u.valid_to AS next_known_at, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
-- The condition twice: as a range for the GiST index, and as bounds for a search from a balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
LEFT JOIN custody.unreadable_balances u ON u.account_id = b.account_id AND u.vault_type = b.vault_type
	AND u.asset_id = b.asset_id AND u.network_id = b.network_id
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
UNION ALL
-- Balances that were never readable, and so have no interval in custody.balances.
SELECT s.account_id, s.vault_type, s.snapshot_at, u.asset_id, NULL, u.network_id, NULL,
	NULL, NULL, NULL, NULL, NULL, NULL, false,
	CASE WHEN u.asset_id IS NOT NULL THEN (
		SELECT max(k.snapshot_at) FROM custody.balance_snapshots k
		WHERE k.account_id = s.account_id AND k.vault_type = s.vault_type AND k.snapshot_at < u.valid_from AND k.unidentified_count = 0
	) END,
	u.valid_to, s.asked_at, s.answered_at
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
JOIN custody.unreadable_balances u ON u.account_id = s.account_id AND u.vault_type = s.vault_type
	AND tstzrange(u.valid_from, u.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
WHERE NOT EXISTS (
	SELECT FROM custody.balances b
	WHERE b.account_id = u.account_id AND b.vault_type = u.vault_type AND b.asset_id = u.asset_id AND b.network_id = u.network_id
		AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
	OFFSET 0
);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows, except old ones that were thinned. The view is large: always filter by time, and by asset or vault type where you can. A moment without rows was not observed; that does not mean zero. Where is_known is false, the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."snapshot_at" IS 'When the observation was made; one value for the three vault types of one tick.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."is_known" IS 'False: the record of the balance could not be read, and its figures are null because they are unknown, not zero. True: it could be read; a figure that is null was not sent by the service.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed the balance, or showed that it did not exist; null when there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."next_known_at" IS 'For an unknown balance: the first later observation that showed the balance; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
-- What one snapshot showed: the only place that combines balances with unreadable balances. PostgreSQL inlines it into the views.
CREATE FUNCTION "reporting"."balances_shown"("account" text, "vaults" text, "at" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, network_name text, total_balance numeric, available_balance numeric,
	processing_balance numeric, staking_balance numeric, claimable_balance numeric, unchanged_since timestamptz,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT asset_id, b.asset_name, network_id, b.network_name,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.total_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.available_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.processing_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.staking_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN trim_scale(b.claimable_balance) END,
		CASE WHEN u.is_unknown IS NULL THEN b.unchanged_since END,
		u.is_unknown IS NULL,
		CASE WHEN u.is_unknown THEN (
			SELECT max(s.snapshot_at) FROM custody.balance_snapshots s
			WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at < u.valid_from
				AND (b.valid_from IS NOT NULL OR s.unidentified_count = 0)
		) END,
		u.valid_to
	FROM (
		SELECT q.* FROM custody.balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS b
	FULL JOIN (
		SELECT q.asset_id, q.network_id, q.valid_from, q.valid_to, true AS is_unknown FROM custody.unreadable_balances q
		WHERE q.account_id = "account" AND q.vault_type = "vaults" AND tstzrange(q.valid_from, q.valid_to) @> "at"
	) AS u USING (asset_id, network_id)
	-- A moment without a snapshot shows nothing.
	WHERE EXISTS (
		SELECT FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at = "at"
	);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_shown"(text, text, timestamptz) IS 'The balances that one snapshot showed, by account, vault type and snapshot_at: one row per asset. Where the record of a balance could not be read, is_known is false and the figures are null. A moment without a snapshot gives no rows; for any moment, use balances_at.';
--> statement-breakpoint
-- The currencies that have prices: one lookup by index for each asset and currency, instead of reading every price.
CREATE VIEW "internal"."price_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT DISTINCT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "internal"."price_currencies" IS 'The currencies in which an account has prices in custody.asset_prices.';
COMMENT ON COLUMN "internal"."price_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."price_currencies"."currency" IS 'Currency of the prices.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."balances_at"("at" timestamptz) RETURNS TABLE (
	account_id text, vault_type text, asset_id text, asset_name text, network_id text, network_name text,
	total_balance numeric, available_balance numeric, processing_balance numeric, staking_balance numeric,
	claimable_balance numeric, unchanged_since timestamptz, observed_at timestamptz, age interval,
	is_known boolean, last_known_at timestamptz, next_known_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
		CASE WHEN b.is_known THEN b.total_balance END, CASE WHEN b.is_known THEN b.available_balance END,
		CASE WHEN b.is_known THEN b.processing_balance END, CASE WHEN b.is_known THEN b.staking_balance END,
		CASE WHEN b.is_known THEN b.claimable_balance END, CASE WHEN b.is_known THEN b.unchanged_since END,
		l.snapshot_at, "at" - l.snapshot_at, b.is_known, b.last_known_at, b.next_known_at
	FROM custody.accounts a
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	-- l: the last observation that was answered by then; n: the one that was under way.
	LEFT JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at <= "at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l ON true
	LEFT JOIN LATERAL (
		SELECT CASE WHEN s.asked_at <= "at" THEN s.snapshot_at END AS snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type AND s.answered_at > "at"
		ORDER BY s.answered_at, s.snapshot_at LIMIT 1
	) AS n ON true
	CROSS JOIN LATERAL (
		SELECT asset_id, coalesce(o.asset_name, c.asset_name) AS asset_name, network_id,
			coalesce(o.network_name, c.network_name) AS network_name,
			o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance, o.unchanged_since,
			s.is_known,
			CASE WHEN NOT s.is_known THEN CASE WHEN o.is_known IS FALSE THEN o.last_known_at ELSE l.snapshot_at END END AS last_known_at,
			CASE WHEN NOT s.is_known THEN
				CASE WHEN n.snapshot_at IS NULL THEN o.next_known_at WHEN c.is_known IS FALSE THEN c.next_known_at ELSE n.snapshot_at END
			END AS next_known_at
		FROM reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS o
		FULL JOIN reporting.balances_shown(a.account_id, v.vault_type, n.snapshot_at) AS c USING (asset_id, network_id)
		CROSS JOIN LATERAL (
			SELECT coalesce(o.is_known AND (n.snapshot_at IS NULL OR c.is_known
				AND (o.total_balance, o.available_balance, o.processing_balance, o.staking_balance, o.claimable_balance)
					IS NOT DISTINCT FROM
					(c.total_balance, c.available_balance, c.processing_balance, c.staking_balance, c.claimable_balance)), false) AS is_known
		) AS s
	) AS b;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as they were known at a moment: those of the last observation that was answered by then. If another observation was under way (between its asked_at and answered_at), the balances that it found changed are unknown, like those that could not be read: is_known is false, the figures are null, and last_known_at and next_known_at name the two observations (snapshot_at) around the moment. A great age means that nothing was observed for long.';
--> statement-breakpoint
CREATE VIEW "reporting"."balances_current" AS
SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age,
	b.is_known, b.last_known_at, l.asked_at, l.answered_at
FROM custody.accounts a
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balances_current" IS 'The balances last observed, one row per asset and vault type. Where is_known is false, the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balances_current"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_current"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_current"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balances_current"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_current"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_current"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balances_current"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_current"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balances_current"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balances_current"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_current"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balances_current"."age" IS 'How long ago that was.';
COMMENT ON COLUMN "reporting"."balances_current"."is_known" IS 'False: the record of the balance could not be read, and its figures are null because they are unknown, not zero. True: it could be read; a figure that is null was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_current"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed the balance, or showed that it did not exist; null when there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_current"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_current"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
CREATE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share,
	b.is_known, l.asked_at, l.answered_at
FROM (
	-- The last tick with all three observations: figures of different ticks are not compared.
	SELECT a.account_id, s.snapshot_at, s.asked_at, s.answered_at, s.all_unidentified, s.warm_unidentified, s.cold_unidentified
	FROM custody.accounts a
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at, least(s.asked_at, w.asked_at, c.asked_at) AS asked_at,
			greatest(s.answered_at, w.answered_at, c.answered_at) AS answered_at, s.unidentified_count > 0 AS all_unidentified,
			w.unidentified_count > 0 AS warm_unidentified, c.unidentified_count > 0 AS cold_unidentified
		FROM custody.balance_snapshots s
		JOIN custody.balance_snapshots w ON w.account_id = s.account_id AND w.vault_type = 'warm' AND w.snapshot_at = s.snapshot_at
		JOIN custody.balance_snapshots c ON c.account_id = s.account_id AND c.vault_type = 'cold' AND c.snapshot_at = s.snapshot_at
		WHERE s.account_id = a.account_id AND s.vault_type = 'all'
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS s
) AS l
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name, q.network_id, max(q.network_name) AS network_name,
		-- An asset that is not listed has balance 0, unless it may be a record that could not be identified; one that is listed
		-- without a figure is unknown.
		CASE WHEN bool_or(q.vault_type = 'warm' AND q.total_balance IS NULL)
				OR l.warm_unidentified AND NOT bool_or(q.vault_type = 'warm') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'warm'), 0) END AS warm_total,
		CASE WHEN bool_or(q.vault_type = 'cold' AND q.total_balance IS NULL)
				OR l.cold_unidentified AND NOT bool_or(q.vault_type = 'cold') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'cold'), 0) END AS cold_total,
		CASE WHEN bool_or(q.vault_type = 'all' AND q.total_balance IS NULL)
				OR l.all_unidentified AND NOT bool_or(q.vault_type = 'all') THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'all'), 0) END AS all_total,
		bool_and(q.is_known) AND (bool_or(q.vault_type = 'warm') OR NOT l.warm_unidentified)
			AND (bool_or(q.vault_type = 'cold') OR NOT l.cold_unidentified)
			AND (bool_or(q.vault_type = 'all') OR NOT l.all_unidentified) AS is_known
	FROM (
		SELECT v.vault_type, s.asset_id, s.asset_name, s.network_id, s.network_name, s.total_balance, s.is_known
		FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
		CROSS JOIN LATERAL reporting.balances_shown(l.account_id, v.vault_type, l.snapshot_at) AS s
	) AS q
	GROUP BY q.asset_id, q.network_id
) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vault_split" IS 'Warm and cold balances side by side, from the last tick with observations of all, warm and cold. The three are separate answers, a moment apart. A total with a part that could not be read is null, and so is everything computed from it.';
COMMENT ON COLUMN "reporting"."vault_split"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vault_split"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vault_split"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vault_split"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vault_split"."warm_total" IS 'Total balance of the warm vaults; 0 when the asset is not listed there; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_total" IS 'Total balance of the cold vaults; 0 when the asset is not listed there; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."all_total" IS 'Total balance of all vaults as the service sends it; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."difference" IS 'all_total - warm_total - cold_total.';
COMMENT ON COLUMN "reporting"."vault_split"."agrees" IS 'The difference is 0; null when one of the totals is null.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_share" IS 'Share of the cold vaults: 0 to 1.';
COMMENT ON COLUMN "reporting"."vault_split"."is_known" IS 'All three could be read. False: one of the totals is unknown and null, because a record could not be read.';
COMMENT ON COLUMN "reporting"."vault_split"."asked_at" IS 'When the first request for the three began.';
COMMENT ON COLUMN "reporting"."vault_split"."answered_at" IS 'When the last answer of the three had arrived.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.price_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= now()
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values" IS 'The balances last observed, valued at the latest price in custody.asset_prices. Only assets that have a price have a row: an asset that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."balance_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values"."age" IS 'How long ago the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
--> statement-breakpoint
CREATE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
-- An observation counts when it was answered: everything that it shows had happened by the end of the day.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balances_daily" IS 'The last observed balances of each day. An observation counts on the day on which its last answer arrived. A day without observations has no rows; a day without changes has rows. Where is_known is false, the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balances_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balances_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_daily"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balances_daily"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_daily"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balances_daily"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balances_daily"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_daily"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balances_daily"."age" IS 'How long before the end of the day (today: before now) this observation was made.';
COMMENT ON COLUMN "reporting"."balances_daily"."is_known" IS 'False: the record of the balance could not be read, and its figures are null because they are unknown, not zero. True: it could be read; a figure that is null was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_daily"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed the balance, or showed that it did not exist; null when there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_daily"."next_known_at" IS 'For an unknown balance: the first later observation that showed the balance; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_daily"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_daily"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.price_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= b.observed_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values_daily" IS 'The last observed balances of each day, valued at the latest price up to then in custody.asset_prices. Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balance_values_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'How long before the end of the day (today: before now) the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
--> statement-breakpoint
CREATE VIEW "reporting"."worth_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	count(*) FILTER (WHERE b.total_balance IS NULL) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN internal.price_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL (
	SELECT q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= b.observed_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."worth_daily" IS 'What the balances last observed of each day were worth together, at the latest prices up to then in custody.asset_prices: one row for each type of vaults and currency. A day without observations, or on which nothing was listed, has no row: its worth is unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."worth_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."worth_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."worth_daily"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."worth_daily"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. What has no price, and what is unknown, is not in it: see without_price and unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."valued" IS 'Balances in the sum, one for each asset and network; those of zero too.';
COMMENT ON COLUMN "reporting"."worth_daily"."without_price" IS 'Balances that are not zero and had no price in the currency.';
COMMENT ON COLUMN "reporting"."worth_daily"."unknown" IS 'Balances that could not be read.';
COMMENT ON COLUMN "reporting"."worth_daily"."oldest_price_as_of" IS 'The oldest of the prices; null when the sum is of nothing.';
COMMENT ON COLUMN "reporting"."worth_daily"."observed_at" IS 'When the observation of these figures was made.';
