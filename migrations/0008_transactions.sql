-- Updates custody.transaction_ranges with every commit. A transaction counts in the last range that begins no later than it was first
-- seen. So that this never changes, a new range begins only behind all that were ever counted.
CREATE FUNCTION "internal"."count_in_ranges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	accounts text[];
	moments timestamptz[];
	counts bigint[];
BEGIN
	-- A page has one moment, whatever number of transactions is on it.
	IF TG_OP = 'INSERT' THEN
		SELECT array_agg(c.account_id), array_agg(c.first_seen_at), array_agg(c.shown) INTO accounts, moments, counts
		FROM (SELECT account_id, first_seen_at, count(*) AS shown FROM added WHERE missing_since IS NULL GROUP BY 1, 2) AS c;
	ELSE
		SELECT array_agg(c.account_id), array_agg(c.first_seen_at), array_agg(c.shown) INTO accounts, moments, counts
		FROM (
			SELECT account_id, first_seen_at, sum(sign) AS shown
			FROM (
				SELECT 1 AS sign, account_id, first_seen_at FROM became WHERE missing_since IS NULL
				UNION ALL SELECT -1, account_id, first_seen_at FROM was WHERE missing_since IS NULL
			) AS both_sides
			GROUP BY 1, 2
			HAVING sum(sign) <> 0
		) AS c;
	END IF;
	IF accounts IS NULL THEN
		RETURN NULL;
	END IF;
	WITH counted AS (
		SELECT * FROM unnest(accounts, moments, counts) AS c (account_id, moment, shown)
	), last_range AS MATERIALIZED (
		SELECT a.account_id, coalesce(l.last_at, '-infinity') AS last_at, coalesce(l.shown, 0) AS shown
		FROM (SELECT DISTINCT c.account_id FROM counted c) AS a
		LEFT JOIN LATERAL (
			SELECT r.last_at, r.shown FROM custody.transaction_ranges r
			WHERE r.account_id = a.account_id ORDER BY r.begins_at DESC LIMIT 1
		) AS l ON true
	), filled AS (
		SELECT c.*, CASE WHEN c.moment > l.last_at THEN (l.shown + sum(c.shown) OVER behind - c.shown)::bigint / 10000 END AS full_ranges
		FROM counted c JOIN last_range l ON l.account_id = c.account_id
		WINDOW behind AS (PARTITION BY c.account_id, c.moment > l.last_at ORDER BY c.moment)
	), placed AS (
		SELECT f.account_id, f.moment, f.shown, CASE WHEN f.full_ranges > 0 THEN min(f.moment) OVER (PARTITION BY f.account_id, f.full_ranges)
			ELSE coalesce((
				SELECT r.begins_at FROM custody.transaction_ranges r
				WHERE r.account_id = f.account_id AND r.begins_at <= f.moment ORDER BY r.begins_at DESC LIMIT 1
			), '-infinity') END AS begins_at
		FROM filled f
	)
	INSERT INTO custody.transaction_ranges AS r (account_id, begins_at, last_at, shown)
	SELECT p.account_id, p.begins_at, max(p.moment), sum(p.shown) FROM placed p GROUP BY 1, 2
	ON CONFLICT (account_id, begins_at) DO UPDATE
		SET last_at = greatest(r.last_at, excluded.last_at), shown = r.shown + excluded.shown;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."count_in_ranges"() IS 'Keeps custody.transaction_ranges with every change of custody.transactions.';
