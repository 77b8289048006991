-- What is dropped below is made again, and whoever was granted it keeps it.
CREATE TABLE "drizzle"."kept_grants" AS
SELECT format('GRANT %s ON %s %s TO %s%s', acl.privilege_type, o.kind, o.name,
	CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END,
	CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS "grant", o.kind, o.name
FROM (
	SELECT 'TABLE' AS kind, format('%I.%I', n.nspname, c.relname) AS name, c.relacl AS acl, c.relowner AS owner
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'v' AND n.nspname IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
	UNION ALL
	SELECT 'FUNCTION', p.oid::regprocedure::text, p.proacl, p.proowner
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
) AS o CROSS JOIN LATERAL aclexplode(o.acl) AS acl
WHERE acl.grantee <> o.owner;
--> statement-breakpoint
DROP VIEW reporting.open_transactions;
--> statement-breakpoint
DROP VIEW reporting.fees_daily;
--> statement-breakpoint
DROP VIEW reporting.reconciliation_daily;
--> statement-breakpoint
DROP VIEW reporting.destination_uses;
--> statement-breakpoint
DROP VIEW reporting.destinations;
--> statement-breakpoint
DROP FUNCTION reporting.balances_at(at timestamp with time zone);
--> statement-breakpoint
DROP VIEW reporting.transactions;
--> statement-breakpoint
DROP VIEW reporting.postings;
--> statement-breakpoint
DROP VIEW custody.whitelist_periods;
--> statement-breakpoint
DROP VIEW reporting.whitelist_history;
--> statement-breakpoint
DROP TABLE custody.destination_totals;
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
	) AS u USING (asset_id, network_id)
	-- A moment that is no observation shows nothing.
	WHERE EXISTS (
		SELECT FROM custody.balance_snapshots s
		WHERE s.account_id = "account" AND s.vault_type = "vaults" AND s.snapshot_at = "at"
	);
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balances_shown"(text, text, timestamptz) IS 'The balances that one snapshot showed, named by account, vault type and snapshot_at: one row per asset. Where the record of a balance could not be read, is_known is false and the figures are null. A moment at which there was no snapshot is answered from the one before; ask balances_at for a moment.';
--> statement-breakpoint
CREATE VIEW "reporting"."whitelist_history" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.change, r.observed_after AS valid_after, r.observed_at AS valid_from,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.name, r.address, r.asset_id, r.network_id,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror,
	next.revision IS NULL AS is_current
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
WHERE r.kind = 'whitelist_entry';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."whitelist_history" IS 'Every observed state of every whitelist entry, one row each: who could be paid, and when.';
COMMENT ON COLUMN "reporting"."whitelist_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."whitelist_history"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."revision" IS 'Number of the state within the entry; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."whitelist_history"."change" IS 'added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_after" IS 'When the state had certainly not begun yet: the reading of the whitelist before. Null at the first one.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_from" IS 'When the state was first seen; it began between valid_after and this.';
COMMENT ON COLUMN "reporting"."whitelist_history"."known_until" IS 'When the last reading began that still showed the state; before valid_from where one reading alone showed it.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_to" IS 'When the next state was first seen; it began between known_until and this. Null while the state lasts.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_listed" IS 'The entry stood on the whitelist in this state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."name" IS 'Name of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."asset_id" IS 'Asset the entry is for; null when it tells none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."network_id" IS 'Network the entry is for; null when it tells none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_older_than_mirror" IS 'It was there when the whitelist was first read, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_current" IS 'The state lasts.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."data_freshness" AS
-- Runs follow one another by run_id, whatever a clock says. An end more than five minutes ahead tells no age: a clock stood wrong.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- By job: increments that succeed do not hide sweeps that fail.
	EXISTS (
		SELECT FROM unnest(r.jobs) AS j (job)
		CROSS JOIN LATERAL (
			SELECT max(u.run_id) AS run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed'
		) AS l
		CROSS JOIN LATERAL (
			SELECT max(u.run_id) AS run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
		) AS g
		WHERE l.run_id > coalesce(g.run_id, 0)
	) AS is_failing,
	(SELECT count(*) FROM sync.anomalies n
		WHERE n.account_id = a.account_id AND n.resource = r.resource AND n.resolved_at IS NULL) AS open_anomalies,
	(SELECT count(*) FROM sync.quarantine q
		WHERE q.account_id = a.account_id AND q.resource = r.resource AND q.resolved_at IS NULL) AS quarantined_records,
	CASE r.resource WHEN 'transactions' THEN a.transactions_since END AS complete_since,
	coalesce((SELECT e.is_mirrored FROM sync.expectations e
		WHERE e.account_id = a.account_id AND e.job = r.resource), true) AS is_mirrored
FROM custody.accounts a
CROSS JOIN (VALUES
	('transactions', ARRAY['transactions', 'reconcile']), ('balances', ARRAY['balances']),
	('vaults', ARRAY['vaults']), ('whitelist', ARRAY['whitelist'])
) AS r (resource, jobs)
-- By job, so that each is one step into an index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.run_id DESC LIMIT 1
	) AS l
) AS s ON true
LEFT JOIN LATERAL (
	SELECT max(u.finished_at) AS at FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.verified
		AND u.finished_at <= now() + interval '5 minutes'
) AS v ON true
LEFT JOIN LATERAL (
	SELECT l.finished_at AS at, l.error_code, l.error_message FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.run_id, u.finished_at, u.error_code, u.error_message FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' ORDER BY u.run_id DESC LIMIT 1
	) AS l
	ORDER BY l.run_id DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."data_freshness"."last_success_at" IS 'When a run last succeeded; one that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_verified_at" IS 'When a run last ended as verified: it could show that it missed nothing. An end more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since: of transactions also the sweeps (reconcile), while increments succeed.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds the resource. Where it does not, the row tells what was read before.';
