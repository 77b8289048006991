-- The one definition of health: one row per problem or note (severity note: for information only), worst first by rank. An account
-- without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules and
-- reporting.sync_health all read this view; docs/operations.md explains each code and its remedy.
-- For each outcome of a job only its last run counts: one index lookup. Ages are by the account's clock. An end more than five
-- minutes in the future is ignored: nothing has been mirrored since the database's clock was set back.
-- Every part is computed per account, so that a condition on the account leaves the other accounts unread.
CREATE VIEW "reporting"."health_problems" AS
SELECT o.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM custody.accounts o
JOIN internal.account_clocks clock ON clock.account_id = o.account_id
LEFT JOIN LATERAL (SELECT r.until FROM internal.account_rests r WHERE r.account_id = o.account_id) AS rest ON true
CROSS JOIN LATERAL (
-- Not empty on a replica that has replayed nothing for half a minute although there is more, or that has lost its primary. A replica
-- that has replayed all it received from an idle primary is not behind.
WITH behind AS (
	SELECT pg_last_xact_replay_timestamp() AS since
	-- Null after a restart until the next transaction of the primary.
	WHERE pg_is_in_recovery() AND coalesce(pg_last_xact_replay_timestamp(), '-infinity') < now() - interval '30 seconds'
		AND NOT (EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn())
), jobs AS (
	SELECT e.account_id, e.first_seen_at, e.job, e.resource, e.is_promised, e.is_scheduled, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message, f.error_code IN ('ERR-02', 'HTTP-401') AS is_key_refused,
		-- No setting gives the interval of sync: three times the median of its past intervals, at least 26 hours, and at most the
		-- maximum age of a verified sweep. The median, because one outage does not change it.
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
	) AS f ON e.is_scheduled
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = e.account_id AND r.job = e.job AND r.status = 'succeeded'
				ORDER BY r.finished_at DESC LIMIT 10
			) AS u
		) AS t
	) AS g ON e.started_by = 'sync'
	WHERE e.account_id = o.account_id AND e.is_mirrored
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
	-- If the database's clock was set back and nothing has renewed the lease since, its end is meaningless.
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
		'This replica is behind its primary: its data may be just as old',
		'check the replication of the database; the primary shows the health of the mirror'
	FROM account c CROSS JOIN behind b
UNION ALL
	SELECT c.account_id, 10, 'nothing-mirrored', 'critical', 'account', c.first_seen_at, 'Nothing has been mirrored yet',
		'start custody-mirror run, or run custody-mirror sync once'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NULL
UNION ALL
	SELECT c.account_id, 45, 'starting', 'critical', 'account', c.first_seen_at,
		'No reading has finished yet: the data is incomplete',
		'wait for the first reading to finish; if it does not, see the log of the writing process'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NOT NULL
UNION ALL
	SELECT c.account_id, 20, 'stopped', 'critical', 'account', coalesce(c.lease_ended_at, c.last_success_at),
		'No process is writing: nothing is mirrored until one does',
		'start custody-mirror run; if this server no longer takes writes, check the one that replaced it'
	FROM account c WHERE c.holder IS NULL AND c.started_by = 'daemon' AND c.last_success_at IS NOT NULL
		-- On such a replica a lease looks expired although it has been renewed since.
		AND NOT EXISTS (SELECT FROM behind)
UNION ALL
	SELECT v.account_id, 22, 'history-altered', 'critical', 'account', v.verified_at,
		'The sealed history was altered: ' || rtrim(v.finding, '. '),
		'change nothing, keep a copy of the database, and run custody-mirror verify; docs/audit.md says what each finding means'
	FROM sync.seal_verifications v WHERE v.account_id = o.account_id AND v.finding IS NOT NULL
UNION ALL
	SELECT s.account_id, 23, 'sealing-stopped', 'critical', 'account', s.stopped_at,
		'New history is not sealed: ' || rtrim(s.reason, '. '),
		'run custody-mirror verify; after a restore or a failover with loss, custody-mirror seal restart; docs/audit.md#when-sealing-stops says more'
	FROM sync.seal_stops s WHERE s.account_id = o.account_id