--> statement-breakpoint
CREATE TRIGGER "count_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "internal"."count_in_ranges"();
--> statement-breakpoint
CREATE TRIGGER "count_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."count_in_ranges"();
--> statement-breakpoint
-- By what a search finds a transaction: the beginnings of its identifier, hash and addresses, and the words of its memo and note. Names
-- and identifiers of vaults and destinations are found by other indexes, because a term that every transaction has costs each of them.
-- Texts come from outside and may be longer than an index entry can be, so each is cut. What would join words into one term of the
-- parser, or make it take them for markup, is a space instead. All functions are immutable, so that PostgreSQL inlines it.
CREATE FUNCTION "custody"."search_terms"(
	"transaction_id" text, "txn_hash" text, "source_address" text, "destination_address" text, "destination_memo" text, "note" text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN array_to_tsvector(array_remove(array_remove(ARRAY[
			lower(left("transaction_id", 24)), lower(left("txn_hash", 24)), lower(left("source_address", 24)), lower(left("destination_address", 24))
		], ''), NULL))
		|| CASE WHEN coalesce("destination_memo", '') || coalesce("note", '') = '' THEN ''::tsvector
			ELSE to_tsvector('pg_catalog.simple', translate(
				left(coalesce("destination_memo", ''), 200) || ' ' || left(coalesce("note", ''), 2000), '-/._@<>&', '        ')) END;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."search_terms"(text, text, text, text, text, text) IS 'By what a search finds a transaction: the first 24 characters of its identifier, hash and addresses, and the words of its memo and note, in lower case.';
--> statement-breakpoint
CREATE INDEX "transactions_search_idx" ON "custody"."transactions" USING gin (custody.search_terms("transaction_id", "txn_hash", "source_address", "destination_address", "destination_memo", "note"));
--> statement-breakpoint
-- The counted fields of a transaction as they were known: one row per content, from when it was first seen until the next one was.
-- A content is the present row in which every field that changed later has its earlier value.
CREATE VIEW "internal"."transaction_contents" AS
SELECT t.account_id, t.transaction_id, b.known_from, b.known_until,
	CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
	CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
	CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
	CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
	CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
	CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
	CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
FROM custody.transactions t
CROSS JOIN LATERAL (
	SELECT c.known_from, lead(c.known_from) OVER (ORDER BY c.known_from) AS known_until
	FROM (
		SELECT t.first_seen_at AS known_from
		UNION
		SELECT r.observed_at FROM custody.transaction_revisions r
		WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.changed_fields && ARRAY['transaction_type', 'asset_id', 'asset_name', 'network_id', 'amount', 'fee', 'missing_since']
	) AS c
) AS b
-- The earlier value of a field is in the first later revision that changed it.
LEFT JOIN LATERAL (
	SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
		SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
		FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
		WHERE b.known_until IS NOT NULL AND r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.observed_at > b.known_from
		ORDER BY f.field, r.revision
	) AS e
) AS p ON true;
--> statement-breakpoint
COMMENT ON VIEW "internal"."transaction_contents" IS 'The counted fields of each transaction as they were known: one row per content, with the time span in which the mirror held it to be true.';
COMMENT ON COLUMN "internal"."transaction_contents"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_from" IS 'When the mirror first saw this content.';
COMMENT ON COLUMN "internal"."transaction_contents"."known_until" IS 'When it first saw another content; null for what is known now.';
COMMENT ON COLUMN "internal"."transaction_contents"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."transaction_contents"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."transaction_contents"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."transaction_contents"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."missing_since" IS 'Since when the service no longer showed it; null while it showed it.';
--> statement-breakpoint
-- The ranges as they are made at once. Those that the triggers make begin elsewhere, and count the same.
CREATE VIEW "internal"."transaction_ranges_anew" AS
SELECT t.account_id, CASE WHEN t.range = 0 THEN '-infinity' ELSE min(t.first_seen_at) END AS begins_at,
	max(t.first_seen_at) AS last_at, count(*) AS shown