--> statement-breakpoint
-- The one definition of health: one row for each thing that is wrong, or worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- Runs follow one another by run_id, whatever a clock says. An end more than five minutes ahead tells no age: a clock stood wrong.
CREATE VIEW "reporting"."health_problems" AS
WITH jobs AS (
	SELECT a.account_id, a.first_seen_at, k.job, k.resource, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message,
		-- Nobody told how often sync is to run: what it did so far tells it, and a day is always allowed. The median, because
		-- one outage says nothing of what is usual; at most the age that a verified sweep may have.
		CASE WHEN e.started_by = 'daemon' THEN e.max_age
			ELSE least(interval '8 days', greatest(interval '26 hours', 3 * g.gap)) END AS max_age
	FROM custody.accounts a
	CROSS JOIN (VALUES ('transactions', 'transactions'), ('reconcile', 'transactions'), ('balances', 'balances'),
		('vaults', 'vaults'), ('whitelist', 'whitelist'), ('maintenance', NULL)) AS k (job, resource)
	CROSS JOIN LATERAL (
		SELECT coalesce(max(x.started_by), 'sync') AS started_by,
			coalesce(bool_and(x.is_mirrored), true) AS is_mirrored,
			coalesce(bool_and(x.is_scheduled), k.job = k.resource) AS is_scheduled, max(x.max_age) AS max_age
		FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = k.job
	) AS e
	LEFT JOIN LATERAL (
		SELECT u.finished_at AS at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = k.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.run_id DESC LIMIT 1
	) AS s ON true
	CROSS JOIN LATERAL (
		SELECT coalesce(max(u.run_id), 0) AS run_id FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = k.job AND u.status = 'succeeded'
	) AS last_success
	LEFT JOIN LATERAL (
		SELECT first.at, u.error_code, u.error_message FROM sync.runs u
		CROSS JOIN LATERAL (
			SELECT least(b.finished_at, now()) AS at FROM sync.runs b
			WHERE b.account_id = a.account_id AND b.job = k.job AND b.status = 'failed' AND b.run_id > last_success.run_id
			ORDER BY b.run_id LIMIT 1
		) AS first
		WHERE u.account_id = a.account_id AND u.job = k.job AND u.status = 'failed' AND u.run_id > last_success.run_id
		ORDER BY u.run_id DESC LIMIT 1
	) AS f ON true
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded'
				ORDER BY r.run_id DESC LIMIT 10
			) AS u
		) AS t
	) AS g ON e.started_by = 'sync'
	WHERE e.is_mirrored AND e.is_scheduled
), account AS (
	SELECT a.account_id, a.first_seen_at, l.holder,
		coalesce((SELECT max(x.started_by) FROM sync.expectations x WHERE x.account_id = a.account_id), 'sync') AS started_by,
		-- A lease that was given up ends at -infinity.
		(SELECT nullif(l2.expires_at, '-infinity') FROM sync.leases l2 WHERE l2.account_id = a.account_id) AS lease_ended_at,
		coalesce((SELECT x.is_mirrored FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'transactions'), true)
			AS mirrors_transactions,
		CASE WHEN EXISTS (SELECT FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			THEN (SELECT x.max_verified_age FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			ELSE interval '8 days' END AS max_verified_age,
		(SELECT max(j.last_success_at) FROM jobs j WHERE j.account_id = a.account_id AND j.resource IS NOT NULL) AS last_success_at,
		(SELECT max(u.finished_at) FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job IN ('transactions', 'reconcile') AND u.verified
				AND u.finished_at <= now() + interval '5 minutes') AS last_verified_at,
		t.at AS transactions_read_at
	FROM custody.accounts a
	LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now()
	LEFT JOIN LATERAL (
		SELECT min(u.at) AS at FROM (VALUES ('transactions'), ('reconcile')) AS k (job) CROSS JOIN LATERAL (
			SELECT r.finished_at AS at FROM sync.runs r
			WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded' ORDER BY r.run_id LIMIT 1
		) AS u
	) AS t ON true
), problems (account_id, rank, code, severity, subject, since, problem, fix) AS (
	SELECT c.account_id, 10, 'nothing-mirrored', 'critical', 'account', c.first_seen_at, 'Nothing was mirrored yet',
		'start custody-mirror run, or run custody-mirror sync once'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NULL
UNION ALL
	SELECT c.account_id, 45, 'starting', 'critical', 'account', c.first_seen_at,
		'No reading has been completed yet: what is there is a part',
		format('wait for the first to end; if it stays so, see the log of %s, which holds the lease', c.holder)
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NOT NULL
UNION ALL
	SELECT c.account_id, 20, 'stopped', 'critical', 'account', coalesce(c.lease_ended_at, c.last_success_at),
		'No process writes: nothing is mirrored until one does', 'start custody-mirror run'
	FROM account c WHERE c.holder IS NULL AND c.started_by = 'daemon' AND c.last_success_at IS NOT NULL
UNION ALL
	SELECT j.account_id, CASE WHEN j.error_code = 'ERR-02' THEN 30 ELSE 40 END,
		CASE WHEN j.error_code = 'ERR-02' THEN 'key-refused' ELSE 'failing' END,
		CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.failing_since,
		format('The last run of %s failed: %s%s', j.job, rtrim(coalesce(j.error_message, 'no reason was recorded'), '. '),
			CASE WHEN position(coalesce(j.error_code, 'UNEXPECTED') IN coalesce(j.error_message, '')) = 0
				THEN format(' (%s)', coalesce(j.error_code, 'UNEXPECTED')) ELSE '' END),
		CASE j.error_code
			WHEN 'ERR-02' THEN CASE WHEN j.job IN ('vaults', 'whitelist')
				THEN format('check CUSTODY_API_KEY and that its role reaches %1$s, or leave %1$s out of CUSTODY_RESOURCES', j.job)
				ELSE 'check CUSTODY_API_KEY and that the key has the viewer role' END
			WHEN 'ERR-03' THEN 'set CUSTODY_RATE_LIMIT lower if it stays so'
			WHEN 'TIMEOUT' THEN 'the next run tries again; CUSTODY_TIMEOUT_MS sets how long an answer is waited for'
			WHEN 'NETWORK' THEN 'check that this machine reaches CUSTODY_BASE_URL'
			WHEN 'CERTIFICATE' THEN 'check CUSTODY_BASE_URL; for a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS'
			WHEN 'BAD-BODY' THEN 'check that CUSTODY_BASE_URL is the address of the service itself'
			ELSE 'the next run tries again; custody-mirror doctor checks what it needs' END
	FROM jobs j WHERE j.failing_since IS NOT NULL
UNION ALL
	SELECT j.account_id, 50, 'never-read', 'warning', j.job, j.first_seen_at, format('No run of %s has succeeded yet', j.job),
		'its first run is still to end: wait for it, and see the log if it stays so'
	FROM jobs j JOIN account c ON c.account_id = j.account_id AND c.last_success_at IS NOT NULL
	WHERE j.job = j.resource AND j.last_success_at IS NULL AND j.failing_since IS NULL
UNION ALL
	SELECT j.account_id, 60, 'stale', CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.last_success_at,
		format('No run of %s has succeeded for more than %s', j.job, CASE
			WHEN j.max_age < interval '2 hours' THEN round(extract(epoch FROM j.max_age) / 60) || ' minutes'
			WHEN j.max_age < interval '2 days' THEN round(extract(epoch FROM j.max_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM j.max_age) / 86400) || ' days' END),
		CASE WHEN c.holder IS NOT NULL THEN format('see the log of %s, which holds the lease', c.holder)
			WHEN j.started_by = 'daemon' THEN 'start custody-mirror run' ELSE 'run custody-mirror sync, or start custody-mirror run' END
	FROM jobs j JOIN account c ON c.account_id = j.account_id
	WHERE j.last_success_at < now() - j.max_age
UNION ALL
	SELECT c.account_id, 70, 'never-verified', 'warning', 'transactions', c.transactions_read_at,
		'No sweep of transactions has ever been verified: some may be missing from the mirror',
		CASE WHEN c.holder IS NULL THEN 'run custody-mirror sync --full, or start custody-mirror run, which tries again'
			ELSE format('the process %s tries again', c.holder) END
		|| CASE
			WHEN d.codes ?| ARRAY['order-settled', 'order-unsettled']
				THEN '; if it stays so, ask the operator of the service for a list that keeps its order'
			WHEN d.codes ? 'offset-ignored'
				THEN '; if it stays so, ask the operator of the service why GET /transactions ignores the offset'
			WHEN d.codes ?| ARRAY['end-cut', 'overlap-too-short', 'short-settled']
				THEN '; if it stays so, set CUSTODY_PAGE_SIZE to another number and ask the operator of the service how far GET /transactions can be paged'
			ELSE '' END
	FROM account c
	LEFT JOIN LATERAL (
		SELECT u.verdict->'doubt_codes' AS codes FROM sync.runs u
		WHERE u.account_id = c.account_id AND u.job IN ('transactions', 'reconcile') AND u.mode = 'full' AND u.status = 'succeeded'
		ORDER BY u.run_id DESC LIMIT 1
	) AS d ON c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
	WHERE c.mirrors_transactions AND c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
UNION ALL
	SELECT c.account_id, 80, 'verified-long-ago', 'warning', 'transactions', c.last_verified_at,
		format('No sweep of transactions has been verified for more than %s', CASE
			WHEN c.max_verified_age < interval '2 days' THEN round(extract(epoch FROM c.max_verified_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM c.max_verified_age) / 86400) || ' days' END),
		'run custody-mirror sync --full, and see what sync.runs.verdict says of the last sweeps'
	FROM account c WHERE c.mirrors_transactions AND c.last_verified_at < now() - c.max_verified_age
UNION ALL
	SELECT q.account_id, 90, 'quarantine', 'warning', q.resource, min(q.first_observed_at),
		format('%s %s of %s could not be read', count(*), CASE count(*) WHEN 1 THEN 'record' ELSE 'records' END, q.resource),
		'sync.quarantine holds the text and the reason'
	FROM sync.quarantine q WHERE q.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM sync.expectations x WHERE x.account_id = q.account_id AND x.job = q.resource AND NOT x.is_mirrored)
	GROUP BY q.account_id, q.resource
UNION ALL
	SELECT n.account_id, coalesce(k.rank, 100), coalesce(k.kind, 'anomaly'), CASE WHEN k.kind IS NULL THEN 'note' ELSE 'critical' END,
		CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END, min(n.first_observed_at),
		coalesce(k.problem, format('%s open %s of kind %s', count(*), CASE count(*) WHEN 1 THEN 'anomaly' ELSE 'anomalies' END, n.kind)),
		coalesce(k.fix, 'sync.anomalies tells the records; it does not make the mirror unhealthy')
	FROM sync.anomalies n
	-- The anomalies that put the mirror itself in doubt; the others are the service's own and change nothing here.
	LEFT JOIN (VALUES
		('too-many-vanished', 25,
			'More than 5 % of the transactions (and more than three), or all of them, would have to be marked as vanished at once, so none was',
			'check that CUSTODY_BASE_URL and the key still belong to this account'),
		('clock-refused', 28, 'Answers are refused: what is mirrored is of a later time than the database tells, so its clock stood wrong',
			'compare the clock of the database with another one; sync.anomalies tells until when answers are refused')
	) AS k (kind, rank, problem, fix) ON k.kind = n.kind
	WHERE n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM sync.expectations x WHERE x.account_id = n.account_id AND x.job = n.resource AND NOT x.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT p.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM problems p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."health_problems" IS 'What is wrong with the mirror, one row per problem: the one definition of health, on which status, the status page, the metrics, the alerts and sync_health rest. An account without a row of severity critical or warning is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."account_id" IS 'The account.';
COMMENT ON COLUMN "reporting"."health_problems"."rank" IS 'The lower, the worse; order by it.';
COMMENT ON COLUMN "reporting"."health_problems"."code" IS 'nothing-mirrored, stopped, too-many-vanished, clock-refused, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, quarantine or anomaly. docs/operations.md says the cause of each and what to do.';
COMMENT ON COLUMN "reporting"."health_problems"."severity" IS 'critical or warning: the mirror is not healthy. note: worth knowing, and the mirror is healthy all the same.';
COMMENT ON COLUMN "reporting"."health_problems"."subject" IS 'What it concerns: account, a job of sync.runs, a resource, or the kind of an anomaly.';
COMMENT ON COLUMN "reporting"."health_problems"."since" IS 'Since when, as far as is known.';
COMMENT ON COLUMN "reporting"."health_problems"."problem" IS 'What is wrong, in words, without a full stop.';
COMMENT ON COLUMN "reporting"."health_problems"."fix" IS 'What to do about it.';
--> statement-breakpoint
-- By the form of the address, since the identifiers of networks are the service's own: what is written in hexadecimal digits, as on
-- EVM networks, is the same in either case; bech32 is written in one case throughout, and is the same in the other; everything else,
-- base58 above all, tells its letters' cases apart. Spaces around it are no part of it.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address as its network compares it: in lower case where it is written in hexadecimal digits (0x…) or in bech32, else as it is. Null where there is none.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether a status is one of those that the service documents. Any other is treated as open, and leaves the balances as the last documented status of the transaction left them.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'Until when transactions appeared of which nobody knows how old they are: the end of the first sweep that read the whole list, or the last first sighting by then if that is later. What was first seen later is new. A list that is found empty counts once a second sweep found the same. Null until then; never moved.';
COMMENT ON COLUMN "custody"."accounts"."transactions_total" IS 'How many transactions are mirrored, those included that vanished from the service. Kept with every commit.';
COMMENT ON COLUMN "custody"."accounts"."transactions_missing" IS 'How many of them vanished from the service (missing_since). Kept with every commit.';
--> statement-breakpoint
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'unknown-value, duplicate-id, balance-parts-differ, totals-differ, terminal-status-left, alternating-content, vanished, too-many-vanished or clock-refused. docs/data.md says what each means.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run began that made the observation; one value for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asked_at" IS 'When the first request of the observation began. Of observations made before this was recorded: snapshot_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived: each figure is of some moment between asked_at and answered_at. Of observations made before this was recorded, an estimate: the end of the run, but not after the next observation nor more than an hour later; snapshot_at where the run had not succeeded or was no longer there.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'Of the records that could not be read, those of which not even that could be read which balance they are: a balance that this snapshot does not show may be among them, so that none ended with it.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. It goes on where the record could not be read: custody.unreadable_balances says when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot since when the amounts are the same numbers, however they were written and whatever the names: valid_from of this row or of one before it.';
--> statement-breakpoint
COMMENT ON TABLE "internal"."destination_totals" IS 'Withdrawals summed up by destination and asset, so that reporting.destinations need not read them all. Triggers of custody.transactions keep it; internal.destination_sums tells what it has to hold.';
COMMENT ON COLUMN "internal"."destination_totals"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_totals"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_totals"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, as far as they are known.';
COMMENT ON COLUMN "internal"."destination_totals"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "internal"."destination_totals"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "internal"."destination_totals"."unbounded_uses" IS 'How many of them may have been made at any time before they were first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."bounded_after" IS 'Earliest moment after which one of the others can have been made; null where there is none.';
COMMENT ON COLUMN "internal"."destination_totals"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "internal"."destination_totals"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_readings" IS 'When the list of vaults, and the whitelist, was first and last read whole, also where it was empty: from one end to the other, with nothing in it that could not be decoded. Of what lies before the first and after the last, nobody knows.';
COMMENT ON COLUMN "custody"."document_readings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading had arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began: what it showed held at some moment since.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer had arrived.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."document_revisions"."observed_after" IS 'When the last whole reading of the list before this one began: the change happened between this and observed_at. Null at the first reading.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job, so that reporting.health_problems can judge whether it is done. Written by the daemon when it takes the lease and whenever the configuration changed; by sync where no daemon has said so within three days.';
COMMENT ON COLUMN "sync"."expectations"."account_id" IS 'The account.';
COMMENT ON COLUMN "sync"."expectations"."job" IS 'The job, as in sync.runs.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, and a process has to run. sync: somebody starts custody-mirror sync, by cron or by hand.';
COMMENT ON COLUMN "sync"."expectations"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether something starts the job at all. What nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'How long ago the last success of the job may be; null where its age is not judged, or where what sync did so far tells it.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: how long ago the last verified sweep of transactions may be; null where that is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last said so. Renewed about once an hour while a daemon works.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."fee_rules" IS 'In which asset a network takes its fees. Yours to fill, and never written by the mirror: the service names no asset of a fee, so that without a rule the reports assume that of the transaction, and say so. A rule holds for all times.';
COMMENT ON COLUMN "custody"."fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind that has no rule of its own on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
--> statement-breakpoint
COMMENT ON SCHEMA "internal" IS 'What views of reporting rest on. No reader is given it, and it may change with any version.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at; at the first sighting, a moment at which the transaction was not there yet. Null where nothing is known, as for what was there when the mirror began.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."transactions"."first_seen_after" IS 'A moment at which the transaction was certainly not there yet: when the last reading began that would have shown it. Null where nothing is known, as for what was there when the mirror began.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."unreadable_balances" IS 'When a balance was unknown, as intervals of snapshots: its record could not be read, or it was not shown while some record could not even be identified. A row holds from valid_from until before valid_to. The raw records are in sync.quarantine.';
COMMENT ON COLUMN "custody"."unreadable_balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."unreadable_balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."unreadable_balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."unreadable_balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_from" IS 'First snapshot that could not tell the balance.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_to" IS 'First later snapshot that could, also by not listing it; null while it is unknown.';
--> statement-breakpoint
-- What a transaction was worth, as it was known: one row per content, from when it was first seen until the next was. Today's row with
-- every later change taken back. The two ends of the revisions of one transaction are looked up by index.
CREATE VIEW "internal"."transaction_contents" AS
SELECT t.account_id, t.transaction_id, b.known_from, b.known_until,
	CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
	CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
	CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
	CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
	CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
	CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
	CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
FROM custody.transactions t
CROSS JOIN LATERAL (
	SELECT c.known_from, lead(c.known_from) OVER (ORDER BY c.known_from) AS known_until
	FROM (
		SELECT t.first_seen_at AS known_from
		UNION
		SELECT r.observed_at FROM custody.transaction_revisions r
		WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.changed_fields && ARRAY['transaction_type', 'asset_id', 'asset_name', 'network_id', 'amount', 'fee', 'missing_since']
	) AS c
) AS b
-- Of the revisions since, the earliest that changed a field says what it was.
LEFT JOIN LATERAL (
	SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
		SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
		FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
		WHERE b.known_until IS NOT NULL AND r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.observed_at > b.known_from
		ORDER BY f.field, r.revision
	) AS e
) AS p ON true;
--> statement-breakpoint
COMMENT ON VIEW "internal"."transaction_contents" IS 'What is counted of each transaction, as it was known: one row per content, with the span in which the mirror took it to be so.';
COMMENT ON COLUMN "internal"."transaction_contents"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_from" IS 'When the mirror first saw it so.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_until" IS 'When it first saw it otherwise; null for what is known now.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."transaction_contents"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."transaction_contents"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."missing_since" IS 'Since when the service no longer showed it; null while it did.';
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
-- What internal.destination_totals has to hold. Asked for one destination it reads its withdrawals by index.
CREATE VIEW "internal"."destination_sums" AS
SELECT t.account_id,
	custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) AS destination_key,
	count(*) AS uses, count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
	coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
	count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL) AS unknown_amounts,
	count(t.missing_since) AS missing_uses,
	count(*) FILTER (WHERE t.first_seen_after IS NULL) AS unbounded_uses, min(t.first_seen_after) AS bounded_after,
	min(t.first_seen_at) AS first_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1] AS first_transaction_id,
	max(t.first_seen_at) AS last_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1] AS last_transaction_id