UNION ALL
	SELECT j.account_id, CASE WHEN j.is_key_refused THEN 30 ELSE 40 END,
		CASE WHEN j.is_key_refused THEN 'key-refused' ELSE 'failing' END,
		CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.failing_since,
		format('The last run of %s failed: %s%s', j.job, rtrim(coalesce(j.error_message, 'no reason was recorded'), '. '),
			CASE WHEN position(coalesce(j.error_code, 'UNEXPECTED') IN coalesce(j.error_message, '')) = 0
				THEN format(' (%s)', coalesce(j.error_code, 'UNEXPECTED')) ELSE '' END),
		CASE
			WHEN j.is_key_refused AND j.is_promised THEN 'check CUSTODY_API_KEY, and that the key has the viewer role'
			WHEN j.is_key_refused
				THEN format('check CUSTODY_API_KEY, and that its role may read %1$s, or leave %1$s out of CUSTODY_RESOURCES', j.job)
			ELSE CASE j.error_code
			WHEN 'ERR-03' THEN 'if it persists, set CUSTODY_RATE_LIMIT to what the service allows'
			WHEN 'TIMEOUT' THEN 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS'
			WHEN 'NETWORK' THEN 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor shows how far it gets)'
			WHEN 'CERTIFICATE' THEN 'check CUSTODY_BASE_URL; for your own certificate authority, name its file in NODE_EXTRA_CA_CERTS'
			WHEN 'BAD-BODY' THEN 'check that CUSTODY_BASE_URL is the address of the service itself'
			ELSE 'the next run tries again; custody-mirror doctor checks its prerequisites' END END
	FROM jobs j WHERE j.failing_since IS NOT NULL
UNION ALL
	SELECT j.account_id, 50, 'never-read', 'warning', j.job, j.first_seen_at, format('No run of %s has succeeded yet', j.job),
		'wait for its first run to finish; if it does not, see the log'
	FROM jobs j JOIN account c ON c.account_id = j.account_id AND c.last_success_at IS NOT NULL
	WHERE j.is_scheduled AND j.job = j.resource AND j.last_success_at IS NULL AND j.failing_since IS NULL
UNION ALL
	SELECT j.account_id, 60, 'stale', CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.last_success_at,
		format('No run of %s has succeeded for more than %s', j.job, CASE
			WHEN j.max_age < interval '2 hours' THEN round(extract(epoch FROM j.max_age) / 60) || ' minutes'
			WHEN j.max_age < interval '2 days' THEN round(extract(epoch FROM j.max_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM j.max_age) / 86400) || ' days' END),
		CASE WHEN c.holder IS NOT NULL THEN 'see the log of the writing process'
			WHEN j.started_by = 'daemon' THEN 'start custody-mirror run' ELSE 'run custody-mirror sync, or start custody-mirror run' END
	FROM jobs j JOIN account c ON c.account_id = j.account_id
	WHERE j.is_scheduled AND j.last_success_at IS NOT NULL AND greatest(j.last_success_at, rest.until) < clock.now - j.max_age
UNION ALL
	SELECT c.account_id, 70, 'never-verified', 'warning', 'transactions', c.transactions_read_at,
		'No sweep of transactions has ever been verified: some may be missing from the mirror',
		CASE WHEN c.holder IS NULL THEN 'run custody-mirror sync --full, or start custody-mirror run, which tries again'
			ELSE 'nothing for now: the mirror tries again' END
		|| CASE
			WHEN d.codes ?| ARRAY['order-settled', 'order-unsettled']
				THEN '; if it persists, ask the operator of the service for a list with a stable order'
			WHEN d.codes ? 'empty-once'
				THEN '; an empty account is accepted an hour later, or at once by custody-mirror sync --empty'
			WHEN d.codes ? 'offset-ignored'
				THEN '; if it persists, ask the operator of the service why GET /transactions ignores the offset'
			WHEN d.codes ?| ARRAY['end-cut', 'overlap-too-short', 'short-settled']
				THEN '; if it persists, change CUSTODY_PAGE_SIZE and ask the operator of the service how far GET /transactions can be paged'
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
		'run custody-mirror sync --full, and check sync.runs.verdict of the last sweeps'
	FROM account c WHERE c.mirrors_transactions AND c.last_verified_at IS NOT NULL AND greatest(c.last_verified_at, rest.until) < clock.now - c.max_verified_age
