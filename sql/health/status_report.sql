-- Not for BI tools, which know no JSON: the type in src/store/job-queries/status.ts says what the members mean. A table of one row, so
-- that PostgreSQL plans it as a part of the statement around it.
CREATE FUNCTION "custody"."status_report"("account" text) RETURNS TABLE (report json) LANGUAGE sql STABLE PARALLEL RESTRICTED
BEGIN ATOMIC
	SELECT json_build_object(
		'account', o.account_id, 'baseUrl', a.base_url, 'readAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'problems', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT p.code, p.severity, p.subject, to_char(p.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS since, p.problem, p.fix
			FROM reporting.health_problems p WHERE p.account_id = o.account_id ORDER BY p.rank, p.subject
		) AS q),
		'expected', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT e.job, e.started_by AS "startedBy", e.is_mirrored AS "isMirrored", e.is_scheduled AS "isScheduled"
			FROM sync.expectations e WHERE e.account_id = o.account_id ORDER BY e.job
		) AS q),
		'transactions', json_build_object(
			'total', CASE WHEN a.transactions_total > 0 OR a.transactions_since IS NOT NULL THEN a.transactions_total END,
			'missing', coalesce(a.transactions_missing, 0),
			'open', (SELECT coalesce(json_agg(q), '[]') FROM (
				SELECT t.status, count(*) AS count FROM custody.transactions t
				WHERE t.account_id = o.account_id AND NOT reporting.is_settled(t.status) GROUP BY t.status ORDER BY t.status
			) AS q),
			'lastSweep', (SELECT to_json(q) FROM (
				SELECT r.job, to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "finishedAt",
					coalesce(r.verified, false) AS verified, r.verdict
				FROM internal.jobs j CROSS JOIN LATERAL (
					SELECT s.job, s.finished_at, s.verified, s.verdict FROM sync.runs s
					WHERE s.account_id = o.account_id AND s.job = j.job AND s.mode = 'full' AND s.status = 'succeeded'
					ORDER BY s.finished_at DESC LIMIT 1
				) AS r
				WHERE j.is_sweeping ORDER BY r.finished_at DESC LIMIT 1
			) AS q)
		),
		'balances', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT s.vault_type AS "vaultType", to_char(s.snapshot_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "snapshotAt",
				s.asset_count AS assets, s.quarantined_count AS quarantined, ARRAY(
					SELECT DISTINCT u.asset_id FROM custody.unreadable_balances u
					WHERE u.account_id = o.account_id AND u.vault_type = s.vault_type AND u.valid_to IS NULL ORDER BY 1
				) AS "unreadableAssets"
			FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type) CROSS JOIN LATERAL (
				SELECT b.vault_type, b.snapshot_at, b.asset_count, b.quarantined_count FROM custody.balance_snapshots b
				WHERE b.account_id = o.account_id AND b.vault_type = v.vault_type ORDER BY b.snapshot_at DESC LIMIT 1
			) AS s
			ORDER BY s.vault_type COLLATE "C"
		) AS q),
		'vaults', (SELECT to_json(q) FROM (
			SELECT CASE WHEN count(*) > 0 OR EXISTS (
					SELECT FROM custody.document_readings r WHERE r.account_id = o.account_id AND r.kind = 'vault'
				) THEN count(*) FILTER (WHERE d.missing_since IS NULL) END AS present, count(d.missing_since) AS missing,
				to_char(max(d.changed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "changedAt"
			FROM custody.vaults d WHERE d.account_id = o.account_id
		) AS q),
		'whitelist', (SELECT to_json(q) FROM (
			SELECT CASE WHEN count(*) > 0 OR EXISTS (
					SELECT FROM custody.document_readings r WHERE r.account_id = o.account_id AND r.kind = 'whitelist_entry'
				) THEN count(*) FILTER (WHERE d.missing_since IS NULL) END AS present, count(d.missing_since) AS missing,
				to_char(max(d.changed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "changedAt"
			FROM custody.whitelist_entries d WHERE d.account_id = o.account_id
		) AS q),
		'jobs', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT j.job, (SELECT to_json(l) FROM (
					SELECT r.run_id::text AS "runId", r.mode, r.status,
						to_char(r.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "startedAt",
						to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "finishedAt",
						r.requests, r.records_read AS "recordsRead", r.records_inserted AS "recordsInserted",
						r.records_changed AS "recordsChanged", r.status_changes AS "statusChanges", r.quarantined, r.verified, r.verdict,
						r.error_code AS "errorCode", r.error_message AS "errorMessage"
					FROM sync.runs r WHERE r.account_id = o.account_id AND r.job = j.job ORDER BY r.started_at DESC LIMIT 1
				) AS l) AS "lastRun",
				(SELECT to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM sync.runs r
					WHERE r.account_id = o.account_id AND r.job = j.job AND r.status = 'succeeded'
					ORDER BY r.finished_at DESC LIMIT 1) AS "lastSucceededAt",
				(SELECT to_char(max(r.finished_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM sync.runs r
					WHERE r.account_id = o.account_id AND r.job = j.job AND r.verified) AS "lastVerifiedAt"
			-- The jobs that ran, also those of another version, each found by one step into an index.
			FROM (WITH RECURSIVE found (job) AS (
				SELECT (SELECT r.job FROM sync.runs r WHERE r.account_id = o.account_id AND r.job > '' ORDER BY r.job LIMIT 1)
				UNION ALL
				SELECT (SELECT r.job FROM sync.runs r WHERE r.account_id = o.account_id AND r.job > f.job ORDER BY r.job LIMIT 1)
				FROM found f WHERE f.job IS NOT NULL
			) SELECT f.job FROM found f WHERE f.job IS NOT NULL) AS j
			ORDER BY j.job
		) AS q),
		'anomalies', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT f.kind, count(*) AS open,
				to_char(max(f.last_observed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "lastObservedAt"
			FROM sync.anomalies f WHERE f.account_id = o.account_id AND f.resolved_at IS NULL AND NOT EXISTS (
				SELECT FROM sync.expectations x WHERE x.account_id = f.account_id AND x.job = f.resource AND NOT x.is_mirrored)
			GROUP BY f.kind ORDER BY f.kind
		) AS q),
		'quarantine', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT f.resource, count(*) AS open,
				to_char(max(f.last_observed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "lastObservedAt"
			FROM sync.quarantine f WHERE f.account_id = o.account_id AND f.resolved_at IS NULL AND NOT EXISTS (
				SELECT FROM sync.expectations x WHERE x.account_id = f.account_id AND x.job = f.resource AND NOT x.is_mirrored)
			GROUP BY f.resource ORDER BY f.resource
		) AS q),
		'lease', (SELECT to_json(q) FROM (
			SELECT l.holder, to_char(l.acquired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "acquiredAt",
				to_char(l.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "expiresAt"
			FROM sync.leases l WHERE l.account_id = o.account_id AND l.expires_at > clock_timestamp()
				AND l.database_time < clock_timestamp() + interval '1 minute'
		) AS q),
		'learned', (SELECT coalesce(json_agg(q), '[]') FROM (
			SELECT l.fact, l.value, l.evidence, to_char(l.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt"
			FROM sync.learned l WHERE l.account_id = o.account_id ORDER BY l.fact
		) AS q),
		'sealed', (SELECT to_json(q) FROM (
			SELECT c.tree_size AS rows, to_char(c.signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "signedAt",
				to_char(v.verified_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "verifiedAt", v.tree_size AS "verifiedRows", v.finding
			FROM sync.seal_checkpoints c LEFT JOIN sync.seal_verifications v ON v.account_id = c.account_id
			WHERE c.account_id = o.account_id ORDER BY c.tree_size DESC LIMIT 1
		) AS q),
		'others', CASE WHEN a.account_id IS NULL THEN ARRAY(
			SELECT k.account_id FROM custody.accounts k
			WHERE NOT EXISTS (SELECT FROM reporting.half_erased_accounts e WHERE e.account_id = k.account_id) ORDER BY 1 LIMIT 5
		) END,
		'isThere', EXISTS (SELECT FROM custody.accounts k WHERE k.account_id = o.account_id)
	)
	FROM (SELECT "account" AS account_id) AS o
	LEFT JOIN custody.accounts a ON a.account_id = o.account_id
		AND NOT EXISTS (SELECT FROM reporting.half_erased_accounts e WHERE e.account_id = a.account_id);
END;

COMMENT ON FUNCTION "custody"."status_report"(text) IS 'What the command status shows of an account, as one object, also of a name that is not mirrored. It reads tables that only the mirror and who serves it may read.';