FROM custody.transactions t
WHERE t.transaction_type = 'withdraw'
GROUP BY 1, 2;
--> statement-breakpoint
COMMENT ON VIEW "internal"."destination_sums" IS 'What internal.destination_totals has to hold, from the transactions themselves.';
COMMENT ON COLUMN "internal"."destination_sums"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_sums"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_sums"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "internal"."destination_sums"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "internal"."destination_sums"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, as far as they are known.';
COMMENT ON COLUMN "internal"."destination_sums"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "internal"."destination_sums"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "internal"."destination_sums"."unbounded_uses" IS 'How many of them may have been made at any time before they were first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."bounded_after" IS 'Earliest moment after which one of the others can have been made; null where there is none.';
COMMENT ON COLUMN "internal"."destination_sums"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "internal"."destination_sums"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
-- Each state of an entry in which it was listed, with what the readings prove: it was certainly not so at `possible_after`, was seen so
-- from `listed_from` to the last whole reading before the next change, and not any more at `possible_until`. Where the next state is
-- listed for the same asset and network (and, for the address, at the same one), nothing ended in between.
CREATE VIEW "internal"."whitelist_periods" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.address, r.asset_id, r.network_id,
	r.observed_after AS possible_after, r.observed_at AS listed_from,
	CASE WHEN s.same_entry THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS entry_until,
	CASE WHEN s.same_address THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS address_until,
	next.observed_at AS possible_until
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
CROSS JOIN LATERAL (
	SELECT next.change <> 'removed' AND next.asset_id IS NOT DISTINCT FROM r.asset_id
		AND next.network_id IS NOT DISTINCT FROM r.network_id AS same_entry
) AS e
CROSS JOIN LATERAL (
	SELECT e.same_entry, e.same_entry
		AND reporting.address_key(next.address) IS NOT DISTINCT FROM reporting.address_key(r.address) AS same_address
) AS s
WHERE r.kind = 'whitelist_entry' AND r.change <> 'removed';
--> statement-breakpoint
COMMENT ON VIEW "internal"."whitelist_periods" IS 'When the whitelist held an entry, as far as its readings prove it: one row per state in which it was listed.';
COMMENT ON COLUMN "internal"."whitelist_periods"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."revision" IS 'Number of the state within the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."asset_id" IS 'Asset the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."network_id" IS 'Network the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_after" IS 'When the state had certainly not begun yet; null where nothing is known.';
COMMENT ON COLUMN "internal"."whitelist_periods"."listed_from" IS 'When the state was first seen.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_until" IS 'Until when the entry was certainly listed for its asset and network; before listed_from or null where no later reading shows it.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address_until" IS 'Until when its address certainly was; as entry_until.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_until" IS 'When the state had certainly ended; null while it lasts.';
--> statement-breakpoint
-- Health in one word, from the worst row of reporting.health_problems.
CREATE OR REPLACE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE p.code
		WHEN 'nothing-mirrored' THEN 'nothing mirrored yet'
		WHEN 'stopped' THEN 'stopped'
		WHEN 'key-refused' THEN 'failing'
		WHEN 'failing' THEN 'failing'
		WHEN 'starting' THEN 'starting'
		WHEN 'never-read' THEN 'starting'
		WHEN 'stale' THEN 'stale'
		WHEN 'never-verified' THEN 'never verified'
		WHEN 'verified-long-ago' THEN 'verified too long ago'
		WHEN 'too-many-vanished' THEN 'attention'
		WHEN 'clock-refused' THEN 'attention'
		WHEN 'quarantine' THEN 'attention'
		ELSE 'healthy'
	END AS health,
	l.holder AS writer, l.expires_at AS writer_lease_until, f.last_success_at, f.lag, f.last_verified_sweep_at,
	n.failing AS failing_resources, n.stale AS stale_resources, f.anomalies AS open_anomalies, f.quarantined AS quarantined_records,
	d.runs AS runs_24h, d.failed AS failed_runs_24h, d.requests AS requests_24h, d.rate_limited AS rate_limited_24h,
	d.status_changes AS status_changes_24h,
	a.transactions_since AS complete_since, a.first_seen_at AS mirrored_since, a.time_zone,
	n.problems, p.problem AS worst_problem, p.fix AS worst_problem_fix, p.since AS worst_problem_since
