CREATE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts: one index lookup. Ages are by the account's clock. An end more than five
-- minutes in the future is ignored: nothing has been mirrored since the database's clock was set back.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > clock.now THEN interval '0' ELSE clock.now - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide failing sweeps.
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

COMMENT ON VIEW "reporting"."data_freshness" IS 'How fresh and complete the mirror is, one row per resource. Look at it before any other figure.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_success_at" IS 'When a run last succeeded. A run that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag" IS 'Time since last_success_at.';
COMMENT ON COLUMN "reporting"."data_freshness"."lag_seconds" IS 'Lag in whole seconds.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_verified_at" IS 'When a run last ended as verified, having shown that it missed nothing. A run that ended more than five minutes in the future does not count.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_at" IS 'When a run last failed; failures older than 30 days are deleted.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_code" IS 'Code of that failure.';
COMMENT ON COLUMN "reporting"."data_freshness"."last_failure_message" IS 'Message of that failure.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is not mirrored. For transactions, also true if sweeps (reconcile) fail while increments succeed.';
COMMENT ON COLUMN "reporting"."data_freshness"."open_anomalies" IS 'Open anomalies (sync.anomalies).';
COMMENT ON COLUMN "reporting"."data_freshness"."quarantined_records" IS 'Records that could not be read (sync.quarantine).';
COMMENT ON COLUMN "reporting"."data_freshness"."complete_since" IS 'From when the whole list of transactions is mirrored; null until the first sweep has ended, and for the other resources.';
COMMENT ON COLUMN "reporting"."data_freshness"."is_mirrored" IS 'Whether CUSTODY_RESOURCES includes the resource. If not, the row shows what was read before.';
