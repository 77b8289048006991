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