FROM custody.accounts a
CROSS JOIN LATERAL (
	SELECT max(q.last_success_at) AS last_success_at, max(q.lag) AS lag,
		max(q.last_verified_at) FILTER (WHERE q.resource = 'transactions') AS last_verified_sweep_at,
		sum(q.open_anomalies)::bigint AS anomalies, sum(q.quarantined_records)::bigint AS quarantined
	FROM reporting.data_freshness q WHERE q.account_id = a.account_id AND q.is_mirrored
) AS f
CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE h.severity <> 'note') AS problems,
		count(*) FILTER (WHERE h.code IN ('failing', 'key-refused')) AS failing, count(*) FILTER (WHERE h.code = 'stale') AS stale,
		(array_agg(h.code ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS code,
		(array_agg(h.problem ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS problem,
		(array_agg(h.fix ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS fix,
		(array_agg(h.since ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS since
	FROM reporting.health_problems h WHERE h.account_id = a.account_id
) AS n
CROSS JOIN LATERAL (SELECT n.code, n.problem, n.fix, n.since) AS p
LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now()
CROSS JOIN LATERAL (
	SELECT count(*) AS runs, count(*) FILTER (WHERE u.status = 'failed') AS failed,
		coalesce(sum(u.requests), 0)::bigint AS requests, coalesce(sum(u.rate_limited), 0)::bigint AS rate_limited,
		coalesce(sum(u.status_changes), 0)::bigint AS status_changes
	FROM sync.runs u
	JOIN (SELECT DISTINCT job FROM (VALUES ('transactions'), ('reconcile'), ('balances'), ('vaults'), ('whitelist'),
		('maintenance')) AS k (job)) AS k
		ON k.job = u.job
	WHERE u.account_id = a.account_id AND u.started_at > now() - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."sync_health"."health" IS 'The worst of reporting.health_problems in a word: nothing mirrored yet, stopped, failing, starting (a first reading has still to end), stale, never verified, verified too long ago, attention (records in quarantine, or too many vanished at once), healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."failing_resources" IS 'Jobs whose last run failed, none having succeeded since.';
COMMENT ON COLUMN "reporting"."sync_health"."stale_resources" IS 'Jobs whose last success is older than their schedule allows.';
COMMENT ON COLUMN "reporting"."sync_health"."problems" IS 'How many rows of reporting.health_problems make the mirror unhealthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem" IS 'The worst of them in words; null when healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_fix" IS 'What to do about it.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_since" IS 'Since when, as far as is known.';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."accounting_rules" IS 'What a transaction of each type does to the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service leaves a meaning open, this is the reading taken. A type that is not listed moves nothing. A status that is not listed is taken for open, and leaves the balances as the last listed one of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type, else it is taken to be paid in that of the transaction; the fee of a deposit is the sender''s. A fee that the service does not tell counts as none; an amount that it does not tell makes null whatever it would have moved.';
--> statement-breakpoint
-- The same as internal.settlements at every moment: a row holds from when it was known until something else was. It begins anew where the
-- status was left and taken again, where what is counted was corrected, and where the transaction vanished or came back.
CREATE VIEW "reporting"."settlement_history" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at,
	greatest(s.known_from, v.known_from) AS known_from, least(s.known_until, v.known_until) AS known_until, v.transaction_type,
	v.asset_id, v.asset_name, v.network_id, trim_scale(v.amount) AS amount, trim_scale(v.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
CROSS JOIN LATERAL (
	SELECT q.observed_at AS known_from, next.observed_at AS known_until
	FROM custody.transaction_status_history q
	LEFT JOIN custody.transaction_status_history next
		ON next.account_id = q.account_id AND next.transaction_id = q.transaction_id AND next.sequence = q.sequence + 1
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence >= h.sequence
		AND q.to_status = h.to_status OFFSET 0
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND (s.known_until IS NULL OR c.known_from < s.known_until) AND (c.known_until IS NULL OR c.known_until > s.known_from) OFFSET 0
) AS v
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known of each settled transaction, and from when until when: the lines that flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections are made of. A row whose known_until is null is what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The final status it was in: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status: it counts on the day of this moment.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_from" IS 'From when on the mirror took it to be so.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_until" IS 'Until when; null for what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."settlement_history"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as it was known then, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as it was known then, in units of fee_asset_id. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'Since when the service no longer showed it then; null while it did.';
--> statement-breakpoint
-- Settled transactions as they are known now, each on the moment on which its present final status was first seen; what was in that
-- status when the mirror began is left out. The rows of the history come first, so that a day reads its own rows and no others.
CREATE VIEW "internal"."settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, t.transaction_type,
	t.asset_id, t.asset_name, t.network_id, t.amount, t.fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, t.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0): left to itself, the planner reads both tables whole for what a month holds.
CROSS JOIN LATERAL (
	SELECT q.status, q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee, q.missing_since
	FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND t.status = h.to_status
	AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "internal"."settlements" IS 'Settled transactions as they are known now, behind the reports of days: one row each, on the moment on which the present final status was first seen.';
COMMENT ON COLUMN "internal"."settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."settlements"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."settlements"."status" IS 'The final status.';
COMMENT ON COLUMN "internal"."settlements"."settled_at" IS 'When the mirror first saw the transaction in it.';
COMMENT ON COLUMN "internal"."settlements"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "internal"."settlements"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."settlements"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."settlements"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_is_assumed" IS 'No rule says so.';
COMMENT ON COLUMN "internal"."settlements"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status,
	-- Null where it vanished; as it stands, a filter on it finds the index of what is open.
	NOT reporting.is_settled(t.status) AND (t.missing_since IS NULL OR NULL) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed,
	nullif(p.own_id, '') AS vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND t.status_changed_at > a.transactions_since THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN CASE WHEN t.missing_since IS NULL THEN now() - t.first_seen_at END
		WHEN t.status_changed_at > a.transactions_since THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- A rule for the type comes before one for every type.
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = t.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = t.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
-- The own side is the vault that money comes into or leaves from; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in
) AS s
CROSS JOIN LATERAL (
	SELECT s.comes_in,
		CASE WHEN s.comes_in THEN t.destination_id WHEN t.source_type = 'vault' THEN t.source_id END AS own_id,
		CASE WHEN s.comes_in THEN t.source_type ELSE t.destination_type END AS other_type,
		CASE WHEN s.comes_in THEN t.source_id ELSE t.destination_id END AS other_id
) AS p
LEFT JOIN custody.vaults ov ON ov.account_id = t.account_id AND ov.vault_id = p.own_id
LEFT JOIN custody.vaults cv ON cv.account_id = t.account_id AND cv.vault_id = p.other_id AND p.other_type = 'vault'
LEFT JOIN custody.whitelist_entries cw
	ON cw.account_id = t.account_id AND cw.entry_id = p.other_id AND p.other_type = 'whitelist';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transactions" IS 'Transactions as last observed, one row each, with names of vaults and counterparties. What the service no longer shows is included: see missing_since.';
COMMENT ON COLUMN "reporting"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."transactions"."is_open" IS 'True while the status is not one of the final ones (completed, rejected, cancelled, failed): one that nobody documented counts as open. Null where the service no longer shows an open transaction: nobody knows what became of it.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from; as the transaction tells it, also where vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."transactions"."source_type" IS 'Where it came from: vault, external, whitelist or network.';
COMMENT ON COLUMN "reporting"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "reporting"."transactions"."destination_type" IS 'Where it went: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_after" IS 'A moment at which it was certainly not there yet: it appeared between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror saw it settled, the last time where that happened more than once; null while open, and for what was settled before the mirror began.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since it was first seen; then the time from first sighting to settlement. Null for what was settled before the mirror began, and for what vanished while open.';
COMMENT ON COLUMN "reporting"."transactions"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."transactions"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- A transaction as it was known at a moment: today's row, with every field that was changed later taken back to what it was before.
CREATE OR REPLACE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status) AND (w.missing_since IS NULL OR NULL),
		w.transaction_type, reporting.direction_of(w.transaction_type, w.source_type, w.destination_type),
		w.asset_id, w.asset_name, w.network_id, w.network_name, trim_scale(w.amount), trim_scale(w.fee),
		w.source_type, w.source_id, w.source_name, w.source_address,
		w.destination_type, w.destination_id, w.destination_name, w.destination_address, w.destination_memo,
		w.txn_hash, w.blockexplorer_link, w.note, t.first_seen_at, s.observed_at, w.missing_since
	FROM custody.transactions t
	CROSS JOIN LATERAL (
		SELECT h.to_status, h.observed_at FROM custody.transaction_status_history h
		WHERE h.account_id = t.account_id AND h.transaction_id = t.transaction_id AND h.observed_at <= "at"
		ORDER BY h.sequence DESC LIMIT 1
	) AS s
	-- Of the revisions since, the earliest that changed a field says what it was.
	LEFT JOIN LATERAL (
		SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id AND r.observed_at > "at"
			ORDER BY f.field, r.revision
		) AS e
	) AS p ON true
	CROSS JOIN LATERAL (
		SELECT
			CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
			CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
			CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
			CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
			CASE WHEN p.before ? 'network_name' THEN p.before ->> 'network_name' ELSE t.network_name END AS network_name,
			CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
			CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
			CASE WHEN p.before ? 'source_type' THEN p.before ->> 'source_type' ELSE t.source_type END AS source_type,
			CASE WHEN p.before ? 'source_id' THEN p.before ->> 'source_id' ELSE t.source_id END AS source_id,
			CASE WHEN p.before ? 'source_name' THEN p.before ->> 'source_name' ELSE t.source_name END AS source_name,
			CASE WHEN p.before ? 'source_address' THEN p.before ->> 'source_address' ELSE t.source_address END AS source_address,
			CASE WHEN p.before ? 'destination_type' THEN p.before ->> 'destination_type' ELSE t.destination_type END AS destination_type,
			CASE WHEN p.before ? 'destination_id' THEN p.before ->> 'destination_id' ELSE t.destination_id END AS destination_id,
			CASE WHEN p.before ? 'destination_name' THEN p.before ->> 'destination_name' ELSE t.destination_name END AS destination_name,
			CASE WHEN p.before ? 'destination_address' THEN p.before ->> 'destination_address' ELSE t.destination_address END AS destination_address,
			CASE WHEN p.before ? 'destination_memo' THEN p.before ->> 'destination_memo' ELSE t.destination_memo END AS destination_memo,
			CASE WHEN p.before ? 'txn_hash' THEN p.before ->> 'txn_hash' ELSE t.txn_hash END AS txn_hash,
			CASE WHEN p.before ? 'blockexplorer_link' THEN p.before ->> 'blockexplorer_link' ELSE t.blockexplorer_link END AS blockexplorer_link,
			CASE WHEN p.before ? 'note' THEN p.before ->> 'note' ELSE t.note END AS note,
			CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
	) AS w
	WHERE t.first_seen_at <= "at";
END;
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
-- For each destination and asset that was ever paid: when the whitelist certainly held it, and when it certainly did not. An entry counts
-- for the asset and the network that it names; where the transaction tells none of its own, nobody knows whether it does (fits is null),
-- nor where two addresses are the same but for the case of letters, in a form of which nobody knows whether case counts.
-- What lies in neither, nobody knows. The transactions and the entries are looked up for each (hence OFFSET 0).
CREATE VIEW "internal"."destination_listings" AS
SELECT d.account_id, d.destination_key, t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, r.first_read_at, r.last_read_after, r.last_read_at,
	coalesce(w.listed, '{}') AS listed,
	coalesce(
		CASE WHEN r.first_read_at <= r.last_read_after THEN tstzmultirange(tstzrange(r.first_read_at, r.last_read_after, '[]')) END
			- coalesce(w.possible, '{}'),
		'{}') AS unlisted,
	coalesce(w.elsewhere, '{}') AS listed_elsewhere, coalesce(w.unclear, '{}') AS listed_unclear,
	CASE WHEN w.listed_now THEN true WHEN w.maybe_now OR r.first_read_at IS NULL THEN NULL ELSE false END AS listed_now
FROM internal.destination_totals d
CROSS JOIN LATERAL (
	SELECT t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.asset_id, t.asset_name, t.network_id
	FROM custody.transactions t
	WHERE t.account_id = d.account_id AND t.transaction_id = d.last_transaction_id OFFSET 0
) AS t
LEFT JOIN custody.document_readings r ON r.account_id = d.account_id AND r.kind = 'whitelist_entry'
CROSS JOIN LATERAL (
	SELECT range_agg(s.certain) FILTER (WHERE f.fits) AS listed,
		range_agg(s.possible) FILTER (WHERE f.fits IS NOT FALSE) AS possible,
		range_agg(s.certain) FILTER (WHERE NOT f.fits) AS elsewhere,
		range_agg(s.certain) FILTER (WHERE f.fits IS NULL) AS unclear,
		bool_or(f.fits AND p.possible_until IS NULL) AS listed_now,
		bool_or(f.fits IS NULL AND p.possible_until IS NULL) AS maybe_now
	FROM (
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.entry_until AS listed_until, e.possible_until, true AS same_key
		FROM internal.whitelist_periods e
		WHERE e.account_id = d.account_id AND e.entry_id = t.destination_id AND t.destination_type = 'whitelist'
		UNION ALL
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.address_until, e.possible_until,
			reporting.address_key(e.address) = reporting.address_key(t.destination_address)
		FROM internal.whitelist_periods e
		WHERE e.account_id = d.account_id AND lower(e.address) = lower(t.destination_address)
			AND btrim(t.destination_address) <> ''
	) AS p
	CROSS JOIN LATERAL (
		SELECT (coalesce(p.asset_id, '') = '' OR p.asset_id = nullif(t.asset_id, ''))
			AND (coalesce(p.network_id, '') = '' OR p.network_id = nullif(t.network_id, '')) AND nullif(p.same_key, false) AS fits
	) AS f
	CROSS JOIN LATERAL (
		SELECT CASE WHEN p.listed_from <= p.listed_until THEN tstzrange(p.listed_from, p.listed_until, '[]') END AS certain,
			CASE WHEN p.possible_after >= p.possible_until THEN NULL ELSE tstzrange(p.possible_after, p.possible_until, '()') END AS possible
	) AS s
) AS w;
--> statement-breakpoint
COMMENT ON VIEW "internal"."destination_listings" IS 'Each destination and asset that was ever paid, with the spans of time in which the whitelist certainly held it, and those in which it certainly did not.';
COMMENT ON COLUMN "internal"."destination_listings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_name" IS 'Name of the destination, as the last withdrawal to it tells it.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "internal"."destination_listings"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."destination_listings"."asset_name" IS 'Name of the asset, as the last withdrawal tells it.';
COMMENT ON COLUMN "internal"."destination_listings"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."destination_listings"."first_read_at" IS 'When the whitelist was first read whole; null where it never was.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_after" IS 'When the last whole reading of it began.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_at" IS 'When its answer had arrived.';
COMMENT ON COLUMN "internal"."destination_listings"."listed" IS 'Spans of time in which the whitelist certainly held the entry or the address for this asset and network.';
COMMENT ON COLUMN "internal"."destination_listings"."unlisted" IS 'Spans of time in which it certainly held neither.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_elsewhere" IS 'Spans of time in which it held one of them for another asset or network.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_unclear" IS 'Spans of time in which it held one of them for an asset or network of which the transaction does not tell whether it is its own.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_now" IS 'Whether the last reading showed it; null where that is not known.';
--> statement-breakpoint
-- Keeps internal.destination_totals with every commit: what is new is added; of what changed, the difference. Where a withdrawal turned out
-- to be another or to have gone elsewhere, which is rare, the destinations it is in and was in are summed up anew.
CREATE FUNCTION "internal"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
			missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id),
			count(*), count(*) FILTER (WHERE t.status = 'completed'),
			coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
			count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
			count(t.missing_since), count(*) FILTER (WHERE t.first_seen_after IS NULL), min(t.first_seen_after),
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM added t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
		ON CONFLICT (account_id, destination_key) DO UPDATE SET
			uses = d.uses + excluded.uses,
			completed_uses = d.completed_uses + excluded.completed_uses,
			completed_amount = d.completed_amount + excluded.completed_amount,
			unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
			missing_uses = d.missing_uses + excluded.missing_uses,
			unbounded_uses = d.unbounded_uses + excluded.unbounded_uses,
			bounded_after = least(d.bounded_after, excluded.bounded_after),
			(first_used_at, first_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.first_used_at, d.first_transaction_id),
					(excluded.first_used_at, excluded.first_transaction_id)) AS u (at, id) ORDER BY u.at, u.id COLLATE "C" LIMIT 1),
			(last_used_at, last_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.last_used_at, d.last_transaction_id),
					(excluded.last_used_at, excluded.last_transaction_id)) AS u (at, id)
				ORDER BY u.at DESC, u.id COLLATE "C" DESC LIMIT 1);
		RETURN NULL;
	END IF;
	UPDATE internal.destination_totals AS d SET
		completed_uses = d.completed_uses + c.completed_uses,
		completed_amount = d.completed_amount + c.completed_amount,
		unknown_amounts = d.unknown_amounts + c.unknown_amounts,
		missing_uses = d.missing_uses + c.missing_uses
	FROM (
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
				AS destination_key,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
			coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
			coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses
		FROM (SELECT 1 AS sign, n.* FROM became n UNION ALL SELECT -1, o.* FROM was o) AS t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
	) AS c
	WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
		AND (c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
	WITH moved AS (
		SELECT DISTINCT k.account_id, k.destination_key
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		CROSS JOIN LATERAL (VALUES
			(o.account_id, o.transaction_type,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)),
			(n.account_id, n.transaction_type,
				custody.destination_key(n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id))
		) AS k (account_id, transaction_type, destination_key)
		WHERE k.transaction_type = 'withdraw' AND (o.transaction_type, o.destination_type, o.destination_id, o.destination_address,
				o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id)
	), removed AS (
		DELETE FROM internal.destination_totals d USING moved m
		WHERE d.account_id = m.account_id AND d.destination_key = m.destination_key
			AND NOT EXISTS (
				SELECT FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key
			)
	)
	INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
		missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
	SELECT s.* FROM moved m
	CROSS JOIN LATERAL (
		SELECT * FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key OFFSET 0
	) AS s
	ON CONFLICT (account_id, destination_key) DO UPDATE SET
		uses = excluded.uses, completed_uses = excluded.completed_uses, completed_amount = excluded.completed_amount,
		unknown_amounts = excluded.unknown_amounts, missing_uses = excluded.missing_uses, unbounded_uses = excluded.unbounded_uses,
		bounded_after = excluded.bounded_after, first_used_at = excluded.first_used_at,
		first_transaction_id = excluded.first_transaction_id, last_used_at = excluded.last_used_at,
		last_transaction_id = excluded.last_transaction_id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."sum_up_destinations"() IS 'Keeps internal.destination_totals with every change of custody.transactions.';
--> statement-breakpoint
CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
--> statement-breakpoint
CREATE TRIGGER "sum_up_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
--> statement-breakpoint
CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
	f.transactions, trim_scale(f.fee) AS fee, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
		count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND r.total_fee_factor <> 0 AND s.fee <> 0
	GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees the account paid, by day, asset of the fee, asset of the transaction and type, as they are known now: of transactions in a status that costs a fee by accounting_rules, on the day on which that status was first seen. As they were known before: fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."fees_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction. Sum by this one.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."fees_daily"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Transactions that cost a fee.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees, in units of fee_asset_id.';
COMMENT ON COLUMN "reporting"."fees_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.fees_daily, from what was known at a moment. The rules of custody.fee_rules are those of today.
CREATE FUNCTION "reporting"."fees_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, fee_asset_id text, fee_asset_is_assumed boolean, asset_id text, asset_name text, network_id text,
	transaction_type text, transactions bigint, fee numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
		f.transactions, trim_scale(f.fee), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
			count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND r.total_fee_factor <> 0 AND s.fee <> 0
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as it was known at a moment. In which asset a fee is paid is what custody.fee_rules says today.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) FILTER (WHERE r.direction = 'in') AS deposits,
		CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
		count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
		CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND s.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY s.asset_id, s.network_id
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."flows_daily" IS 'What came in and went out, by day and asset, as it is known now: deposits and withdrawals that are completed, on the day on which each was first seen as completed. Fees are not included: see fees_daily. A day without flows has no row. What was reported for a day when it was over: flows_daily_at and late_corrections.';
COMMENT ON COLUMN "reporting"."flows_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.flows_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."flows_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, asset_id text, asset_name text, network_id text, deposits bigint, in_amount numeric,
	withdrawals bigint, out_amount numeric, net_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount),
		f.withdrawals, trim_scale(f.out_amount), trim_scale(f.in_amount - f.out_amount), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) FILTER (WHERE r.direction = 'in') AS deposits,
			CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
			count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
			CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.status = 'completed' AND r.direction IN ('in', 'out')
				AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.asset_id, s.network_id
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as it was known at a moment, to be compared with flows_daily: what was reported for a day that is over comes back as it was.';
--> statement-breakpoint
-- A day's figures are those seen on it, so they are whole when it ends: what was known until then against what is known now. A row of
-- settlement_history that held at the end of the day and holds still is in both, and makes no difference.
CREATE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.measure, s.transaction_type, m.asset_id, s.network_id,
		CASE WHEN bool_or(k.reported AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.reported), 0) END
			AS as_reported,
		CASE WHEN bool_or(k.known_now AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.known_now), 0) END
			AS as_known_now,
		count(DISTINCT s.transaction_id) FILTER (WHERE k.reported <> k.known_now) AS transactions,
		max(CASE WHEN k.reported THEN s.known_until ELSE s.known_from END) FILTER (WHERE k.reported <> k.known_now) AS corrected_at
	FROM reporting.settlement_history s
	LEFT JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	CROSS JOIN LATERAL (
		SELECT s.known_from < c.ends_at AND (s.known_until IS NULL OR s.known_until >= c.ends_at) AS reported,
			s.known_until IS NULL AS known_now
	) AS k
	CROSS JOIN LATERAL (
		SELECT 'in_amount' AS measure, s.asset_id, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
		UNION ALL
		SELECT 'out_amount', s.asset_id, s.amount WHERE s.status = 'completed' AND r.direction = 'out'
		UNION ALL
		SELECT 'fee', s.fee_asset_id, s.fee WHERE r.total_fee_factor <> 0 AND s.fee <> 0
		UNION ALL
		SELECT CASE s.status WHEN 'completed' THEN 'completed_amount' ELSE 'unsuccessful_amount' END, s.asset_id, s.amount
		UNION ALL
		SELECT s.status, s.asset_id, 1
	) AS m
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND (k.reported OR k.known_now)
	GROUP BY m.measure, s.transaction_type, m.asset_id, s.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'What was reported for a day when it was over, against what is known of it now, where the two differ: one row per day, figure, type, asset and network. No correction by the service is silent. What a person changes, a fee rule or the time zone, changes both and shows nothing here.';
