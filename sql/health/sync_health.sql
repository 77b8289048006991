-- Health at a glance, from the worst row of reporting.health_problems.
CREATE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE WHEN p.code IS NULL THEN 'healthy' ELSE CASE p.code
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
		ELSE 'attention'
	END END AS health,
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

COMMENT ON VIEW "reporting"."sync_health" IS 'Is the mirror running, and can its figures be trusted? One row per account.';
COMMENT ON COLUMN "reporting"."sync_health"."health" IS 'The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading is not finished), stale, never verified, verified too long ago, attention (records in quarantine, too many missing at once, or the database''s clock behind the times of the mirror), healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."writer" IS 'The process that holds the lease and writes; null if there is none.';
COMMENT ON COLUMN "reporting"."sync_health"."writer_lease_until" IS 'When its lease expires unless renewed.';
COMMENT ON COLUMN "reporting"."sync_health"."last_success_at" IS 'When a run of any resource last succeeded.';
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'The longest lag among the mirrored resources.';
COMMENT ON COLUMN "reporting"."sync_health"."last_verified_sweep_at" IS 'When a sweep of all transactions last ended as verified.';
COMMENT ON COLUMN "reporting"."sync_health"."failing_resources" IS 'Number of jobs that have failed without a success since.';
COMMENT ON COLUMN "reporting"."sync_health"."stale_resources" IS 'Number of jobs whose last success is older than their schedule allows.';
COMMENT ON COLUMN "reporting"."sync_health"."open_anomalies" IS 'Open anomalies (sync.anomalies).';
COMMENT ON COLUMN "reporting"."sync_health"."quarantined_records" IS 'Records that could not be read (sync.quarantine).';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs in the last 24 hours, except those of resources that CUSTODY_RESOURCES now leaves out.';
COMMENT ON COLUMN "reporting"."sync_health"."failed_runs_24h" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."sync_health"."requests_24h" IS 'Requests to the service in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."rate_limited_24h" IS 'Of these, refused by the rate limit of the service.';
COMMENT ON COLUMN "reporting"."sync_health"."status_changes_24h" IS 'Status changes observed in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."complete_since" IS 'From when the whole list of transactions is mirrored; null until the first sweep has ended.';
COMMENT ON COLUMN "reporting"."sync_health"."mirrored_since" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "reporting"."sync_health"."time_zone" IS 'Time zone of the account''s days and months.';
COMMENT ON COLUMN "reporting"."sync_health"."problems" IS 'Number of rows of reporting.health_problems that make the mirror unhealthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem" IS 'Description of the worst of them; null if healthy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_fix" IS 'Its remedy.';
COMMENT ON COLUMN "reporting"."sync_health"."worst_problem_since" IS 'When it began; null if unknown.';
