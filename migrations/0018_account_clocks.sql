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
-- The present by the clock of an account: where that runs ahead of the database's clock, ages count by it, since rows are dated by it.
CREATE VIEW "internal"."account_clocks" AS
SELECT a.account_id, now() + greatest(interval '0', l.account_time - l.database_time) AS now
FROM custody.accounts a LEFT JOIN sync.leases l USING (account_id);
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_clocks" IS 'The present by the clock of each account.';
COMMENT ON COLUMN "internal"."account_clocks"."now" IS 'That moment; the database''s, unless the account''s clock is ahead.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts, which is one step into an index. Ages count by the clock of the account. An end more than
-- five minutes in the future is ignored: no process has mirrored since the database's clock was set back.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide sweeps that fail.
	r.is_mirrored AND EXISTS (
		SELECT FROM unnest(r.jobs) AS j (job)
		LEFT JOIN LATERAL (
			SELECT u.run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
				AND u.finished_at <= clock.now + interval '5 minutes'
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
JOIN internal.account_clocks clock ON clock.account_id = a.account_id
CROSS JOIN LATERAL (
	SELECT k.resource, array_agg(k.job) AS jobs, bool_and(k.is_mirrored) AS is_mirrored FROM internal.account_jobs k
	WHERE k.account_id = a.account_id AND k.resource IS NOT NULL GROUP BY k.resource
) AS r
-- Per job, so that each is one lookup by index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
			AND u.finished_at <= clock.now + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS l
) AS s ON true
LEFT JOIN LATERAL (
	SELECT max(u.finished_at) AS at FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.verified
		AND u.finished_at <= clock.now + interval '5 minutes'
) AS v ON true
LEFT JOIN LATERAL (
	SELECT l.finished_at AS at, l.error_code, l.error_message FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.run_id, u.finished_at, u.error_code, u.error_message FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' ORDER BY u.finished_at DESC LIMIT 1
	) AS l
	ORDER BY l.run_id DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
-- The one definition of health: one row for each problem, or for what is only worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- For each outcome of a job only its last run counts, which is one step into an index. Ages count by the clock of the account. An end more than
-- five minutes in the future is ignored: no process has mirrored since the database's clock was set back.
-- What it asks of an account is asked for each account by itself: a condition on the account then leaves the others unread.
CREATE OR REPLACE VIEW "reporting"."health_problems" AS
SELECT o.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM custody.accounts o
JOIN internal.account_clocks clock ON clock.account_id = o.account_id
CROSS JOIN LATERAL (
-- On a replica that has not shown anything of its primary for half a minute, although there is more, or that hears nothing of it.
-- One that has shown all it received from a primary where nothing happens is not behind.
WITH behind AS (
	SELECT pg_last_xact_replay_timestamp() AS since
	-- Null after a restart until the next transaction of the primary.
	WHERE pg_is_in_recovery() AND coalesce(pg_last_xact_replay_timestamp(), '-infinity') < now() - interval '30 seconds'
		AND NOT (EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn())
), jobs AS (
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
			AND u.finished_at <= clock.now + interval '5 minutes'
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
	WHERE e.account_id = o.account_id AND e.is_mirrored AND e.is_scheduled
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
				AND u.finished_at <= clock.now + interval '5 minutes') AS last_verified_at,
		t.at AS transactions_read_at
	FROM custody.accounts a
	-- Where the database's clock was set back and nothing renewed the lease since, its end says nothing.
	LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now() AND l.database_time < clock_timestamp() + interval '1 minute'
	LEFT JOIN LATERAL (
		SELECT min(u.at) AS at FROM internal.jobs k CROSS JOIN LATERAL (
			SELECT r.finished_at AS at FROM sync.runs r
			WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded' ORDER BY r.finished_at LIMIT 1
		) AS u WHERE k.is_sweeping
	) AS t ON true
	WHERE a.account_id = o.account_id
), problems (account_id, rank, code, severity, subject, since, problem, fix) AS (
	SELECT c.account_id, 5, 'replica-behind', 'critical', 'account', b.since,
		'This replica is behind its primary: what is here may be out of date by as long',
		'look at the replication of the database; the primary tells how the mirror is'
	FROM account c CROSS JOIN behind b
UNION ALL
	SELECT c.account_id, 10, 'nothing-mirrored', 'critical', 'account', c.first_seen_at, 'Nothing was mirrored yet',
		'start custody-mirror run, or run custody-mirror sync once'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NULL
UNION ALL
	SELECT c.account_id, 45, 'starting', 'critical', 'account', c.first_seen_at,
		'No reading has been completed yet: what is there is a part',
		'wait for the first to end; if it stays so, see the log of the process that writes'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NOT NULL
UNION ALL
	SELECT c.account_id, 20, 'stopped', 'critical', 'account', coalesce(c.lease_ended_at, c.last_success_at),
		'No process writes: nothing is mirrored until one does', 'start custody-mirror run'
	FROM account c WHERE c.holder IS NULL AND c.started_by = 'daemon' AND c.last_success_at IS NOT NULL
		-- There, a lease looks expired that was renewed since.
		AND NOT EXISTS (SELECT FROM behind)
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
		CASE WHEN c.holder IS NOT NULL THEN 'see the log of the process that writes'
			WHEN j.started_by = 'daemon' THEN 'start custody-mirror run' ELSE 'run custody-mirror sync, or start custody-mirror run' END
	FROM jobs j JOIN account c ON c.account_id = j.account_id
	WHERE j.last_success_at < clock.now - j.max_age
UNION ALL
	SELECT c.account_id, 70, 'never-verified', 'warning', 'transactions', c.transactions_read_at,
		'No sweep of transactions has ever been verified: some may be missing from the mirror',
		CASE WHEN c.holder IS NULL THEN 'run custody-mirror sync --full, or start custody-mirror run, which tries again'
			ELSE 'nothing for now: the mirror tries again by itself' END
		|| CASE
			WHEN d.codes ?| ARRAY['order-settled', 'order-unsettled']
				THEN '; if it stays so, ask the operator of the service for a list that keeps its order'
			WHEN d.codes ? 'empty-once'
				THEN '; an empty account is believed an hour later, or at once by custody-mirror sync --empty while no other process runs'
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
	FROM account c WHERE c.mirrors_transactions AND c.last_verified_at < clock.now - c.max_verified_age
UNION ALL
	-- The times go on at half the pace, and the database's clock reaches them after twice the distance.
	SELECT l.account_id, 85, 'clock-behind', 'warning', 'account', l.ahead_since,
		format('The database’s clock is %s behind the times of the mirror: new rows are dated ahead until about %s UTC', CASE
			WHEN d.ahead < interval '2 minutes' THEN round(extract(epoch FROM d.ahead)) || ' seconds'
			WHEN d.ahead < interval '2 hours' THEN round(extract(epoch FROM d.ahead) / 60) || ' minutes'
			WHEN d.ahead < interval '2 days' THEN round(extract(epoch FROM d.ahead) / 3600) || ' hours'
			ELSE round(extract(epoch FROM d.ahead) / 86400) || ' days' END,
			to_char((l.database_time + 2 * d.ahead) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')),
		'compare the clock of the database with another one; if it is right now, nothing: mirroring goes on, and no time goes backwards'
	FROM sync.leases l CROSS JOIN LATERAL (SELECT l.account_time - l.database_time AS ahead) AS d
	WHERE l.account_id = o.account_id AND l.ahead_since IS NOT NULL
UNION ALL
	SELECT q.account_id, 90, 'quarantine', 'warning', q.resource, min(q.first_observed_at),
		format('%s %s of %s could not be read', count(*), CASE count(*) WHEN 1 THEN 'record' ELSE 'records' END, q.resource),
		'sync.quarantine holds the text and the reason'
	FROM sync.quarantine q WHERE q.account_id = o.account_id AND q.resolved_at IS NULL AND NOT EXISTS (
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
			'check that CUSTODY_BASE_URL and the key still belong to this account')
	) AS k (kind, rank, problem, fix) ON k.kind = n.kind
	WHERE n.account_id = o.account_id AND n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs j WHERE j.account_id = n.account_id AND j.job = n.resource AND NOT j.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT q.rank, q.code, q.severity, q.subject, q.since, q.problem, q.fix FROM problems q
) AS p;
--> statement-breakpoint
-- Health in short, from the worst row of reporting.health_problems.
CREATE OR REPLACE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE p.code
		WHEN 'replica-behind' THEN 'stale'
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
		WHEN 'clock-behind' THEN 'attention'
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
JOIN internal.account_clocks clock ON clock.account_id = a.account_id
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
LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now() AND l.database_time < clock_timestamp() + interval '1 minute'
CROSS JOIN LATERAL (
	SELECT count(*) AS runs, count(*) FILTER (WHERE u.status = 'failed') AS failed,
		coalesce(sum(u.requests), 0)::bigint AS requests, coalesce(sum(u.rate_limited), 0)::bigint AS rate_limited,
		coalesce(sum(u.status_changes), 0)::bigint AS status_changes
	FROM sync.runs u
	WHERE u.account_id = a.account_id
		AND u.job IN (SELECT k.job FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.is_mirrored)
		AND u.started_at > clock.now - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON COLUMN "internal"."account_clocks"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
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
