-- What is dropped below is made again, and whoever was granted it keeps it.
CREATE TABLE "drizzle"."kept_grants" AS
SELECT format('GRANT %s ON %s %s TO %s%s', acl.privilege_type, o.kind, o.name,
	CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END,
	CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS "grant", o.kind, o.name
FROM (
	SELECT 'TABLE' AS kind, format('%I.%I', n.nspname, c.relname) AS name, c.relacl AS acl, c.relowner AS owner
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'v' AND n.nspname IN ('custody', 'reporting', 'sync')
	UNION ALL
	SELECT 'FUNCTION', p.oid::regprocedure::text, p.proacl, p.proowner
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ('custody', 'reporting', 'sync')
) AS o CROSS JOIN LATERAL aclexplode(o.acl) AS acl
WHERE acl.grantee <> o.owner;
--> statement-breakpoint
DROP FUNCTION reporting.balances_at(at timestamp with time zone);
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balance_changes" AS
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
-- Where some record could not even be identified, a balance that was not shown may have been there.
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
-- The same amounts in other words are no change.
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
-- Looked up for each (hence OFFSET 0), rather than held against all.
WHERE b.valid_to IS NOT NULL AND NOT EXISTS (
	SELECT FROM custody.balances n
	WHERE n.account_id = b.account_id AND n.vault_type = b.vault_type AND n.asset_id = b.asset_id
		AND n.network_id = b.network_id AND n.valid_from = b.valid_to
	OFFSET 0
);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_changes" IS 'Every change of a balance between two observations, one row each; also when an asset appears or is no longer shown. Figures that are only written with other zeros have not changed, nor has a balance that could not be read in between and is the same after.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_at" IS 'First observation (its snapshot_at) that showed the change. The change itself happened between changed_after and changed_before.';
COMMENT ON COLUMN "reporting"."balance_changes"."unchanged_until" IS 'Last observation (its snapshot_at) that could tell the balance and did not show the change; observations that could not read it lie between the two. Null where none could tell before.';
COMMENT ON COLUMN "reporting"."balance_changes"."change" IS 'first observed (no observation before could tell whether it was there), appeared, changed or disappeared (the service no longer lists the asset).';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_after" IS 'The change happened after this moment: when the first request of the observation unchanged_until began. Null where no observation before could tell.';
COMMENT ON COLUMN "reporting"."balance_changes"."changed_before" IS 'The change happened before this moment: when the last answer of the observation changed_at had arrived.';
--> statement-breakpoint
-- Balances for reports: every snapshot, each day, each change, and whether transactions explain them.
CREATE OR REPLACE VIEW "reporting"."balance_snapshots" AS
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
-- Said twice: as a range for its index, and as bounds for a search from the balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity')
LEFT JOIN custody.unreadable_balances u ON u.account_id = b.account_id AND u.vault_type = b.vault_type
	AND u.asset_id = b.asset_id AND u.network_id = b.network_id
	AND s.snapshot_at >= u.valid_from AND s.snapshot_at < coalesce(u.valid_to, 'infinity')
UNION ALL
-- What was unreadable whenever it was shown, and has no interval of its own.
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
COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows, but for old ones where they are thinned. It is large: always name a time, and an asset or vault type where you can. A moment without rows was not observed, which is not zero. Where is_known is false the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."is_known" IS 'False where the record of the balance could not be read then: its figures are unknown and null, which is not zero. True otherwise; a figure that is null then was not told by the service.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."last_known_at" IS 'Where the balance is unknown: the last observation before (its snapshot_at) that could tell it, also by not listing it; null where there is none. Null where the balance is known.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."next_known_at" IS 'Where the balance is unknown: the first observation after that could tell it; null while there is none. Null where the balance is known.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
-- What one snapshot showed: the one place that lays what could not be read over the balances. Inlined into the views.
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
	) AS u USING (asset_id, network_id);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_shown"(text, text, timestamptz) IS 'The balances that one snapshot showed, named by account, vault type and snapshot_at: one row per asset. Where the record of a balance could not be read, is_known is false and the figures are null. A moment at which there was no snapshot is answered from the one before; ask balances_at for a moment.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run began that made the observation; one value for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asked_at" IS 'When the first request of the observation began. Of observations made before this was recorded: snapshot_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived: each figure is of some moment between asked_at and answered_at. Of observations made before this was recorded: the end of the run, or snapshot_at where the run was no longer there.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'Of the records that could not be read, those of which not even that could be read which balance they are: a balance that this snapshot does not show may be among them, so that none ended with it.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. It goes on where the record could not be read: custody.unreadable_balances says when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot since when the amounts are the same numbers, however they were written and whatever the names: valid_from of this row or of one before it.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."unreadable_balances" IS 'When a balance was unknown, as intervals of snapshots: its record could not be read, or it was not shown while some record could not even be identified. A row holds from valid_from until before valid_to. The raw records are in sync.quarantine.';