UNION ALL
	-- The account's time advances at half the pace, so the database's clock catches up after twice the distance.
	SELECT l.account_id, 85, 'clock-behind', 'warning', 'account', l.ahead_since,
		format('The database’s clock is %s behind the times of the mirror: new rows are dated ahead until about %s UTC', CASE
			WHEN d.ahead < interval '2 minutes' THEN round(extract(epoch FROM d.ahead)) || ' seconds'
			WHEN d.ahead < interval '2 hours' THEN round(extract(epoch FROM d.ahead) / 60) || ' minutes'
			WHEN d.ahead < interval '2 days' THEN round(extract(epoch FROM d.ahead) / 3600) || ' hours'
			ELSE round(extract(epoch FROM d.ahead) / 86400) || ' days' END,
			to_char((l.database_time + 2 * d.ahead) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')),
		'compare the clock of the database with another; if it is right now, nothing: mirroring continues, and no time goes backwards'
	FROM sync.leases l CROSS JOIN LATERAL (SELECT l.account_time - l.database_time AS ahead) AS d
	WHERE l.account_id = o.account_id AND l.ahead_since IS NOT NULL
UNION ALL
	SELECT q.account_id, 90, 'quarantine', 'warning', q.resource, min(q.first_observed_at),
		format('%s %s of %s could not be read', count(*), CASE count(*) WHEN 1 THEN 'record' ELSE 'records' END, q.resource),
		'see sync.quarantine for the text and the reason'
	FROM sync.quarantine q WHERE q.account_id = o.account_id AND q.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs k WHERE k.account_id = q.account_id AND k.job = q.resource AND NOT k.is_mirrored)
	GROUP BY q.account_id, q.resource
UNION ALL
	SELECT n.account_id, coalesce(k.rank, 100), coalesce(k.code, 'anomaly'), CASE WHEN k.kind IS NULL THEN 'note' ELSE 'critical' END,
		CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END, min(n.first_observed_at),
		coalesce(k.problem, format('%s open %s of kind %s', count(*), CASE count(*) WHEN 1 THEN 'anomaly' ELSE 'anomalies' END, n.kind)),
		coalesce(k.fix, 'see sync.anomalies for the records, and close what you have looked at (docs/data.md#anomalies); the mirror is healthy')
	FROM sync.anomalies n
	-- Anomalies of the mirror itself; all others concern the service and are only notes.
	LEFT JOIN (VALUES
		('too-many-missing', 'too-many-missing', 25,
			'More than 5 % of the transactions (and more than three), or all of them, would have to be marked as missing at once, so none was',
			'check that CUSTODY_BASE_URL and the key still belong to this account'),
		('altered', 'history-altered', 22,
			'Rows were altered in this database: they did not follow from their history',
			'see sync.anomalies for the rows, keep a copy of the database, and run custody-mirror verify; docs/audit.md says more')
	) AS k (kind, code, rank, problem, fix) ON k.kind = n.kind
	WHERE n.account_id = o.account_id AND n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs j WHERE j.account_id = n.account_id AND j.job = n.resource AND NOT j.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.code, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT q.rank, q.code, q.severity, q.subject, q.since, q.problem, q.fix FROM problems q
-- These count even while the account is retired.
WHERE coalesce(rest.until <= now(), true) OR q.code IN ('replica-behind', 'history-altered')
UNION ALL
SELECT 110, 'retired', 'note', 'account', t.retired_at, format('The account was retired by %s: its history stays as it is', t.retired_by),
	'nothing; custody-mirror account retire --undo lets it be mirrored again'
FROM sync.retirements t WHERE t.account_id = o.account_id AND t.ended_at IS NULL
) AS p;

COMMENT ON VIEW "reporting"."health_problems" IS 'Problems of the mirror, one row each: the one definition of health, for status, the status page, the metrics, the alerts and sync_health. An account without a row of severity critical or warning is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."rank" IS 'For sorting: the lower, the worse.';
COMMENT ON COLUMN "reporting"."health_problems"."code" IS 'replica-behind, nothing-mirrored, stopped, history-altered, sealing-stopped, too-many-missing, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine, anomaly or retired. docs/operations.md gives the cause and the remedy of each.';
COMMENT ON COLUMN "reporting"."health_problems"."severity" IS 'critical (replica-behind, nothing-mirrored, starting, stopped, history-altered, sealing-stopped, too-many-missing, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly, retired): worth knowing, but the mirror is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."subject" IS 'account, a job of sync.runs, a resource, or the kind of an anomaly.';
COMMENT ON COLUMN "reporting"."health_problems"."since" IS 'When it began; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success if the process released the lease. replica-behind: the last transaction of the primary replayed here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified sweep. clock-behind: when it was noticed, by the database''s clock. history-altered: when a verification on schedule first found it. sealing-stopped: the first failure of sealing. retired: when it began. Others: when the oldest record was first observed.';
COMMENT ON COLUMN "reporting"."health_problems"."problem" IS 'Description, without a full stop.';
COMMENT ON COLUMN "reporting"."health_problems"."fix" IS 'Remedy.';