COMMENT ON COLUMN "reporting"."late_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE), on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."late_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset; for fee, that in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null where an amount was not known then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null where an amount is not known.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null where one of them is.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions the difference comes from: settlement_history shows each.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When the last of the corrections was seen.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'How long after the end of the day that was.';
--> statement-breakpoint
-- What an observed correction of an amount, a fee, a type or an asset did to the balances, in the status that the transaction was in: what
-- was posted before stays, and the difference is posted when it is seen. One row per asset that it touches.
CREATE VIEW "internal"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	bool_or(l.fee_asset_is_assumed) AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before; a status that is seen with the correction is posted after it.
CROSS JOIN LATERAL (
	SELECT q.to_status, max(q.observed_after) OVER () AS observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = r.account_id AND q.transaction_id = r.transaction_id AND q.observed_at < r.observed_at
		AND reporting.is_documented_status(q.to_status)
	ORDER BY q.sequence DESC LIMIT 1
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_from = r.observed_at OFFSET 0
) AS n
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_until = r.observed_at OFFSET 0
) AS o
CROSS JOIN LATERAL (
	SELECT f.sign, f.asset_id, f.asset_name, f.amount, coalesce(f.fee, 0) AS fee, u.*,
		coalesce(fx.asset_id, fa.asset_id, f.asset_id) AS fee_asset_id, fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN custody.fee_rules fx
		ON fx.account_id = r.account_id AND fx.network_id = f.network_id AND fx.transaction_type = f.transaction_type
	LEFT JOIN custody.fee_rules fa ON fa.account_id = r.account_id AND fa.network_id = f.network_id AND fa.transaction_type IS NULL
) AS p
-- What the correction left alone is no line: an amount that was never known is not made unknown once more.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN p.fee_asset_id = p.asset_id THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN p.fee_asset_id = p.asset_id THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_corrections" IS 'What each observed correction of a transaction did to the balances: the other part of reporting.postings, which tells what the columns mean.';
COMMENT ON COLUMN "internal"."posted_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_corrections"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_corrections"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "internal"."posted_corrections"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "internal"."posted_corrections"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_corrections"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "internal"."posted_corrections"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
--> statement-breakpoint
-- What each observed change of a status did to the balances, with the amount and the fee as they were known then. A status that nobody
-- documented leaves the balances as the last documented one left them.
CREATE VIEW "internal"."posted_statuses" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_after, h.observed_at, v.transaction_type, h.from_status, h.to_status,
	l.asset_id, l.asset_name, v.network_id,
	CASE WHEN d.direction = 'in' THEN l.total ELSE 0 END AS inflow, CASE WHEN d.direction = 'out' THEN -l.total ELSE 0 END AS outflow,
	l.fee, l.staked AS staked_change, l.fee_asset_is_assumed
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0), as in the timeline.
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND c.known_from <= h.observed_at AND (c.known_until IS NULL OR c.known_until > h.observed_at) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT CASE WHEN h.from_status IS NULL OR reporting.is_documented_status(h.from_status) THEN h.from_status ELSE (
		SELECT q.to_status FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND reporting.is_documented_status(q.to_status)
		ORDER BY q.sequence DESC LIMIT 1
	) END AS status_before
) AS b
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = v.transaction_type AND before.status = b.status_before
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = v.transaction_type
	AND after.status = CASE WHEN reporting.is_documented_status(h.to_status) THEN h.to_status ELSE b.status_before END
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed, coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- What does not move is 0 also where the amount is not known; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee that is paid in another asset is a line of its own, and takes nothing of what was staked.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- What the first sweep found was there before; the first balances hold it already.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_statuses" IS 'What each observed change of a status did to the balances: one part of reporting.postings, which tells what the columns mean.';
COMMENT ON COLUMN "internal"."posted_statuses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_statuses"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_statuses"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "internal"."posted_statuses"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "internal"."posted_statuses"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "internal"."posted_statuses"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_statuses"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "internal"."posted_statuses"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
--> statement-breakpoint
CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
	t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note, t.first_seen_at, t.status_since,
	now() - t.status_since AS time_in_status, t.age, round(extract(epoch FROM t.age) / 3600, 2) AS age_hours,
	CASE
		WHEN t.age < interval '1 hour' THEN 'under 1 hour'
		WHEN t.age < interval '4 hours' THEN '1 to 4 hours'
		WHEN t.age < interval '24 hours' THEN '4 to 24 hours'
		WHEN t.age < interval '72 hours' THEN '1 to 3 days'
		WHEN t.age < interval '168 hours' THEN '3 to 7 days'
		ELSE 'over 7 days'
	END AS age_band,
	CASE
		WHEN t.age < interval '1 hour' THEN 1
		WHEN t.age < interval '4 hours' THEN 2
		WHEN t.age < interval '24 hours' THEN 3
		WHEN t.age < interval '72 hours' THEN 4
		WHEN t.age < interval '168 hours' THEN 5
		ELSE 6
	END AS age_band_order,
	t.is_older_than_mirror
