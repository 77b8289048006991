-- Vaults, the whitelist over time, and how far the mirror can be trusted.
CREATE VIEW "reporting"."vaults" AS
SELECT v.account_id, v.vault_id, v.name, v.vault_type, v.first_seen_at, v.changed_at,
	(SELECT count(*) FROM custody.document_revisions r
		WHERE r.account_id = v.account_id AND r.kind = 'vault' AND r.document_id = v.vault_id) AS revisions,
	v.missing_since IS NULL AS is_listed, v.missing_since
FROM custody.vaults v;
--> statement-breakpoint
CREATE VIEW "reporting"."whitelist_history" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.change, r.observed_at AS valid_from,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.name, r.address, r.asset_id, r.network_id,
	r.revision = 1 AND r.run_id = f.run_id AS is_older_than_mirror,
	next.revision IS NULL AS is_current
FROM custody.document_revisions r
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
LEFT JOIN (
	SELECT account_id, min(run_id) AS run_id FROM custody.document_revisions WHERE kind = 'whitelist_entry' GROUP BY account_id
) AS f ON f.account_id = r.account_id
WHERE r.kind = 'whitelist_entry';
--> statement-breakpoint
CREATE VIEW "reporting"."data_freshness" AS
SELECT a.account_id, r.resource, s.at AS last_success_at, now() - s.at AS lag,
	round(extract(epoch FROM now() - s.at)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	coalesce(f.at > s.at, f.at IS NOT NULL) AS is_failing,
	(SELECT count(*) FROM sync.anomalies n
		WHERE n.account_id = a.account_id AND n.resource = r.resource AND n.resolved_at IS NULL) AS open_anomalies,
	(SELECT count(*) FROM sync.quarantine q
		WHERE q.account_id = a.account_id AND q.resource = r.resource AND q.resolved_at IS NULL) AS quarantined_records,
	CASE r.resource WHEN 'transactions' THEN a.transactions_since END AS complete_since
FROM custody.accounts a
CROSS JOIN (VALUES
	('transactions', ARRAY['transactions', 'reconcile']), ('balances', ARRAY['balances']),
	('vaults', ARRAY['vaults']), ('whitelist', ARRAY['whitelist'])
) AS r (resource, jobs)
-- By job, so that each is one step into an index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded' ORDER BY u.started_at DESC LIMIT 1
	) AS l
) AS s ON true
LEFT JOIN LATERAL (
	SELECT max(u.finished_at) AS at FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.verified
) AS v ON true
LEFT JOIN LATERAL (
	SELECT u.finished_at AS at, u.error_code, u.error_message FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.status = 'failed'
	ORDER BY u.finished_at DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
CREATE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE
		WHEN f.never THEN 'nothing mirrored yet'
		WHEN l.holder IS NULL THEN 'stopped'
		WHEN f.failing > 0 THEN 'failing'
		WHEN f.stale > 0 THEN 'stale'
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
