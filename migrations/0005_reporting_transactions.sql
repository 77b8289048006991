-- Views for people and BI tools: ready-joined, one grain each, no jsonb, amounts exact and without padding zeros.
CREATE SCHEMA "reporting";
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_settled"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
-- By the type; for a type that nobody documented, by where it came from and went to.
CREATE FUNCTION "reporting"."direction_of"("transaction_type" text, "source_type" text, "destination_type" text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN "transaction_type" = 'deposit' THEN 'in'
		WHEN "transaction_type" = 'withdraw' THEN 'out'
		WHEN "transaction_type" = 'rebalance' THEN 'internal'
		WHEN "transaction_type" IN ('stake', 'unstake', 'claim', 'change pool') THEN 'staking'
		WHEN "source_type" = 'vault' AND "destination_type" = 'vault' THEN 'internal'
		WHEN "destination_type" = 'vault' THEN 'in'
		WHEN "source_type" = 'vault' THEN 'out'
		ELSE 'unknown'
	END;
--> statement-breakpoint
-- The one place that says what a transaction does to the balances. Factors multiply the amount and the fee.
CREATE VIEW "reporting"."accounting_rules" AS
SELECT r.transaction_type, s.status,
	reporting.direction_of(r.transaction_type, NULL, NULL) AS direction,
	r.total_amount_factor, r.total_fee_factor, r.staked_amount_factor, r.staked_fee_factor, r.meaning
FROM (VALUES
	('deposit', ARRAY['pending'], 0, 0, 0, 0,
		'Announced: counts nowhere yet.'),
	('deposit', ARRAY['processing', 'confirming'], 1, 0, 0, 0,
		'On its way in: the amount is in processing_balance, and so in the total.'),
	('deposit', ARRAY['completed'], 1, 0, 0, 0,
		'Arrived: the amount is available. The sender paid the fee.'),
	('deposit', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Did not arrive: moves nothing.'),
	('withdraw', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'On its way out: amount and fee move from available_balance to processing_balance, the total stays.'),
	('withdraw', ARRAY['completed'], -1, -1, 0, 0,
		'Left: amount and fee are gone.'),
	('withdraw', ARRAY['failed'], 0, -1, 0, 0,
		'Came back, but for the network fee.'),
	('withdraw', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Never left: moves nothing.'),
	('rebalance', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'On its way between own vaults: the total stays.'),
	('rebalance', ARRAY['completed', 'failed'], 0, -1, 0, 0,
		'Between own vaults: the total loses the network fee.'),
	('rebalance', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Did not take place: moves nothing.'),
	('stake', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Being staked: amount and fee move from available_balance to processing_balance, the total stays.'),
	('stake', ARRAY['completed'], 0, -1, 1, 0,
		'Staked: the amount is in staking_balance, the total loses the fee.'),
	('stake', ARRAY['failed'], 0, -1, 0, 0,
		'Was not staked; the network fee is gone.'),
	('stake', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Was not staked: moves nothing.'),
	('unstake', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being unstaked: the amount moves from staking_balance to processing_balance, the total stays.'),
	('unstake', ARRAY['completed'], 0, -1, 0, -1,
		'Unstaked: the amount less the fee is claimable.'),
	('unstake', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not unstaked: moves nothing.'),
	('claim', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being claimed: the amount moves from claimable_balance to processing_balance, the total stays.'),
	('claim', ARRAY['completed'], 0, -1, -1, 0,
		'Claimed: the amount less the fee is available.'),
	('claim', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not claimed: moves nothing.'),
	('change pool', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Between pools: the amount moves from staking_balance to processing_balance, the total stays.'),
	('change pool', ARRAY['completed'], 0, -1, 0, -1,
		'Staked elsewhere: staking_balance loses the fee.'),
	('change pool', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Stayed where it was: moves nothing.')
) AS r (transaction_type, statuses, total_amount_factor, total_fee_factor,
	staked_amount_factor, staked_fee_factor, meaning)
CROSS JOIN LATERAL unnest(r.statuses) AS s (status);
--> statement-breakpoint
-- Where the clocks go back over midnight it comes twice, and the database takes the second; the day begins with the first, which
-- is found with the offset of three hours before. Spelled out, so that it is inlined.
CREATE FUNCTION "reporting"."day_starts_at"("day" timestamp, "time_zone" text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN (("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC') AT TIME ZONE "time_zone" = "day"
		THEN least("day" AT TIME ZONE "time_zone",
			("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC')
		ELSE "day" AT TIME ZONE "time_zone"
	END;
--> statement-breakpoint
-- Days and months in the account's time zone. They are made first and the facts looked up for each, by index: a filter on the
-- day then reads that day's rows and no others.
CREATE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month,
	reporting.day_starts_at(d.local, a.time_zone) AS starts_at,
	reporting.day_starts_at(d.local + interval '1 day', a.time_zone) AS ends_at,
	a.time_zone
FROM custody.accounts a
CROSS JOIN LATERAL generate_series(
	date_trunc('day', a.first_seen_at AT TIME ZONE a.time_zone),
	date_trunc('day', now() AT TIME ZONE a.time_zone),
	interval '1 day'
) AS d (local);
--> statement-breakpoint
CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status, NOT reporting.is_settled(t.status) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	ov.vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND t.status_changed_at > a.transactions_since THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN now() - t.first_seen_at
		WHEN t.status_changed_at > a.transactions_since THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- The own side is the vault that money comes into or leaves from; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in
) AS s
CROSS JOIN LATERAL (
	SELECT s.comes_in,
		CASE WHEN s.comes_in THEN t.destination_id WHEN t.source_type = 'vault' THEN t.source_id END AS own_id,
		CASE WHEN s.comes_in THEN t.source_type ELSE t.destination_type END AS other_type,
		CASE WHEN s.comes_in THEN t.source_id ELSE t.destination_id END AS other_id
) AS p
LEFT JOIN custody.vaults ov ON ov.account_id = t.account_id AND ov.vault_id = p.own_id
LEFT JOIN custody.vaults cv ON cv.account_id = t.account_id AND cv.vault_id = p.other_id AND p.other_type = 'vault'
LEFT JOIN custody.whitelist_entries cw
	ON cw.account_id = t.account_id AND cw.entry_id = p.other_id AND p.other_type = 'whitelist';
--> statement-breakpoint
CREATE VIEW "reporting"."transaction_timeline" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.to_status AS status, h.from_status AS previous_status,
	next.to_status AS next_status,
	t.transaction_type, t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount,
	h.observed_at AS entered_at, h.observed_after AS entered_after,
	CASE
		WHEN h.sequence > 1 THEN 'between two readings'
		WHEN h.observed_at > a.transactions_since THEN 'first sighting'
		ELSE 'before the mirror began'
	END AS entered_bound,
	next.observed_at AS left_at, next.observed_after AS left_after,
	CASE WHEN next.sequence IS NULL THEN 'still' ELSE 'between two readings' END AS left_bound,
	coalesce(next.observed_at, now()) - h.observed_at AS duration,
	CASE WHEN next.sequence IS NULL THEN now() - h.observed_at
		ELSE greatest(next.observed_after - h.observed_at, interval '0') END AS shortest_duration,
	coalesce(next.observed_at, now()) - h.observed_after AS longest_duration,
	next.sequence IS NULL AS is_current
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0): left to itself, the planner reads both tables whole for what a month holds.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN LATERAL (
	SELECT q.sequence, q.to_status, q.observed_at, q.observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence = h.sequence + 1 OFFSET 0
) AS next ON true;
--> statement-breakpoint
CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
	t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note, t.first_seen_at, t.status_since,
	now() - t.status_since AS time_in_status, t.age, round(extract(epoch FROM t.age) / 3600, 2) AS age_hours,
	CASE
		WHEN t.age < interval '1 hour' THEN 'under 1 hour'
		WHEN t.age < interval '4 hours' THEN '1 to 4 hours'
		WHEN t.age < interval '24 hours' THEN '4 to 24 hours'
		WHEN t.age < interval '72 hours' THEN '1 to 3 days'
		WHEN t.age < interval '168 hours' THEN '3 to 7 days'
		ELSE 'over 7 days'
	END AS age_band,
	CASE
		WHEN t.age < interval '1 hour' THEN 1
		WHEN t.age < interval '4 hours' THEN 2
		WHEN t.age < interval '24 hours' THEN 3
		WHEN t.age < interval '72 hours' THEN 4
		WHEN t.age < interval '168 hours' THEN 5
		ELSE 6
	END AS age_band_order,
	t.is_older_than_mirror, t.missing_since
FROM reporting.transactions t
WHERE t.is_open;
--> statement-breakpoint
CREATE VIEW "reporting"."status_durations" AS
SELECT m.account_id, m.month, s.transaction_type, s.status, s.stays, s.shortest, s.median, s.p95, s.mean, s.longest
FROM (
	SELECT account_id, month, min(starts_at) AS starts_at, max(ends_at) AS ends_at FROM reporting.calendar GROUP BY account_id, month
) AS m
CROSS JOIN LATERAL (
	SELECT t.transaction_type, stay.to_status AS status, count(*) AS stays,
		min(d.duration) AS shortest,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY d.duration) AS median,
		percentile_cont(0.95) WITHIN GROUP (ORDER BY d.duration) AS p95,
		avg(d.duration) AS mean,
		max(d.duration) AS longest
	FROM custody.transaction_status_history left_by
	JOIN custody.transaction_status_history stay
		ON stay.account_id = left_by.account_id AND stay.transaction_id = left_by.transaction_id
		AND stay.sequence = left_by.sequence - 1
	JOIN custody.accounts a ON a.account_id = left_by.account_id
	JOIN custody.transactions t ON t.account_id = left_by.account_id AND t.transaction_id = left_by.transaction_id
	CROSS JOIN LATERAL (SELECT left_by.observed_at - stay.observed_at AS duration) AS d
	WHERE left_by.account_id = m.account_id AND left_by.observed_at >= m.starts_at AND left_by.observed_at < m.ends_at
		AND (stay.sequence > 1 OR stay.observed_at > a.transactions_since)
	GROUP BY t.transaction_type, stay.to_status
) AS s;
--> statement-breakpoint
CREATE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT t.transaction_type, t.asset_id, max(t.asset_name) AS asset_name, t.network_id,
		count(*) AS settled,
		count(*) FILTER (WHERE t.status = 'completed') AS completed,
		count(*) FILTER (WHERE t.status = 'rejected') AS rejected,
		count(*) FILTER (WHERE t.status = 'cancelled') AS cancelled,
		count(*) FILTER (WHERE t.status = 'failed') AS failed,
		-- An amount that is not known makes the sum unknown, too.
		CASE WHEN bool_or(t.status = 'completed' AND t.amount IS NULL) THEN NULL
			ELSE coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) END AS completed_amount,
		CASE WHEN bool_or(t.status <> 'completed' AND t.amount IS NULL) THEN NULL
			ELSE coalesce(sum(t.amount) FILTER (WHERE t.status <> 'completed'), 0) END AS unsuccessful_amount
	FROM custody.transactions t
	WHERE t.account_id = c.account_id AND t.status_changed_at >= c.starts_at AND t.status_changed_at < c.ends_at
		AND t.status_changed_at > a.transactions_since AND reporting.is_settled(t.status)
	GROUP BY t.transaction_type, t.asset_id, t.network_id
) AS o;
--> statement-breakpoint
-- What each observed change of a status did to the balances: the lines that flows, fees and the reconciliation are made of.
CREATE VIEW "reporting"."postings" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_at, t.transaction_type, h.from_status, h.to_status,
	t.asset_id, t.asset_name, t.network_id,
	trim_scale(CASE WHEN d.direction = 'in' THEN m.total ELSE 0 END) AS inflow,
	trim_scale(CASE WHEN d.direction = 'out' THEN -m.total ELSE 0 END) AS outflow,
	trim_scale(-d.total_fee * m.fee) AS fee,
	trim_scale(m.total + d.total_fee * m.fee) AS total_change,
	trim_scale(m.staked + d.staked_fee * m.fee) AS staked_change
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0), as in the timeline.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = t.transaction_type AND before.status = h.from_status
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = t.transaction_type AND after.status = h.to_status
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee
) AS d
-- What does not move is 0 also where the amount is not known; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * t.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * t.amount END AS staked,
		coalesce(t.fee, 0) AS fee
) AS m
-- What the first sweep found was there before; the first balances hold it already.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
CREATE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT t.asset_id, max(t.asset_name) AS asset_name, t.network_id,
		count(*) FILTER (WHERE r.direction = 'in') AS deposits,
		CASE WHEN bool_or(r.direction = 'in' AND t.amount IS NULL) THEN NULL
			ELSE coalesce(sum(t.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
		count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
		CASE WHEN bool_or(r.direction = 'out' AND t.amount IS NULL) THEN NULL
			ELSE coalesce(sum(t.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount
	FROM custody.transactions t
	JOIN reporting.accounting_rules r ON r.transaction_type = t.transaction_type AND r.status = t.status
	WHERE t.account_id = c.account_id AND t.status_changed_at >= c.starts_at AND t.status_changed_at < c.ends_at
		AND t.status_changed_at > a.transactions_since AND t.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY t.asset_id, t.network_id
) AS f;
--> statement-breakpoint
CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.transaction_type, f.transactions, trim_scale(f.fee) AS fee
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT t.asset_id, max(t.asset_name) AS asset_name, t.network_id, t.transaction_type, count(*) AS transactions, sum(t.fee) AS fee
	FROM custody.transactions t
	JOIN reporting.accounting_rules r ON r.transaction_type = t.transaction_type AND r.status = t.status
	WHERE t.account_id = c.account_id AND t.status_changed_at >= c.starts_at AND t.status_changed_at < c.ends_at
		AND t.status_changed_at > a.transactions_since AND r.total_fee_factor <> 0 AND t.fee <> 0
	GROUP BY t.asset_id, t.network_id, t.transaction_type
) AS f;
--> statement-breakpoint
-- A transaction as it was known at a moment: today's row, with every field that was changed later taken back to what it was before.
CREATE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status),
		w.transaction_type, reporting.direction_of(w.transaction_type, w.source_type, w.destination_type),
		w.asset_id, w.asset_name, w.network_id, w.network_name, trim_scale(w.amount), trim_scale(w.fee),
		w.source_type, w.source_id, w.source_name, w.source_address,
		w.destination_type, w.destination_id, w.destination_name, w.destination_address, w.destination_memo,
		w.txn_hash, w.blockexplorer_link, w.note, t.first_seen_at, s.observed_at, w.missing_since
	FROM custody.transactions t
	CROSS JOIN LATERAL (
		SELECT h.to_status, h.observed_at FROM custody.transaction_status_history h
		WHERE h.account_id = t.account_id AND h.transaction_id = t.transaction_id AND h.observed_at <= "at"
		ORDER BY h.sequence DESC LIMIT 1
	) AS s
	-- Of the revisions since, the earliest that changed a field says what it was.
	LEFT JOIN LATERAL (
		SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id AND r.observed_at > "at"
			ORDER BY f.field, r.revision
		) AS e
	) AS p ON true
	CROSS JOIN LATERAL (
		SELECT
			CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
			CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
			CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
			CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
			CASE WHEN p.before ? 'network_name' THEN p.before ->> 'network_name' ELSE t.network_name END AS network_name,
			CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
			CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
			CASE WHEN p.before ? 'source_type' THEN p.before ->> 'source_type' ELSE t.source_type END AS source_type,
			CASE WHEN p.before ? 'source_id' THEN p.before ->> 'source_id' ELSE t.source_id END AS source_id,
			CASE WHEN p.before ? 'source_name' THEN p.before ->> 'source_name' ELSE t.source_name END AS source_name,
			CASE WHEN p.before ? 'source_address' THEN p.before ->> 'source_address' ELSE t.source_address END AS source_address,
			CASE WHEN p.before ? 'destination_type' THEN p.before ->> 'destination_type' ELSE t.destination_type END AS destination_type,
			CASE WHEN p.before ? 'destination_id' THEN p.before ->> 'destination_id' ELSE t.destination_id END AS destination_id,
			CASE WHEN p.before ? 'destination_name' THEN p.before ->> 'destination_name' ELSE t.destination_name END AS destination_name,
			CASE WHEN p.before ? 'destination_address' THEN p.before ->> 'destination_address' ELSE t.destination_address END AS destination_address,
			CASE WHEN p.before ? 'destination_memo' THEN p.before ->> 'destination_memo' ELSE t.destination_memo END AS destination_memo,
			CASE WHEN p.before ? 'txn_hash' THEN p.before ->> 'txn_hash' ELSE t.txn_hash END AS txn_hash,
			CASE WHEN p.before ? 'blockexplorer_link' THEN p.before ->> 'blockexplorer_link' ELSE t.blockexplorer_link END AS blockexplorer_link,
			CASE WHEN p.before ? 'note' THEN p.before ->> 'note' ELSE t.note END AS note,
			CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
	) AS w
	WHERE t.first_seen_at <= "at";
END;