FROM reporting.transactions t
WHERE t.is_open;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each: what is on its way, and since when. What it no longer shows is in vanished_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."open_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."open_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."open_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."open_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."open_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."open_transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."open_transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since it was first seen.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'The same in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'The age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
COMMENT ON COLUMN "reporting"."open_transactions"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount, o.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) AS settled,
		count(*) FILTER (WHERE s.status = 'completed') AS completed,
		count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
		count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
		count(*) FILTER (WHERE s.status = 'failed') AS failed,
		-- An amount that is not known makes the sum unknown, too.
		CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
		CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
	GROUP BY s.transaction_type, s.asset_id, s.network_id
) AS o;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_outcomes_daily" IS 'How transactions ended, by day, type and asset, as it is known now: each counts once, on the day on which its present final status was first seen. What was in that status when the mirror began is left out. As it was known before: transaction_outcomes_daily_at.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.transaction_outcomes_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."transaction_outcomes_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, transaction_type text, asset_id text, asset_name text, network_id text, settled bigint,
	completed bigint, rejected bigint, cancelled bigint, failed bigint, unsuccessful_share numeric, completed_amount numeric,
	unsuccessful_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
		o.settled, o.completed, o.rejected, o.cancelled, o.failed,
		round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6),
		trim_scale(o.completed_amount), trim_scale(o.unsuccessful_amount), o.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) AS settled,
			count(*) FILTER (WHERE s.status = 'completed') AS completed,
			count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
			count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
			count(*) FILTER (WHERE s.status = 'failed') AS failed,
			-- An amount that is not known makes the sum unknown, too.
			CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
			CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.transaction_type, s.asset_id, s.network_id
	) AS o;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as it was known at a moment.';
