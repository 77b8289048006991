CREATE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide sweeps that fail.
	EXISTS (
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
	coalesce((SELECT e.is_mirrored FROM sync.expectations e
		WHERE e.account_id = a.account_id AND e.job = r.resource), true) AS is_mirrored
FROM custody.accounts a
CROSS JOIN (
	SELECT k.resource, array_agg(k.job) AS jobs FROM internal.jobs k WHERE k.resource IS NOT NULL GROUP BY k.resource
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
COMMENT ON VIEW "reporting"."data_freshness" IS 'How fresh and how complete the mirror is, one row per resource. Look at it before any other figure.';
COMMENT ON COLUMN "reporting"."data_freshness"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."data_freshness"."resource" IS 'transactions, balances, vaults or whitelist.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_success_at" IS 'When a run last succeeded; one that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag" IS 'Time since then.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag_seconds" IS 'The same in whole seconds.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_verified_at" IS 'When a run last ended as verified: it showed that it missed nothing. An end more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_at" IS 'When a run last failed; failures older than 30 days are deleted.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_code" IS 'Code of that failure.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_message" IS 'Its message.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since. For transactions also true when sweeps (reconcile) fail while increments succeed.';
COMMENT ON COLUMN "reporting"."data_freshness"."open_anomalies" IS 'Findings that are not resolved (sync.anomalies).';
COMMENT ON COLUMN "reporting"."data_freshness"."quarantined_records" IS 'Records that could not be read (sync.quarantine).';
COMMENT ON COLUMN "reporting"."data_freshness"."complete_since" IS 'For transactions: since when the whole list is mirrored; null until the first sweep has ended, and for the other resources.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds the resource. If not, the row shows what was read before.';
--> statement-breakpoint
-- The one definition of health: one row for each problem, or for what is only worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
CREATE VIEW "reporting"."health_problems" AS
WITH jobs AS (
	SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message, f.error_code IN ('ERR-02', 'HTTP-401') AS is_key_refused,
		-- No setting says how often sync runs: three times the median of its past intervals, at least 26 hours, and at most the age
		-- that a verified sweep may have. The median, because one outage does not change it.
		CASE WHEN e.started_by = 'daemon' THEN e.max_age
			ELSE least(interval '8 days', greatest(interval '26 hours', 3 * g.gap)) END AS max_age
	FROM custody.accounts a
	CROSS JOIN internal.jobs k
	CROSS JOIN LATERAL (
		SELECT coalesce(max(x.started_by), 'sync') AS started_by,
			coalesce(bool_and(x.is_mirrored), true) AS is_mirrored,
			coalesce(bool_and(x.is_scheduled), k.job = k.resource) AS is_scheduled, max(x.max_age) AS max_age
		FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = k.job
	) AS e
	LEFT JOIN LATERAL (
		SELECT u.finished_at AS at, u.run_id FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = k.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS s ON true
	LEFT JOIN LATERAL (
		SELECT first.at, u.error_code, u.error_message FROM sync.runs u
		CROSS JOIN LATERAL (
			SELECT least(b.finished_at, now()) AS at FROM sync.runs b
			WHERE b.account_id = a.account_id AND b.job = k.job AND b.status = 'failed' AND b.run_id > coalesce(s.run_id, 0)
			ORDER BY b.finished_at LIMIT 1
		) AS first
		WHERE u.account_id = a.account_id AND u.job = k.job AND u.status = 'failed' AND u.run_id > coalesce(s.run_id, 0)
		ORDER BY u.finished_at DESC LIMIT 1
	) AS f ON true
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded'
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
		coalesce((SELECT x.is_mirrored FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'transactions'), true)
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
		SELECT FROM sync.expectations x WHERE x.account_id = q.account_id AND x.job = q.resource AND NOT x.is_mirrored)
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
		SELECT FROM sync.expectations x WHERE x.account_id = n.account_id AND x.job = n.resource AND NOT x.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT p.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM problems p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."health_problems" IS 'What is wrong with the mirror, one row per problem: the one definition of health, for status, the status page, the metrics, the alerts and sync_health. An account without a row of severity critical or warning is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."account_id" IS 'The account.';
COMMENT ON COLUMN "reporting"."health_problems"."rank" IS 'The lower, the worse; order by it.';
COMMENT ON COLUMN "reporting"."health_problems"."code" IS 'nothing-mirrored, stopped, too-many-vanished, clock-refused, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, quarantine or anomaly. docs/operations.md gives the cause of each and what to do.';
COMMENT ON COLUMN "reporting"."health_problems"."severity" IS 'critical or warning: the mirror is not healthy. note: worth knowing, but the mirror is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."subject" IS 'What it concerns: account, a job of sync.runs, a resource, or the kind of an anomaly.';
COMMENT ON COLUMN "reporting"."health_problems"."since" IS 'Since when; null if unknown.';
COMMENT ON COLUMN "reporting"."health_problems"."problem" IS 'What is wrong, in words, without a full stop.';
COMMENT ON COLUMN "reporting"."health_problems"."fix" IS 'What to do about it.';
--> statement-breakpoint
-- Health in short, from the worst row of reporting.health_problems.
CREATE VIEW "reporting"."sync_health" AS
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
	JOIN internal.jobs k ON k.job = u.job
	WHERE u.account_id = a.account_id AND u.started_at > now() - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."sync_health" IS 'One row per account: does the mirror run, and can its figures be trusted?';
COMMENT ON COLUMN "reporting"."sync_health"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."sync_health"."health" IS 'The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading has still to end), stale, never verified, verified too long ago, attention (records in quarantine, or too many vanished at once), healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."writer" IS 'The process that holds the lease and writes; null when there is none.';
COMMENT ON COLUMN "reporting"."sync_health"."writer_lease_until" IS 'Until when its lease lasts, unless it is renewed.';
COMMENT ON COLUMN "reporting"."sync_health"."last_success_at" IS 'When a run of any resource last succeeded.';
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'The longest time since a success among the resources.';
COMMENT ON COLUMN "reporting"."sync_health"."last_verified_sweep_at" IS 'When a sweep of all transactions last ended as verified.';
COMMENT ON COLUMN "reporting"."sync_health"."failing_resources" IS 'How many jobs have failed without a success since.';
COMMENT ON COLUMN "reporting"."sync_health"."stale_resources" IS 'How many jobs have a last success that is older than their schedule allows.';
COMMENT ON COLUMN "reporting"."sync_health"."open_anomalies" IS 'Findings that are not resolved.';
COMMENT ON COLUMN "reporting"."sync_health"."quarantined_records" IS 'Records that could not be read.';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs of the last 24 hours.';
COMMENT ON COLUMN "reporting"."sync_health"."failed_runs_24h" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."sync_health"."requests_24h" IS 'Requests to the service in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."rate_limited_24h" IS 'Of these, how many the service refused because of the rate limit.';
COMMENT ON COLUMN "reporting"."sync_health"."status_changes_24h" IS 'Changes of a status observed in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."complete_since" IS 'Since when the whole list of transactions is mirrored; null until the first sweep has ended.';
COMMENT ON COLUMN "reporting"."sync_health"."mirrored_since" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "reporting"."sync_health"."time_zone" IS 'Time zone of its days and months.';
COMMENT ON COLUMN "reporting"."sync_health"."problems" IS 'How many rows of reporting.health_problems make the mirror unhealthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem" IS 'The worst of them in words; null when healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_fix" IS 'What to do about it.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_since" IS 'Since when; null if unknown.';
