-- What one snapshot showed: the one place that lays what could not be read over the balances. Inlined into the views.
CREATE OR REPLACE FUNCTION "reporting"."balances_shown"("account" text, "vaults" text, "at" timestamptz) RETURNS TABLE (
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
--> statement-breakpoint
-- The one definition of health: one row for each thing that is wrong, or worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- Runs follow one another by run_id, whatever a clock says. An end more than five minutes ahead tells no age: a clock stood wrong.
CREATE OR REPLACE VIEW "reporting"."health_problems" AS
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
-- By the form of the address, since the identifiers of networks are the service's own: what is written in hexadecimal digits, as on
-- EVM networks, is the same in either case; bech32 is written in one case throughout, and is the same in the other; everything else,
-- base58 above all, tells its letters' cases apart. Spaces around it are no part of it.
CREATE OR REPLACE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;
--> statement-breakpoint
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'unknown-value, duplicate-id, balance-parts-differ, totals-differ, terminal-status-left, alternating-content, vanished, too-many-vanished or clock-refused. docs/data.md says what each means.';
--> statement-breakpoint
-- For each destination and asset that was ever paid: when the whitelist certainly held it, and when it certainly did not. An entry counts
-- for the asset and the network that it names; where the transaction tells none of its own, nobody knows whether it does (fits is null),
-- nor where two addresses are the same but for the case of letters, in a form of which nobody knows whether case counts.
-- What lies in neither, nobody knows. The transactions and the entries are looked up for each (hence OFFSET 0).
CREATE OR REPLACE VIEW "internal"."destination_listings" AS
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
-- A day's figures are those seen on it, so they are whole when it ends: what was known until then against what is known now. A row of
-- settlement_history that held at the end of the day and holds still is in both, and makes no difference.
CREATE OR REPLACE VIEW "reporting"."late_corrections" AS
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
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed.';
--> statement-breakpoint
-- A withdrawal was made between two readings of the transactions; it is whitelisted, or not, where that is certain for all of that time.
CREATE OR REPLACE VIEW "reporting"."destination_uses" AS
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
COMMENT ON COLUMN "reporting"."destinations"."off_whitelist_uses" IS 'Withdrawals around which no reading of the whitelist shows the entry or the address for this asset and network: what is listed and removed between two readings, nobody sees. Null when the whitelist was never read. Those of which it is not known are in unknown_whitelist_uses.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."reconciliation_daily" AS
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
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains, never negative: staking_losses tells what they lost. Inferred, not told by the service. Null on the first day, where it is not known, as when one of the two observations alone told a staked part, and where uncertain stakings leave it open.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'True: unexplained_difference is 0 and there are no staking_losses. False: something left or came that no transaction tells, also where unexplained_difference is null but a loss is certain. Null: unknown, as on the first day or where a figure is unknown; or undecided, because a change may lie on either side of the observation, or transactions were not read since.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."timing_difference" IS 'Part of the difference that is a matter of timing: transactions that may lie on either side of the opening or closing observation can account for it, and between the nearest observations on either side at which nothing is uncertain, all such differences add up to 0. Null where the difference or staking_rewards is unknown.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."uncertain_at_opening" IS 'How much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. 0: none did; stakings, which leave the total as it is, count as 0 but for their fees. Told where balances differ from the flows, else 0; null where one of the figures is not known, as on the first day.';