--> statement-breakpoint
-- What the service showed once and no longer shows: neither open nor settled for all that anybody knows.
CREATE VIEW "reporting"."vanished_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vanished_transactions" IS 'Transactions that the service no longer shows, one row each, as they were last seen: two verified sweeps in a row did not meet them, and their identifiers are unknown there.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."missing_since" IS 'Since when the service no longer shows it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."was_open" IS 'It was not settled when it was last seen: nobody knows what became of it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from; as the transaction tells it, also where vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_after" IS 'A moment at which it was certainly not there yet: it appeared between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
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
-- A withdrawal was made between two readings of the transactions; it is whitelisted, or not, where that is certain for all of that time.
CREATE VIEW "reporting"."destination_uses" AS
SELECT t.account_id, t.transaction_id, t.first_seen_after, t.first_seen_at, t.status, t.status = 'completed' AS is_completed,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount, w.is_whitelisted,
	CASE
		WHEN w.is_whitelisted THEN 'listed'
		WHEN NOT w.is_whitelisted AND l.listed_elsewhere @> u.used THEN 'listed for another asset or network'
		WHEN NOT w.is_whitelisted THEN 'not listed'
		WHEN l.first_read_at IS NULL AND d.error_code = 'ERR-02' THEN 'unknown: the key may not read the whitelist'
		WHEN l.first_read_at IS NULL THEN 'unknown: the whitelist was never read'
		WHEN l.listed_unclear @> u.used THEN 'unknown: asset, network or address are told in another form'
		WHEN t.first_seen_after IS NULL OR t.first_seen_after < l.first_read_at
			THEN 'unknown: before the whitelist was first read'
		WHEN t.first_seen_at > l.last_read_after THEN 'unknown: the whitelist was not read since'
		ELSE 'unknown: the whitelist changed between two readings'
	END AS whitelist_reason,
	l.listed @> k.before_at AS whitelisted_before, k.before_at AS known_before_at,
	l.listed @> k.after_at AS whitelisted_after, k.after_at AS known_after_at,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.accounts a
LEFT JOIN LATERAL (
	SELECT r.error_code FROM sync.runs r
	WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.status <> 'running'
	ORDER BY r.started_at DESC LIMIT 1
) AS d ON true
JOIN custody.transactions t ON t.account_id = a.account_id AND t.transaction_type = 'withdraw'
JOIN internal.destination_listings l ON l.account_id = t.account_id AND l.destination_key = custody.destination_key(
	t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN l.listed @> u.used THEN true WHEN l.unlisted @> u.used THEN false END AS is_whitelisted
) AS w
CROSS JOIN LATERAL (
	SELECT CASE WHEN t.first_seen_after IS NOT NULL
			THEN upper((l.listed + l.unlisted) * tstzmultirange(tstzrange(NULL, t.first_seen_after, '[]'))) END AS before_at,
		lower((l.listed + l.unlisted) * tstzmultirange(tstzrange(t.first_seen_at, NULL, '[]'))) AS after_at
) AS k;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, with whether the whitelist held their destination when they were made, as far as the readings of both prove it.';
COMMENT ON COLUMN "reporting"."destination_uses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destination_uses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_after" IS 'A moment at which it was certainly not there yet: it was made between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destination_uses"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_completed" IS 'The status is completed.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_type" IS 'Where it went: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_id" IS 'Identifier of the destination; that of the whitelist entry where destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."destination_uses"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destination_uses"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address, for this asset and network where the entry names them, at every moment at which the withdrawal can have been made. Null where that is not known: see whitelist_reason. Never count null as good.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'Why is_whitelisted is what it is: listed; not listed; listed for another asset or network; or unknown, and why.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_before" IS 'Whether it was whitelisted at known_before_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_before_at" IS 'The last moment before the withdrawal can have been made at which that is certain; null where there is none.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_after" IS 'Whether it was whitelisted at known_after_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_after_at" IS 'The first moment after it was made at which that is certain; null where there is none yet.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."destination_uses"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- Most destinations were either listed or not whenever they were used: then the sums tell. The withdrawals to the others are read one
-- by one, by index.
CREATE VIEW "reporting"."destinations" AS
SELECT s.account_id, l.destination_type, l.destination_id, l.destination_name, l.destination_address,
	l.asset_id, l.asset_name, l.network_id, s.uses, s.completed_uses,
	CASE WHEN s.unknown_amounts = 0 THEN trim_scale(s.completed_amount) END AS completed_amount, s.missing_uses,
	CASE WHEN l.first_read_at IS NOT NULL THEN c.off_whitelist END AS off_whitelist_uses,
	CASE WHEN l.first_read_at IS NULL THEN s.uses ELSE c.unknown END AS unknown_whitelist_uses,
	s.first_used_at, s.first_transaction_id, s.last_used_at, s.last_transaction_id,
	CASE WHEN l.listed @> f.used THEN true WHEN l.unlisted @> f.used THEN false END AS whitelisted_at_first_use,
	l.listed_now AS whitelisted_now
