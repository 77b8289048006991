-- What is made again below keeps its grants and the options that were set on it.
CREATE TABLE "drizzle"."kept_access" AS
WITH o AS (
	SELECT 'TABLE' AS kind, oid, format('%s.%I', relnamespace::regnamespace, relname) AS name, relacl AS acl,
		relowner AS owner, reloptions AS options
	FROM pg_catalog.pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
	UNION ALL
	SELECT 'FUNCTION', oid, format('%s.%I', pronamespace::regnamespace, proname), proacl, proowner, NULL
	FROM pg_catalog.pg_proc WHERE pronamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
)
SELECT kind, oid, name, NULL AS "option", format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name) AS statement
FROM o WHERE kind = 'FUNCTION' AND acl IS NOT NULL
UNION ALL
SELECT kind, oid, name, NULL, format('GRANT %s%s ON %s %s TO %s%s', a.privilege_type, part.columns, kind,
	name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
	CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
FROM o CROSS JOIN LATERAL (
	SELECT o.acl, ''
	UNION ALL
	SELECT attacl, format(' (%I)', attname) FROM pg_catalog.pg_attribute
	WHERE kind = 'TABLE' AND attrelid = o.oid
) AS part (acl, columns) CROSS JOIN LATERAL aclexplode(part.acl) AS a
WHERE a.grantee <> owner
UNION ALL
SELECT kind, oid, name, option_name, format('ALTER VIEW %s SET (%I = %L)', name, option_name, option_value)
FROM o CROSS JOIN LATERAL pg_options_to_table(options);
--> statement-breakpoint
DROP VIEW reporting.document_changes;
--> statement-breakpoint
-- The one rule by which prices are chosen: the last one before a moment, and none of the future. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."price_before"("account" text, "asset" text, "currency" text, "before" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(q.price), q.as_of FROM custody.asset_prices q
	WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "price_before"."currency"
		AND q.as_of < "before" AND q.as_of <= now()
	ORDER BY q.as_of DESC LIMIT 1;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."price_before"(text, text, text, timestamptz) IS 'The last price of an asset in a currency before a moment, from custody.asset_prices; no row where there is none. The end of a day takes the last price before the day ends: give the day''s ends_at of reporting.calendar.';
--> statement-breakpoint
-- Documents are compared member by member. What is no object has no members, and differs as a whole under the name ''.
CREATE VIEW "reporting"."document_changes" AS
SELECT r.account_id, r.kind, r.document_id, r.revision, r.change, r.observed_after, r.observed_at,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror, next.revision IS NULL AS is_current,
	r.name, r.vault_type, r.address, r.asset_id, r.network_id,
	d.changed_fields, d.before, d.after, r.document::text AS document, r.run_id
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
LEFT JOIN custody.document_revisions former
	ON former.account_id = r.account_id AND former.kind = r.kind AND former.document_id = r.document_id AND former.revision = r.revision - 1
CROSS JOIN LATERAL (
	SELECT coalesce(string_agg(m.name, ', ' ORDER BY m.name), '') AS changed_fields,
		coalesce(jsonb_object_agg(m.name, m.value_before) FILTER (WHERE m.value_before IS NOT NULL), '{}')::text AS before,
		coalesce(jsonb_object_agg(m.name, m.value_after) FILTER (WHERE m.value_after IS NOT NULL), '{}')::text AS after
	FROM (
		SELECT coalesce(o.key, n.key) AS name, o.value AS value_before, n.value AS value_after
		FROM jsonb_each(CASE jsonb_typeof(former.document) WHEN 'object' THEN former.document
			ELSE jsonb_build_object('', former.document) END) AS o
		FULL JOIN jsonb_each(CASE jsonb_typeof(r.document) WHEN 'object' THEN r.document
			ELSE jsonb_build_object('', r.document) END) AS n ON n.key = o.key
		WHERE former.revision IS NOT NULL AND o.value IS DISTINCT FROM n.value
	) AS m
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."document_changes" IS 'Every observed state of every vault and whitelist entry, one row each, with what it changed in the state before.';
COMMENT ON COLUMN "reporting"."document_changes"."kind" IS 'What it is: vault or whitelist_entry.';
COMMENT ON COLUMN "reporting"."document_changes"."document_id" IS 'Identifier of the vault or the whitelist entry.';
COMMENT ON COLUMN "reporting"."document_changes"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."document_changes"."change" IS 'What happened: added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_after" IS 'When the state had certainly not begun yet: the start of the reading of the list before. Null at the first reading.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_at" IS 'When the state was first seen; it began between observed_after and this.';
COMMENT ON COLUMN "reporting"."document_changes"."known_until" IS 'When the last reading began that still showed the state; earlier than observed_at when only one reading showed it.';
COMMENT ON COLUMN "reporting"."document_changes"."valid_to" IS 'When the next state was first seen; it began between known_until and this. Null while the state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."is_listed" IS 'The service listed the vault or the entry in this state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_older_than_mirror" IS 'It existed when the list was first read, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."document_changes"."is_current" IS 'The state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."name" IS 'Name that was recognised in the document of this state.';
COMMENT ON COLUMN "reporting"."document_changes"."vault_type" IS 'Warm or cold, where it was recognised; for vaults only.';
COMMENT ON COLUMN "reporting"."document_changes"."address" IS 'Wallet address that was recognised; for whitelist entries only.';
COMMENT ON COLUMN "reporting"."document_changes"."asset_id" IS 'Asset the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."network_id" IS 'Network the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."changed_fields" IS 'Names of the members of the document that differ from the state before, in order, such as: address, name. Empty at the first sighting, and at a removal.';
COMMENT ON COLUMN "reporting"."document_changes"."before" IS 'Those members before, as JSON in a text; one that was absent is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."after" IS 'Those members after, as JSON in a text; one that is absent now is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."document" IS 'The whole record, as JSON in a text; at a removal the last one seen. As jsonb it is in custody.document_revisions.';
COMMENT ON COLUMN "reporting"."document_changes"."run_id" IS 'The run (sync.runs) that saw it.';
--> statement-breakpoint
-- The one definition of which jobs count for an account: what CUSTODY_RESOURCES leaves out counts nowhere in
-- reporting.health_problems, sync_health and data_freshness. Until a process has said what is expected, everything is mirrored.
CREATE VIEW "internal"."account_jobs" AS
SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, coalesce(e.started_by, 'sync') AS started_by,
	coalesce(m.is_mirrored, true) AS is_mirrored, coalesce(e.is_scheduled, k.job = k.resource, false) AS is_scheduled, e.max_age
FROM custody.accounts a
CROSS JOIN internal.jobs k
LEFT JOIN sync.expectations e ON e.account_id = a.account_id AND e.job = k.job
LEFT JOIN sync.expectations m ON m.account_id = a.account_id AND m.job = k.resource;
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_jobs" IS 'The jobs of each account, with what its processes are configured to do (sync.expectations).';
COMMENT ON COLUMN "internal"."account_jobs"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "internal"."account_jobs"."job" IS 'The name of the job.';
COMMENT ON COLUMN "internal"."account_jobs"."resource" IS 'What it mirrors; null for a job that mirrors nothing.';
COMMENT ON COLUMN "internal"."account_jobs"."is_promised" IS 'Whether the viewer role is promised what it mirrors.';
COMMENT ON COLUMN "internal"."account_jobs"."started_by" IS 'daemon or sync; sync until a process has said it.';
COMMENT ON COLUMN "internal"."account_jobs"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "internal"."account_jobs"."is_scheduled" IS 'Whether a schedule or a person starts the job.';
COMMENT ON COLUMN "internal"."account_jobs"."max_age" IS 'How long ago its last success may be; null when that is not set.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide sweeps that fail.
	r.is_mirrored AND EXISTS (
		SELECT FROM unnest(r.jobs) AS j (job)
		LEFT JOIN LATERAL (
			SELECT u.run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
				AND u.finished_at <= now() + interval '5 minutes'
			ORDER BY u.finished_at DESC LIMIT 1
		) AS g ON true
		WHERE EXISTS (
			SELECT FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' AND u.run_id > coalesce(g.run_id, 0)
		)
	) AS is_failing,
	(SELECT count(*) FROM sync.anomalies n
		WHERE n.account_id = a.account_id AND n.resource = r.resource AND n.resolved_at IS NULL) AS open_anomalies,
	(SELECT count(*) FROM sync.quarantine q
		WHERE q.account_id = a.account_id AND q.resource = r.resource AND q.resolved_at IS NULL) AS quarantined_records,
	CASE r.resource WHEN 'transactions' THEN a.transactions_since END AS complete_since,
	r.is_mirrored
FROM custody.accounts a
CROSS JOIN LATERAL (
	SELECT k.resource, array_agg(k.job) AS jobs, bool_and(k.is_mirrored) AS is_mirrored FROM internal.account_jobs k
	WHERE k.account_id = a.account_id AND k.resource IS NOT NULL GROUP BY k.resource
) AS r
-- Per job, so that each is one lookup by index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
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
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' ORDER BY u.finished_at DESC LIMIT 1
	) AS l
	ORDER BY l.run_id DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is left out. For transactions also true when sweeps (reconcile) fail while increments succeed.';
--> statement-breakpoint
-- The one definition of health: one row for each problem, or for what is only worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
CREATE OR REPLACE VIEW "reporting"."health_problems" AS
WITH jobs AS (
	SELECT e.account_id, e.first_seen_at, e.job, e.resource, e.is_promised, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message, f.error_code IN ('ERR-02', 'HTTP-401') AS is_key_refused,
		-- No setting says how often sync runs: three times the median of its past intervals, at least 26 hours, and at most the age
		-- that a verified sweep may have. The median, because one outage does not change it.
		CASE WHEN e.started_by = 'daemon' THEN e.max_age
			ELSE least(interval '8 days', greatest(interval '26 hours', 3 * g.gap)) END AS max_age
	FROM internal.account_jobs e
	LEFT JOIN LATERAL (
		SELECT u.finished_at AS at, u.run_id FROM sync.runs u
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS s ON true
	LEFT JOIN LATERAL (
		SELECT first.at, u.error_code, u.error_message FROM sync.runs u
		CROSS JOIN LATERAL (
			SELECT least(b.finished_at, now()) AS at FROM sync.runs b
			WHERE b.account_id = e.account_id AND b.job = e.job AND b.status = 'failed' AND b.run_id > coalesce(s.run_id, 0)
			ORDER BY b.finished_at LIMIT 1
		) AS first
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'failed' AND u.run_id > coalesce(s.run_id, 0)
		ORDER BY u.finished_at DESC LIMIT 1
	) AS f ON true
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = e.account_id AND r.job = e.job AND r.status = 'succeeded'
				ORDER BY r.finished_at DESC LIMIT 10
			) AS u
		) AS t
	) AS g ON e.started_by = 'sync'
	WHERE e.is_mirrored AND e.is_scheduled
), account AS (
	SELECT a.account_id, a.first_seen_at, l.holder,
		coalesce((SELECT max(x.started_by) FROM sync.expectations x WHERE x.account_id = a.account_id), 'sync') AS started_by,
		-- A released lease ends at -infinity.
		(SELECT nullif(l2.expires_at, '-infinity') FROM sync.leases l2 WHERE l2.account_id = a.account_id) AS lease_ended_at,
		(SELECT k.is_mirrored FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.job = 'transactions')
			AS mirrors_transactions,
		CASE WHEN EXISTS (SELECT FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			THEN (SELECT x.max_verified_age FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			ELSE interval '8 days' END AS max_verified_age,
		(SELECT max(j.last_success_at) FROM jobs j WHERE j.account_id = a.account_id AND j.resource IS NOT NULL) AS last_success_at,
		(SELECT max(u.finished_at) FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
			WHERE k.is_sweeping AND u.account_id = a.account_id AND u.verified
				AND u.finished_at <= now() + interval '5 minutes') AS last_verified_at,
		t.at AS transactions_read_at
	FROM custody.accounts a
	LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now()
	LEFT JOIN LATERAL (
		SELECT min(u.at) AS at FROM internal.jobs k CROSS JOIN LATERAL (
			SELECT r.finished_at AS at FROM sync.runs r
			WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded' ORDER BY r.finished_at LIMIT 1
		) AS u WHERE k.is_sweeping
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
	SELECT j.account_id, CASE WHEN j.is_key_refused THEN 30 ELSE 40 END,
		CASE WHEN j.is_key_refused THEN 'key-refused' ELSE 'failing' END,
		CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.failing_since,
		format('The last run of %s failed: %s%s', j.job, rtrim(coalesce(j.error_message, 'no reason was recorded'), '. '),
			CASE WHEN position(coalesce(j.error_code, 'UNEXPECTED') IN coalesce(j.error_message, '')) = 0
				THEN format(' (%s)', coalesce(j.error_code, 'UNEXPECTED')) ELSE '' END),
		CASE
			WHEN j.is_key_refused AND j.is_promised THEN 'check CUSTODY_API_KEY and that the key has the viewer role'
			WHEN j.is_key_refused
				THEN format('check CUSTODY_API_KEY and that its role reaches %1$s, or leave %1$s out of CUSTODY_RESOURCES', j.job)
			ELSE CASE j.error_code
			WHEN 'ERR-03' THEN 'set CUSTODY_RATE_LIMIT to what the service allows, if it stays so'
			WHEN 'TIMEOUT' THEN 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS'
			WHEN 'NETWORK' THEN 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor tells how far it gets)'
			WHEN 'CERTIFICATE' THEN 'check CUSTODY_BASE_URL; for a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS'
			WHEN 'BAD-BODY' THEN 'check that CUSTODY_BASE_URL is the address of the service itself'
			ELSE 'the next run tries again; custody-mirror doctor checks what it needs' END END
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
		SELECT u.verdict->'doubt_codes' AS codes FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
		WHERE k.is_sweeping AND u.account_id = c.account_id AND u.mode = 'full' AND u.status = 'succeeded'
		ORDER BY u.finished_at DESC LIMIT 1
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
		SELECT FROM internal.account_jobs k WHERE k.account_id = q.account_id AND k.job = q.resource AND NOT k.is_mirrored)
	GROUP BY q.account_id, q.resource
UNION ALL
	SELECT n.account_id, coalesce(k.rank, 100), coalesce(k.kind, 'anomaly'), CASE WHEN k.kind IS NULL THEN 'note' ELSE 'critical' END,
		CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END, min(n.first_observed_at),
		coalesce(k.problem, format('%s open %s of kind %s', count(*), CASE count(*) WHEN 1 THEN 'anomaly' ELSE 'anomalies' END, n.kind)),
		coalesce(k.fix, 'sync.anomalies tells the records; it does not make the mirror unhealthy')
	FROM sync.anomalies n
	-- The anomalies that concern the mirror itself; all others concern the service, and are only notes.
	LEFT JOIN (VALUES
		('too-many-vanished', 25,
			'More than 5 % of the transactions (and more than three), or all of them, would have to be marked as vanished at once, so none was',
			'check that CUSTODY_BASE_URL and the key still belong to this account'),
		('clock-refused', 28, 'Answers are refused: what is mirrored is of a later time than the database tells, so its clock stood wrong',
			'compare the clock of the database with another one; sync.anomalies tells until when answers are refused')
	) AS k (kind, rank, problem, fix) ON k.kind = n.kind
	WHERE n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs j WHERE j.account_id = n.account_id AND j.job = n.resource AND NOT j.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT p.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM problems p;
--> statement-breakpoint
-- Health in short, from the worst row of reporting.health_problems.
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
	WHERE u.account_id = a.account_id
		AND u.job IN (SELECT k.job FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.is_mirrored)
		AND u.started_at > now() - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'The longest time since a success among the resources that are mirrored.';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs of the last 24 hours, but for those of resources that CUSTODY_RESOURCES leaves out by now.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.price_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_before(b.account_id, b.asset_id, c.currency, 'infinity') AS p;
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at, c.ends_at
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
COMMENT ON COLUMN "reporting"."balances_daily"."ends_at" IS 'First moment of the next day.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."worth_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	count(*) FILTER (WHERE b.total_balance IS NULL) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN internal.price_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL reporting.price_before(b.account_id, b.asset_id, c.currency, b.ends_at) AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."worth_daily" IS 'What the balances last observed of each day were worth together, at the last prices before the day ended (today: until now) in custody.asset_prices: one row for each type of vaults and currency. A day without observations, or on which nothing was listed, has no row: its worth is unknown.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.price_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_before(b.account_id, b.asset_id, c.currency, b.ends_at) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values_daily" IS 'The last observed balances of each day, valued at the last price before the day ended (today: until now) in custody.asset_prices. Only assets that had a price have a row.';
COMMENT ON COLUMN "internal"."account_jobs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."document_changes"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
--> statement-breakpoint
DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k.statement FROM drizzle.kept_access k
		WHERE CASE
			WHEN k."option" IS NOT NULL THEN k."option" NOT IN (
				SELECT p.option_name FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_options_to_table(c.reloptions) p
				WHERE c.oid = to_regclass(k.name))
			WHEN k.kind = 'TABLE' THEN NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = k.oid)
			ELSE NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid = k.oid) END
		ORDER BY k.statement LIKE 'REVOKE %' DESC
	LOOP
		BEGIN
			EXECUTE kept.statement;
		EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function THEN
		END;
	END LOOP;
	DROP TABLE drizzle.kept_access;
END
$$;
--> statement-breakpoint
DO $$
DECLARE
	open record;
	reader text;
BEGIN
	FOR open IN SELECT p.oid::regprocedure AS name, p.provolatile <> 'v' AND n.nspname IN ('custody', 'reporting') AS is_read
		FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
		WHERE n.nspname IN ('custody', 'reporting', 'sync', 'internal', 'drizzle') AND EXISTS (
			SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0)
	LOOP
		FOR reader IN
			SELECT DISTINCT a.grantee::regrole::text
			FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
			WHERE open.is_read AND n.nspname IN ('custody', 'reporting') AND a.grantee NOT IN (0, n.nspowner)
		LOOP
			EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', open.name, reader);
		END LOOP;
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open.name);
	END LOOP;
END
$$;