COMMENT ON COLUMN "custody"."unreadable_balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."unreadable_balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."unreadable_balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."unreadable_balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_from" IS 'First snapshot that could not tell the balance.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_to" IS 'First later snapshot that could, also by not listing it; null while it is unknown.';
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
	-- The last observation that was answered by then, and the one that was under way.
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
COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as they were known at a moment: those of the last observation that was answered by then. While another was under way (from its asked_at until its answered_at), what it found changed is unknown: is_known is false, the figures are null, and last_known_at and next_known_at name the two observations (snapshot_at) that tell it. So is what could not be read. Look at age: where it is long, nothing was observed in between.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balances_current" AS
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
COMMENT ON VIEW "reporting"."balances_current" IS 'The balances last observed, one row per asset and vault type. Where is_known is false the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balances_current"."is_known" IS 'False where the record of the balance could not be read then: its figures are unknown and null, which is not zero. True otherwise; a figure that is null then was not told by the service.';
COMMENT ON COLUMN "reporting"."balances_current"."last_known_at" IS 'Where the balance is unknown: the last observation before (its snapshot_at) that could tell it, also by not listing it; null where there is none. Null where the balance is known.';
COMMENT ON COLUMN "reporting"."balances_current"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_current"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share,
	b.is_known, l.asked_at, l.answered_at
