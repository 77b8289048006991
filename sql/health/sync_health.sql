-- A mirror of which no sweep of transactions was ever verified is not healthy: nobody knows what it misses.
CREATE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE
		WHEN f.never THEN 'nothing mirrored yet'
		WHEN l.holder IS NULL THEN 'stopped'
		WHEN f.failing > 0 THEN 'failing'
		WHEN f.stale > 0 THEN 'stale'
		WHEN f.never_verified THEN 'never verified'
		WHEN f.quarantined > 0 OR f.anomalies > 0 THEN 'attention'
		ELSE 'healthy'
	END AS health,
	l.holder AS writer, l.expires_at AS writer_lease_until, f.last_success_at, f.lag, f.last_verified_sweep_at,
	f.failing AS failing_resources, f.stale AS stale_resources, f.anomalies AS open_anomalies, f.quarantined AS quarantined_records,
	d.runs AS runs_24h, d.failed AS failed_runs_24h, d.requests AS requests_24h, d.rate_limited AS rate_limited_24h,
	d.status_changes AS status_changes_24h,
	a.transactions_since AS complete_since, a.first_seen_at AS mirrored_since, a.time_zone
FROM custody.accounts a
CROSS JOIN LATERAL (
	SELECT max(q.last_success_at) IS NULL AS never, max(q.last_success_at) AS last_success_at, max(q.lag) AS lag,
		max(q.last_verified_at) FILTER (WHERE q.resource = 'transactions') AS last_verified_sweep_at,
		count(*) FILTER (WHERE q.is_failing) AS failing,
		count(*) FILTER (WHERE q.lag > CASE q.resource WHEN 'transactions' THEN interval '15 minutes'
			WHEN 'balances' THEN interval '30 minutes' ELSE interval '24 hours' END) AS stale,
		bool_or(q.resource = 'transactions' AND q.last_success_at IS NOT NULL AND q.last_verified_at IS NULL) AS never_verified,
		sum(q.open_anomalies)::bigint AS anomalies, sum(q.quarantined_records)::bigint AS quarantined
	FROM reporting.data_freshness q WHERE q.account_id = a.account_id
) AS f
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

COMMENT ON VIEW "reporting"."sync_health" IS 'One row per account: is the mirror running, and can its figures be trusted?';
COMMENT ON COLUMN "reporting"."sync_health"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."sync_health"."health" IS 'healthy; attention (findings or unreadable records); never verified (no sweep of transactions has ever met the whole list, so some may be missing); stale (transactions older than 15 minutes, balances older than 30, others older than a day); failing (the last run of a resource failed); stopped (no process holds the lease); nothing mirrored yet.';
COMMENT ON COLUMN "reporting"."sync_health"."writer" IS 'The process that holds the lease and writes; null when there is none.';
COMMENT ON COLUMN "reporting"."sync_health"."writer_lease_until" IS 'Until when its lease runs, unless renewed.';
COMMENT ON COLUMN "reporting"."sync_health"."last_success_at" IS 'When a run of any resource last succeeded.';
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'Greatest time since a success among the resources.';
COMMENT ON COLUMN "reporting"."sync_health"."last_verified_sweep_at" IS 'When a sweep of all transactions last ended as verified.';
COMMENT ON COLUMN "reporting"."sync_health"."failing_resources" IS 'Resources whose last run failed.';
COMMENT ON COLUMN "reporting"."sync_health"."stale_resources" IS 'Resources that are older than the bounds named at health.';
COMMENT ON COLUMN "reporting"."sync_health"."open_anomalies" IS 'Findings that are not resolved.';
COMMENT ON COLUMN "reporting"."sync_health"."quarantined_records" IS 'Records that could not be read.';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs of the last 24 hours.';
COMMENT ON COLUMN "reporting"."sync_health"."failed_runs_24h" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."sync_health"."requests_24h" IS 'Requests to the service in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."rate_limited_24h" IS 'Of these, refused because of the rate limit.';
COMMENT ON COLUMN "reporting"."sync_health"."status_changes_24h" IS 'Changes of a status observed in these runs.';
COMMENT ON COLUMN "reporting"."sync_health"."complete_since" IS 'Since when the whole list of transactions is mirrored; null while the first sweep goes on.';
COMMENT ON COLUMN "reporting"."sync_health"."mirrored_since" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "reporting"."sync_health"."time_zone" IS 'Time zone of its days and months.';