FROM internal.destination_totals s
JOIN internal.destination_listings l ON l.account_id = s.account_id AND l.destination_key = s.destination_key
CROSS JOIN LATERAL (
	SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_id = s.first_transaction_id OFFSET 0
) AS f
CROSS JOIN LATERAL (
	SELECT s.uses - s.unbounded_uses AS bounded, tstzrange(s.bounded_after, s.last_used_at, '[]') AS used
) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN u.bounded = 0 OR l.listed @> u.used THEN 0 WHEN l.unlisted @> u.used THEN u.bounded END AS off_whitelist
) AS k
CROSS JOIN LATERAL (
	SELECT k.off_whitelist, s.unbounded_uses AS unknown WHERE k.off_whitelist IS NOT NULL
	UNION ALL
	SELECT count(*) FILTER (WHERE l.unlisted @> w.used), count(*) FILTER (WHERE NOT (l.listed @> w.used OR l.unlisted @> w.used))
	FROM custody.transactions t
	CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS w
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = s.destination_key
		AND k.off_whitelist IS NULL
	HAVING k.off_whitelist IS NULL
) AS c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destinations" IS 'Who was paid: withdrawals summed up by destination and asset, always as of now. A withdrawal counts as used when the mirror first saw it, whatever became of it.';
COMMENT ON COLUMN "reporting"."destinations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; that of the whitelist entry where destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, as the last withdrawal to it tells it.';
COMMENT ON COLUMN "reporting"."destinations"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, as the last withdrawal tells it.';
COMMENT ON COLUMN "reporting"."destinations"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destinations"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "reporting"."destinations"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, exact. Null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "reporting"."destinations"."off_whitelist_uses" IS 'Withdrawals around which no reading of the whitelist shows the entry or the address for this asset and network: what is listed and removed between two readings, nobody sees. Null when the whitelist was never read. Those of which it is not known are in unknown_whitelist_uses.';
COMMENT ON COLUMN "reporting"."destinations"."unknown_whitelist_uses" IS 'Withdrawals of which nobody knows whether the whitelist held their destination: destination_uses tells why, for each.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; of several first seen at the same moment, the greatest identifier.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether the whitelist held it when the first withdrawal was made; null where that is not known.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the last reading of the whitelist showed it; null when the whitelist was never read.';
--> statement-breakpoint
-- What was observed, and what it did to the balances: the lines that the reconciliation is made of. None of them ever changes, but for the asset of a fee when a person changes the rules.
CREATE VIEW "reporting"."postings" AS
SELECT p.account_id, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type,
	p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, trim_scale(p.inflow) AS inflow, trim_scale(p.outflow) AS outflow,
	trim_scale(p.fee) AS fee, trim_scale(p.inflow - p.outflow - p.fee) AS total_change, trim_scale(p.staked_change) AS staked_change,
	p.fee_asset_is_assumed
FROM (
	SELECT account_id, transaction_id, 'status' AS kind, sequence, NULL::integer AS revision, observed_after, observed_at,
		transaction_type, from_status, to_status, asset_id, asset_name, network_id, inflow, outflow, fee, staked_change,
		fee_asset_is_assumed
	FROM internal.posted_statuses
	UNION ALL
	SELECT account_id, transaction_id, 'correction', NULL, revision, observed_after, observed_at, transaction_type, to_status, to_status,
		asset_id, asset_name, network_id, inflow, outflow, fee, staked_change, fee_asset_is_assumed
	FROM internal.posted_corrections
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by the rules of accounting_rules: one row per change and asset. Amounts and fees are those known at observed_at; when they are corrected, the difference is a row of its own, and what was posted stays. What was known at a moment are the rows observed until then. What was there when the mirror began is not posted: the first balances hold it.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
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
CROSS JOIN LATERAL reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS f
CROSS JOIN LATERAL (
	-- rest: the part of the difference beside the staked balances.
	SELECT f.difference = 0 AND f.staked_rest = 0 AS plain, f.difference - f.staked_rest AS rest
) AS d
-- The nearest observations on either side that no transaction leaves uncertain: between them, timing adds up to nothing.
-- Looked at only where something is left to explain, and not further than three days: what is uncertain for longer is undecided. What
-- the transactions showed more than a week later counts as uncertain no more, so that no day reads all that came after it.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at <= CASE WHEN NOT d.plain THEN o.snapshot_at END
		AND s.snapshot_at >= o.snapshot_at - interval '3 days'
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, s.answered_at + interval '7 days') AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS p ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at >= CASE WHEN NOT d.plain THEN e.snapshot_at END
		AND s.snapshot_at <= e.snapshot_at + interval '3 days'
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, s.answered_at + interval '7 days') AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at LIMIT 1
) AS n ON true
-- An asset that neither of the two lists, and no transaction moves, has no row there and a rest of 0.
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
LEFT JOIN LATERAL (
	SELECT q.transactions, q.moved, q.unstaked_moved, q.staked_moved
	FROM reporting.uncertain_postings(c.account_id, CASE WHEN NOT d.plain THEN o.snapshot_at END, o.answered_at + interval '7 days') AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS uo ON true
LEFT JOIN LATERAL (
	SELECT q.transactions, q.moved, q.unstaked_moved, q.staked_moved
	FROM reporting.uncertain_postings(c.account_id, CASE WHEN NOT d.plain THEN e.snapshot_at END, e.answered_at + interval '7 days') AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS ue ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN uo.transactions IS NOT NULL THEN uo.moved WHEN d.plain IS NOT NULL THEN 0 END AS opening_moved,
		CASE WHEN ue.transactions IS NOT NULL THEN ue.moved WHEN d.plain IS NOT NULL THEN 0 END AS closing_moved,
		CASE WHEN uo.transactions IS NOT NULL THEN uo.unstaked_moved ELSE 0 END AS opening_unstaked,
		CASE WHEN ue.transactions IS NOT NULL THEN ue.unstaked_moved ELSE 0 END AS closing_unstaked,
		CASE WHEN uo.transactions IS NOT NULL THEN uo.staked_moved ELSE 0 END
			+ CASE WHEN ue.transactions IS NOT NULL THEN ue.staked_moved ELSE 0 END AS staked,
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
	-- What staking gained. Where stakings alone are uncertain, it is in the total, which they leave as it is.
	SELECT CASE WHEN u.staked = 0 THEN f.staked_rest
		WHEN t.by_timing AND u.opening_moved = 0 AND u.closing_moved = 0 THEN f.difference END AS gained
) AS g
CROSS JOIN LATERAL (
	SELECT greatest(g.gained, 0 * g.gained) AS rewards, greatest(-g.gained, 0 * g.gained) AS losses,
		CASE WHEN t.by_timing OR d.rest IS NULL OR g.gained IS NULL THEN f.difference - g.gained ELSE 0 END AS timing
) AS r
CROSS JOIN LATERAL (
	-- Where the figures are too far apart for what is uncertain, whatever else is true of it.
	SELECT g.gained < 0 OR f.difference < -(u.opening_moved + u.closing_moved) OR f.staked_rest < -u.staked
			OR abs(d.rest) > u.opening_unstaked + u.closing_unstaked AS certainly,
		-- What timing moves shows twice, in opposite directions.
		u.rest_before + d.rest + u.rest_after <> 0 AND u.rest_before * d.rest >= 0 AND u.rest_after * d.rest >= 0 AS standing
) AS x
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.plain THEN true
		WHEN d.plain IS NULL OR u.opening_unstaked IS NULL OR u.closing_unstaked IS NULL OR u.staked IS NULL THEN NULL
		WHEN g.gained >= 0 AND t.by_timing THEN true
		WHEN (x.certainly OR x.standing AND NOT t.by_timing) AND EXISTS (
			SELECT FROM sync.runs w
			WHERE w.account_id = c.account_id AND w.job IN ('transactions', 'reconcile') AND w.status = 'succeeded'
				AND w.started_at >= CASE WHEN x.certainly THEN e.answered_at ELSE n.answered_at END) THEN false
	END AS is_explained
) AS v;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the balance observed last before the day, what transactions did until the last observation of the day, and the balance observed then. Flows are taken between the two observations, not from midnight to midnight. A figure may hold a change that the transactions showed later: a difference that such transactions can account for, and that the observations around it undo exactly, is timing_difference and explained.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed (its snapshot_at): the last whose answer arrived before the day; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults then; 0 when the asset was not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'What came in, by accounting_rules: deposits that are on their way count already, as they do in the balance. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'What went out, without fees. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains, never negative: staking_losses tells what they lost. Inferred, not told by the service. Null on the first day, where it is not known, as when one of the two observations alone told a staked part, and where uncertain stakings leave it open.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed, null when it is unknown because a record could not be read.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was (its snapshot_at): the last whose answer arrived on the day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance - timing_difference; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True: unexplained_difference is 0 and there are no staking_losses. False: something left or came that no transaction tells, also where unexplained_difference is null but a loss is certain. Null: unknown, as on the first day or where a figure is unknown; or undecided, because a change may lie on either side of the observation, or transactions were not read since.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'The transactions were completely mirrored before the opening observation. Where false, transactions may be missing from the flows.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_losses" IS 'What the staked and claimable balances lost without a transaction that explains it, never negative. A loss is not explained. Null where staking_rewards is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference that is a matter of timing: transactions that may lie on either side of the opening or closing observation can account for it, and between the nearest observations on either side at which nothing is uncertain, all such differences add up to 0. Null where the difference or staking_rewards is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'How much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. 0: none did; stakings, which leave the total as it is, count as 0 but for their fees. Told where balances differ from the flows, else 0; null where one of the figures is not known, as on the first day.';
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