FROM (
	-- The last tick at which all three were observed: figures of different moments are not held against each other.
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
		-- An asset that is not listed there is none there, unless it may be a record that could not be identified; one that is
		-- listed without a figure is unknown.
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
COMMENT ON VIEW "reporting"."vault_split" IS 'Warm and cold balances side by side, from the last tick at which all, warm and cold were all observed. The three are separate answers, a moment apart. A total of which a part could not be read is null, and so is what is made of it.';
COMMENT ON COLUMN "reporting"."vault_split"."warm_total" IS 'Total balance of the warm vaults; 0 when the asset is not listed there; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_total" IS 'Total balance of the cold vaults; 0 when the asset is not listed there; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."all_total" IS 'Total balance of all vaults as the service tells it; null when it is unknown.';
COMMENT ON COLUMN "reporting"."vault_split"."agrees" IS 'The difference is 0; null where one of the totals is.';
COMMENT ON COLUMN "reporting"."vault_split"."is_known" IS 'All three could be read. False: one of the totals is unknown and null, because a record could not be read.';
COMMENT ON COLUMN "reporting"."vault_split"."asked_at" IS 'When the first request for the three began.';
COMMENT ON COLUMN "reporting"."vault_split"."answered_at" IS 'When the last answer of the three had arrived.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balance_values" AS
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
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN (SELECT DISTINCT account_id, currency FROM priced) AS c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= now()
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency asks. Null where the balance is unknown: a sum over it is unknown too, though sum() passes over it.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False where the record of the balance could not be read: balance and value are unknown and null, which is not zero.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
-- By the arrival of its answer: whatever the last observation of a day tells had happened by the end of the day.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balances_daily" IS 'The last observed balances of each day. An observation counts on the day on which its last answer arrived. A day on which nothing was observed has no rows; one on which nothing changed has. Where is_known is false the record could not be read and the figures are null: the balance is unknown, not zero.';
COMMENT ON COLUMN "reporting"."balances_daily"."is_known" IS 'False where the record of the balance could not be read then: its figures are unknown and null, which is not zero. True otherwise; a figure that is null then was not told by the service.';
COMMENT ON COLUMN "reporting"."balances_daily"."last_known_at" IS 'Where the balance is unknown: the last observation before (its snapshot_at) that could tell it, also by not listing it; null where there is none. Null where the balance is known.';
COMMENT ON COLUMN "reporting"."balances_daily"."next_known_at" IS 'Where the balance is unknown: the first observation after that could tell it; null while there is none. Null where the balance is known.';
COMMENT ON COLUMN "reporting"."balances_daily"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_daily"."answered_at" IS 'When the last answer of the observation had arrived.';
--> statement-breakpoint
-- What each observed change of a status did to the balances: the lines that flows, fees and the reconciliation are made of.
CREATE OR REPLACE VIEW "reporting"."postings" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_at, t.transaction_type, h.from_status, h.to_status,
	t.asset_id, t.asset_name, t.network_id,
	trim_scale(CASE WHEN d.direction = 'in' THEN m.total ELSE 0 END) AS inflow,
	trim_scale(CASE WHEN d.direction = 'out' THEN -m.total ELSE 0 END) AS outflow,
	trim_scale(-d.total_fee * m.fee) AS fee,
	trim_scale(m.total + d.total_fee * m.fee) AS total_change,
	trim_scale(m.staked + d.staked_fee * m.fee) AS staked_change,
	h.observed_after
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0), as in the timeline.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = t.transaction_type AND before.status = h.from_status
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = t.transaction_type AND after.status = h.to_status
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee
) AS d
-- What does not move is 0 also where the amount is not known; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * t.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * t.amount END AS staked,
		coalesce(t.fee, 0) AS fee
) AS m
-- What the first sweep found was there before; the first balances hold it already.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it came between observed_after and observed_at. Null at the first sighting, and where nothing is known.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balance_values_daily" AS
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
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN (SELECT DISTINCT account_id, currency FROM priced) AS c ON c.account_id = b.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = b.account_id AND q.asset_id = b.asset_id AND q.currency = c.currency AND q.as_of <= b.observed_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency asks. Null where the balance is unknown: a sum over it is unknown too, though sum() passes over it.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False where the record of the balance could not be read: balance and value are unknown and null, which is not zero.';
--> statement-breakpoint
-- Staked and claimable balances also grow by rewards, for which there is no transaction: staked_rest is what is left of their
-- change. Flows are those seen up to the arrival of each observation's last answer, so that consecutive spans leave nothing out.
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
			-- An asset that is not listed holds nothing, unless it may be a record that could not be identified; one that is listed
			-- without a figure is unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'opening' AND q.total IS NULL)
					AND (o.unidentified_count = 0 OR bool_or(q.part = 'opening'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'opening'), 0) END AS opening_total,
			CASE WHEN NOT bool_or(q.part = 'closing' AND q.total IS NULL) AND (e.unidentified_count = 0 OR bool_or(q.part = 'closing'))
				THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'closing'), 0) END AS closing_total,
			-- Without an opening there is no span of time to post to; a posting of an amount that is not known is unknown.
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.inflow IS NULL)
				THEN coalesce(sum(q.inflow), 0) END AS inflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.outflow IS NULL)
				THEN coalesce(sum(q.outflow), 0) END AS outflow,
			CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.fee IS NULL)
				THEN coalesce(sum(q.fee), 0) END AS fee,
			-- A part that is told by one of the two observations alone is unknown in the other.
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
COMMENT ON FUNCTION "reporting"."reconciliation_between"(text, timestamptz, timestamptz) IS 'Do the flows explain the balances between two observations of all vaults, named by account and snapshot_at? One row per asset: difference is closing less opening balance, less inflow, plus outflow and fees; staked_rest is the change of the staked and claimable balances that no transaction explains. Where the two are equal and not negative, the balance is explained. Null is unknown.';
--> statement-breakpoint
-- A change is known to lie between two readings of the transactions, a figure between the request and the answer of an
-- observation. Where the two overlap, the figure may hold the change or not.
CREATE FUNCTION "reporting"."uncertain_postings"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, transactions bigint, moved numeric, unstaked_moved numeric, staked_moved numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	-- Unknown as soon as one of the amounts is.
	SELECT p.asset_id, count(DISTINCT p.transaction_id),
		CASE WHEN NOT bool_or(p.total_change IS NULL) THEN sum(abs(p.total_change)) END,
		CASE WHEN NOT bool_or(p.total_change IS NULL OR p.staked_change IS NULL)
			THEN sum(abs(p.total_change - p.staked_change)) END,
		CASE WHEN NOT bool_or(p.staked_change IS NULL) THEN sum(abs(p.staked_change)) END
	FROM custody.balance_snapshots s
	-- A transaction that is seen for the first time has no lower bound: it is taken to be younger than the last observation but one.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	JOIN reporting.postings p ON p.account_id = s.account_id AND p.observed_at > s.asked_at
		AND p.observed_at <= coalesce("until", 'infinity')
		AND (p.observed_at <= s.answered_at OR p.observed_after < s.answered_at
			OR p.observed_after IS NULL AND p.observed_at <= coalesce(n.answered_at, 'infinity'))
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed"
		AND (p.total_change IS DISTINCT FROM 0 OR p.staked_change IS DISTINCT FROM 0)
	GROUP BY p.asset_id;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'What transactions moved that may lie on either side of an observation of all vaults (account, snapshot_at), as far as they were seen up to a moment: the change may have come before the figures were read or after. One row per asset: how many transactions, the sum of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null where an amount is not known.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."reconciliation_daily" AS
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
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the balance observed last before the day, what transactions did until the last observation of the day, and the balance observed then. Flows are taken between the two observations, not from midnight to midnight. A figure may hold a change that the transactions showed a moment later: a difference that such transactions can account for, and that the neighbouring observation undoes, is timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last whose answer arrived before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults then; 0 when the asset was not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains, never negative: staking_losses tells what they lost. Inferred, not told by the service. Null on the first day, and where it is not known, as when one of the two observations alone told a staked part.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was (its snapshot_at): the last whose answer arrived on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True: unexplained_difference is 0 and there are no staking_losses but by timing. False: something left or came that no transaction tells. Null: unknown, as on the first day or where a figure is unknown; or undecided until transactions or balances are read again, because a change may lie on either side of the observation.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'What the staked and claimable balances lost without a transaction that explains it, never negative. A loss is not explained. Null where staking_rewards is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference that is a matter of timing: transactions that may lie on either side of the opening or closing observation can account for it, and the neighbouring observation shows the opposite. Null where the difference is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'How much transactions moved that may lie on either side of the opening observation, as a sum of absolute amounts. Told where the flows alone do not explain the balance, else 0; null where one of the figures is not known, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_closing" IS 'The same of the closing observation. Transactions that are not read yet are not in it.';
--> statement-breakpoint
DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k."grant" FROM drizzle.kept_grants k
		WHERE CASE k.kind WHEN 'TABLE' THEN to_regclass(k.name) IS NOT NULL ELSE to_regprocedure(k.name) IS NOT NULL END
	LOOP
		EXECUTE kept."grant";
	END LOOP;
	DROP TABLE drizzle.kept_grants;
END
$$;