FROM (
	SELECT account_id, first_seen_at, (rank() OVER (PARTITION BY account_id ORDER BY first_seen_at) - 1) / 10000 AS range
	FROM custody.transactions
	WHERE missing_since IS NULL
) AS t
GROUP BY t.account_id, t.range;
--> statement-breakpoint
COMMENT ON VIEW "internal"."transaction_ranges_anew" IS 'Ranges of the transactions that the service shows, to fill an empty custody.transaction_ranges with.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."begins_at" IS 'The range holds those first seen from then on, up to where the next one begins. That of the first one is -infinity.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."last_at" IS 'When the last one in it was first seen.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."shown" IS 'How many it holds, without those that the service no longer shows.';
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
-- OFFSET 0 makes the planner look up each row by index; without it, it reads both tables whole for one month.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN LATERAL (
	SELECT q.sequence, q.to_status, q.observed_at, q.observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence = h.sequence + 1 OFFSET 0
) AS next ON true;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_timeline" IS 'Every observed status of a transaction, one row each. The service announces no changes: a status began and ended between two readings, so that each of these times has an earlier bound beside it.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."status" IS 'The status.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."previous_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."next_status" IS 'Status after; null while the status lasts.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_at" IS 'When the status was first seen.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_after" IS 'A moment at which the transaction was certainly not in this status yet; null when none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_bound" IS 'What entered_at is: between two readings (the change happened after entered_after and before entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_at" IS 'When the next status was first seen; null while the status lasts.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_after" IS 'A moment at which the transaction was certainly still in this status; null when none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_bound" IS 'What left_at is: between two readings, or still when the status lasts.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."duration" IS 'From entered_at to left_at, or until now.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."shortest_duration" IS 'How long the status lasted at least, by the readings; while it lasts, until now. 0 when the readings prove nothing.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."longest_duration" IS 'How long the status lasted at most; null when its beginning is unknown.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."is_current" IS 'The status lasts.';
--> statement-breakpoint
-- internal.settlements as known at every moment: a row holds from when it was known until something else was known. A new row begins
-- when the status was left and entered again, when a counted field was corrected, and when the transaction vanished or came back.
CREATE VIEW "reporting"."settlement_history" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at,
	greatest(s.known_from, v.known_from) AS known_from, least(s.known_until, v.known_until) AS known_until, v.transaction_type,
	v.asset_id, v.asset_name, v.network_id, trim_scale(v.amount) AS amount, trim_scale(v.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
CROSS JOIN LATERAL (
	SELECT q.observed_at AS known_from, next.observed_at AS known_until
	FROM custody.transaction_status_history q
	LEFT JOIN custody.transaction_status_history next
		ON next.account_id = q.account_id AND next.transaction_id = q.transaction_id AND next.sequence = q.sequence + 1
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence >= h.sequence
		AND q.to_status = h.to_status OFFSET 0
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND (s.known_until IS NULL OR c.known_from < s.known_until) AND (c.known_until IS NULL OR c.known_until > s.known_from) OFFSET 0
) AS v
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known about each settled transaction, and when: the rows behind flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections. A row without known_until is what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The final status it was in: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status. It counts on that day.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_from" IS 'From when the mirror held this to be true.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_until" IS 'Until when the mirror held this to be true; null for what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."settlement_history"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as known then, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as known then, in units of fee_asset_id. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'As known then: since when the service no longer showed it; null while it showed it.';
--> statement-breakpoint
-- Settled transactions as known now, each at the moment at which its present final status was first seen, except those that had that
-- status before the mirror began. The history is read first, so that a day reads only its own rows.
CREATE VIEW "internal"."settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, t.transaction_type,
	t.asset_id, t.asset_name, t.network_id, t.amount, t.fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, t.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index; without it, it reads both tables whole for one month.
CROSS JOIN LATERAL (
	SELECT q.status, q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee, q.missing_since
	FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND t.status = h.to_status
	AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "internal"."settlements" IS 'Settled transactions as known now, for the daily reports: one row each, with the moment at which the present final status was first seen.';
COMMENT ON COLUMN "internal"."settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."settlements"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."settlements"."status" IS 'The final status.';
COMMENT ON COLUMN "internal"."settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."settlements"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "internal"."settlements"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."settlements"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."settlements"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."settlements"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for it, and the asset of the transaction is assumed.';
COMMENT ON COLUMN "internal"."settlements"."missing_since" IS 'Since when the service no longer shows it; null while it shows it.';
--> statement-breakpoint
CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status,
	-- Null for a vanished transaction. In this form a filter on is_open uses the index of open transactions.
	NOT reporting.is_settled(t.status) AND (t.missing_since IS NULL OR NULL) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed,
	nullif(p.own_id, '') AS vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND s.seen THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN CASE WHEN t.missing_since IS NULL THEN now() - t.first_seen_at END
		WHEN s.seen THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since, t.changed_at
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- A rule for the type wins over a rule for every type.
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = t.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = t.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
-- The own side is the vault that money enters or leaves; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in,
		-- seen: the mirror saw the present status begin, also where the first sweep saw another one before.
		t.status_changed_at > a.transactions_since OR t.status_changed_at > t.first_seen_at AS seen
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
COMMENT ON VIEW "reporting"."transactions" IS 'Transactions as last observed, one row each, with names of vaults and counterparties. Those that the service no longer shows are included: see missing_since.';
COMMENT ON COLUMN "reporting"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."transactions"."is_open" IS 'True while the status is not final (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its fate is unknown.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves. From the transaction itself, so that it is set even when vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."vault_name" IS 'Name of the own vault: from the transaction, else its present name.';
COMMENT ON COLUMN "reporting"."transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_type" IS 'Type of the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_id" IS 'Identifier of the other side; null when the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."transactions"."source_type" IS 'Where it came from: vault, external, whitelist or network.';
COMMENT ON COLUMN "reporting"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "reporting"."transactions"."destination_type" IS 'Where it went: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it appeared between this and first_seen_at. Null when unknown, as for what existed before the mirror.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."transactions"."status_since" IS 'When the mirror first saw the present status. The change itself happened between the reading before and this moment.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror last saw it become settled; null while open, and for transactions settled before the mirror began.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since it was first seen; then the time from first sighting to settlement. Null for transactions settled before the mirror began, and for those that vanished while open.';
COMMENT ON COLUMN "reporting"."transactions"."is_older_than_mirror" IS 'It existed before the mirror, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."transactions"."missing_since" IS 'Since when the service no longer shows it; null while it shows it.';
COMMENT ON COLUMN "reporting"."transactions"."changed_at" IS 'When the mirror last saw anything of it change, or saw it first.';
--> statement-breakpoint
-- A transaction as it was known at a moment: the present row, in which every field that changed later has its earlier value.
CREATE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status) AND (w.missing_since IS NULL OR NULL),
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
	-- The earlier value of a field is in the first later revision that changed it.
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
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transactions_at"(timestamptz) IS 'The transactions as they were known at a moment, one row each: the present rows, with every later change undone.';
--> statement-breakpoint
CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
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
	t.is_older_than_mirror
FROM reporting.transactions t
WHERE t.is_open;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each, and since when. Those that it no longer shows are in vanished_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."open_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."open_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_name" IS 'Name of the own vault: from the transaction, else its present name.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_type" IS 'Type of the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."open_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."open_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."open_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."open_transactions"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."open_transactions"."status_since" IS 'When the mirror first saw the present status. The change itself happened between the reading before and this moment.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since it was first seen.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'The same in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'The age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
COMMENT ON COLUMN "reporting"."open_transactions"."is_older_than_mirror" IS 'It existed before the mirror, so that its beginning is unknown.';
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
COMMENT ON VIEW "reporting"."status_durations" IS 'How long transactions stayed in a status, by the month in which they left it. Stays that began before the mirror are left out. Durations are from sighting to sighting: they are no more exact than the schedule of readings.';
COMMENT ON COLUMN "reporting"."status_durations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."status_durations"."month" IS 'First day of the calendar month in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."status_durations"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."status_durations"."status" IS 'The status that was left.';
COMMENT ON COLUMN "reporting"."status_durations"."stays" IS 'How many stays ended in the month.';
COMMENT ON COLUMN "reporting"."status_durations"."shortest" IS 'Shortest stay.';
COMMENT ON COLUMN "reporting"."status_durations"."median" IS 'Median of the stays.';
COMMENT ON COLUMN "reporting"."status_durations"."p95" IS '95th percentile of the stays.';
COMMENT ON COLUMN "reporting"."status_durations"."mean" IS 'Mean of the stays.';
COMMENT ON COLUMN "reporting"."status_durations"."longest" IS 'Longest stay.';
--> statement-breakpoint
CREATE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount, o.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) AS settled,
		count(*) FILTER (WHERE s.status = 'completed') AS completed,
		count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
		count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
		count(*) FILTER (WHERE s.status = 'failed') AS failed,
		-- An unknown amount makes the sum unknown.
		CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
		CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
	GROUP BY s.transaction_type, s.asset_id, s.network_id
) AS o;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_outcomes_daily" IS 'How transactions ended, by day, type and asset, as known now: each counts once, on the day on which its present final status was first seen. Those that had that status before the mirror began are left out. For what was known earlier, see transaction_outcomes_daily_at.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."settled" IS 'Transactions settled on the day.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."rejected" IS 'Of these, rejected.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."cancelled" IS 'Of these, cancelled.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."failed" IS 'Of these, failed.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_share" IS 'Share of those rejected, cancelled or failed: 0 to 1.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."completed_amount" IS 'Sum of the amounts of those completed; null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_amount" IS 'Sum of the amounts of the others; null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- Like reporting.transaction_outcomes_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."transaction_outcomes_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, transaction_type text, asset_id text, asset_name text, network_id text, settled bigint,
	completed bigint, rejected bigint, cancelled bigint, failed bigint, unsuccessful_share numeric, completed_amount numeric,
	unsuccessful_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
		o.settled, o.completed, o.rejected, o.cancelled, o.failed,
		round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6),
		trim_scale(o.completed_amount), trim_scale(o.unsuccessful_amount), o.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) AS settled,
			count(*) FILTER (WHERE s.status = 'completed') AS completed,
			count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
			count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
			count(*) FILTER (WHERE s.status = 'failed') AS failed,
			-- An unknown amount makes the sum unknown.
			CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
			CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.transaction_type, s.asset_id, s.network_id
	) AS o;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as it was known at a moment.';
--> statement-breakpoint
-- Transactions that the service no longer shows: it is unknown whether they are open or settled.
CREATE VIEW "reporting"."vanished_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vanished_transactions" IS 'Transactions that the service no longer shows, one row each, as last seen: two verified sweeps in a row did not meet them, and the service does not know their identifiers.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."missing_since" IS 'Since when the service no longer shows it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."was_open" IS 'It was not settled when it was last seen: its fate is unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type: by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves. From the transaction itself, so that it is set even when vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_name" IS 'Name of the own vault: from the transaction, else its present name.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_type" IS 'Type of the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service sends none, as for external sources.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it appeared between this and first_seen_at. Null when unknown, as for what existed before the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status_since" IS 'When the mirror first saw the present status. The change itself happened between the reading before and this moment.';
