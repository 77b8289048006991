-- Identifies a destination by a digest, because the texts come from outside and may be longer than an index entry can be.
-- The texts are quoted before they are joined, so that different lists never give the same text. All functions are immutable, so that
-- PostgreSQL inlines it. sha256 also exists on servers without md5.
CREATE FUNCTION "custody"."destination_key"(
	"destination_type" text, "destination_id" text, "destination_address" text, "asset_id" text, "network_id" text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN sha256(decode(replace(
		quote_nullable("destination_type") || ',' || quote_nullable("destination_id") || ',' || quote_nullable("destination_address")
			|| ',' || quote_nullable("asset_id") || ',' || quote_nullable("network_id"),
		'\', '\\'), 'escape'));
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."destination_key"(text, text, text, text, text) IS 'Digest of a destination and an asset: type, identifier and address of the destination, identifier and network of the asset.';
--> statement-breakpoint
CREATE INDEX "transactions_destination_idx" ON "custody"."transactions" USING btree ("account_id",custody.destination_key("destination_type", "destination_id", "destination_address", "asset_id", "network_id"),"first_seen_at") WHERE "custody"."transactions"."transaction_type" = 'withdraw';
--> statement-breakpoint
-- What internal.destination_totals must hold. For one destination it reads its withdrawals by index.
CREATE VIEW "internal"."destination_sums" AS
SELECT t.account_id,
	custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) AS destination_key,
	count(*) AS uses, count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
	coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
	count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL) AS unknown_amounts,
	count(t.missing_since) AS missing_uses,
	count(*) FILTER (WHERE t.first_seen_after IS NULL) AS unbounded_uses, min(t.first_seen_after) AS bounded_after,
	min(t.first_seen_at) AS first_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1] AS first_transaction_id,
	max(t.first_seen_at) AS last_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1] AS last_transaction_id
FROM custody.transactions t
WHERE t.transaction_type = 'withdraw'
GROUP BY 1, 2;
--> statement-breakpoint
COMMENT ON VIEW "internal"."destination_sums" IS 'What internal.destination_totals must hold, computed from the transactions.';
COMMENT ON COLUMN "internal"."destination_sums"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_sums"."destination_key" IS 'Identifies destination and asset: see custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_sums"."uses" IS 'Withdrawals to it, whatever their status.';
COMMENT ON COLUMN "internal"."destination_sums"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "internal"."destination_sums"."completed_amount" IS 'Sum of the known amounts of those completed, in units of the asset.';
COMMENT ON COLUMN "internal"."destination_sums"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "internal"."destination_sums"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "internal"."destination_sums"."unbounded_uses" IS 'How many of them have no lower bound: they may have been made at any time before they were first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."bounded_after" IS 'The earliest lower bound of the others; null when there is none.';
COMMENT ON COLUMN "internal"."destination_sums"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "internal"."destination_sums"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
-- Each listed state of an entry, with what the readings prove: it had not begun at `possible_after`; it was seen from `listed_from` to
-- the last whole reading before the next change; it had ended at `possible_until`. If the next state is listed for the same asset and
-- network (and, for the address, has the same address), the listing did not end in between.
CREATE VIEW "internal"."whitelist_periods" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.address, r.asset_id, r.network_id,
	r.observed_after AS possible_after, r.observed_at AS listed_from,
	CASE WHEN s.same_entry THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS entry_until,
	CASE WHEN s.same_address THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS address_until,
	next.observed_at AS possible_until
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
CROSS JOIN LATERAL (
	SELECT next.change <> 'removed' AND next.asset_id IS NOT DISTINCT FROM r.asset_id
		AND next.network_id IS NOT DISTINCT FROM r.network_id AS same_entry
) AS e
CROSS JOIN LATERAL (
	SELECT e.same_entry, e.same_entry
		AND reporting.address_key(next.address) IS NOT DISTINCT FROM reporting.address_key(r.address) AS same_address
) AS s
WHERE r.kind = 'whitelist_entry' AND r.change <> 'removed';
--> statement-breakpoint
COMMENT ON VIEW "internal"."whitelist_periods" IS 'When the whitelist held an entry, as far as its readings prove it: one row per listed state.';
COMMENT ON COLUMN "internal"."whitelist_periods"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."revision" IS 'Number of the state within the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."asset_id" IS 'Asset the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."network_id" IS 'Network the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_after" IS 'When the state had certainly not begun yet; null when unknown.';
COMMENT ON COLUMN "internal"."whitelist_periods"."listed_from" IS 'When the state was first seen.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_until" IS 'Until when the entry was certainly listed for its asset and network; earlier than listed_from, or null, when no later reading shows it.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address_until" IS 'The same for its address.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_until" IS 'When the state had certainly ended; null while it lasts.';
--> statement-breakpoint
-- For each destination and asset that was ever paid: when the whitelist certainly held it, and when it certainly did not; at all other
-- times that is unknown. An entry counts for the asset and the network that it names. It is unknown whether it fits (fits is null) if
-- the transaction names none, or if two addresses differ only in case, in a form in which case may count.
-- OFFSET 0 makes the planner look up transactions and entries by index for each row.
CREATE VIEW "internal"."destination_listings" AS
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
COMMENT ON VIEW "internal"."destination_listings" IS 'Each destination and asset that was ever paid, with the time spans in which the whitelist certainly held it, and those in which it certainly did not.';
COMMENT ON COLUMN "internal"."destination_listings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_key" IS 'Identifies destination and asset: see custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_name" IS 'Name of the destination, from the last withdrawal to it.';
COMMENT ON COLUMN "internal"."destination_listings"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "internal"."destination_listings"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."destination_listings"."asset_name" IS 'Name of the asset, from the last withdrawal.';
COMMENT ON COLUMN "internal"."destination_listings"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."destination_listings"."first_read_at" IS 'When the whitelist was first read whole; null when it never was.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_after" IS 'When the last whole reading of it began.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_at" IS 'When its answer had arrived.';
COMMENT ON COLUMN "internal"."destination_listings"."listed" IS 'Time spans in which the whitelist certainly held the entry or the address for this asset and network.';
COMMENT ON COLUMN "internal"."destination_listings"."unlisted" IS 'Time spans in which it certainly held neither.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_elsewhere" IS 'Time spans in which it held one of them for another asset or network.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_unclear" IS 'Time spans in which it held one of them, but it is unknown whether for the asset and network of the transaction.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_now" IS 'Whether the last reading showed it; null when that is unknown.';
--> statement-breakpoint
-- Updates internal.destination_totals with every commit: adds new withdrawals, and the differences of changed ones. When a withdrawal
-- changes its type or destination, which is rare, the old and the new destination are summed up again.
CREATE FUNCTION "internal"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
			missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id),
			count(*), count(*) FILTER (WHERE t.status = 'completed'),
			coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
			count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
			count(t.missing_since), count(*) FILTER (WHERE t.first_seen_after IS NULL), min(t.first_seen_after),
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM added t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
		ON CONFLICT (account_id, destination_key) DO UPDATE SET
			uses = d.uses + excluded.uses,
			completed_uses = d.completed_uses + excluded.completed_uses,
			completed_amount = d.completed_amount + excluded.completed_amount,
			unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
			missing_uses = d.missing_uses + excluded.missing_uses,
			unbounded_uses = d.unbounded_uses + excluded.unbounded_uses,
			bounded_after = least(d.bounded_after, excluded.bounded_after),
			(first_used_at, first_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.first_used_at, d.first_transaction_id),
					(excluded.first_used_at, excluded.first_transaction_id)) AS u (at, id) ORDER BY u.at, u.id COLLATE "C" LIMIT 1),
			(last_used_at, last_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.last_used_at, d.last_transaction_id),
					(excluded.last_used_at, excluded.last_transaction_id)) AS u (at, id)
				ORDER BY u.at DESC, u.id COLLATE "C" DESC LIMIT 1);
		RETURN NULL;
	END IF;
	UPDATE internal.destination_totals AS d SET
		completed_uses = d.completed_uses + c.completed_uses,
		completed_amount = d.completed_amount + c.completed_amount,
		unknown_amounts = d.unknown_amounts + c.unknown_amounts,
		missing_uses = d.missing_uses + c.missing_uses
	FROM (
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
				AS destination_key,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
			coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
			coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses
		FROM (SELECT 1 AS sign, n.* FROM became n UNION ALL SELECT -1, o.* FROM was o) AS t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
	) AS c
	WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
		AND (c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
	WITH moved AS (
		SELECT DISTINCT k.account_id, k.destination_key
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		CROSS JOIN LATERAL (VALUES
			(o.account_id, o.transaction_type,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)),
			(n.account_id, n.transaction_type,
				custody.destination_key(n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id))
		) AS k (account_id, transaction_type, destination_key)
		WHERE k.transaction_type = 'withdraw' AND (o.transaction_type, o.destination_type, o.destination_id, o.destination_address,
				o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id)
	), removed AS (
		DELETE FROM internal.destination_totals d USING moved m
		WHERE d.account_id = m.account_id AND d.destination_key = m.destination_key
			AND NOT EXISTS (
				SELECT FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key
			)
	)
	INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
		missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
	SELECT s.* FROM moved m
	CROSS JOIN LATERAL (
		SELECT * FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key OFFSET 0
	) AS s
	ON CONFLICT (account_id, destination_key) DO UPDATE SET
		uses = excluded.uses, completed_uses = excluded.completed_uses, completed_amount = excluded.completed_amount,
		unknown_amounts = excluded.unknown_amounts, missing_uses = excluded.missing_uses, unbounded_uses = excluded.unbounded_uses,
		bounded_after = excluded.bounded_after, first_used_at = excluded.first_used_at,
		first_transaction_id = excluded.first_transaction_id, last_used_at = excluded.last_used_at,
		last_transaction_id = excluded.last_transaction_id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."sum_up_destinations"() IS 'Keeps internal.destination_totals with every change of custody.transactions.';
--> statement-breakpoint
CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
--> statement-breakpoint
CREATE TRIGGER "sum_up_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
--> statement-breakpoint
-- A withdrawal was made between two readings of the transactions. It was whitelisted, or not, if that is certain for all of that time.
CREATE VIEW "reporting"."destination_uses" AS
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
COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, and whether the whitelist held their destination when they were made, as far as the readings of both prove it.';
COMMENT ON COLUMN "reporting"."destination_uses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destination_uses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_after" IS 'A moment at which it certainly did not exist yet: it was made between this and first_seen_at. Null when unknown, as for what existed before the mirror.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_at" IS 'When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destination_uses"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_completed" IS 'The status is completed.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_type" IS 'Where it went: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_id" IS 'Identifier of the destination; the one of the whitelist entry when destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."destination_uses"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destination_uses"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null when that is unknown: see whitelist_reason. Never count null as true.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'The reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_before" IS 'Whether it was whitelisted at known_before_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_before_at" IS 'The last moment before the withdrawal for which that is certain; null when there is none.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_after" IS 'Whether it was whitelisted at known_after_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_after_at" IS 'The first moment after the withdrawal for which that is certain; null when there is none yet.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_older_than_mirror" IS 'It existed before the mirror, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."destination_uses"."missing_since" IS 'Since when the service no longer shows it; null while it shows it.';
--> statement-breakpoint
-- For most destinations all uses were listed, or none was: the sums are enough. For the others, the withdrawals are read by index.
CREATE VIEW "reporting"."destinations" AS
SELECT s.account_id, l.destination_type, l.destination_id, l.destination_name, l.destination_address,
	l.asset_id, l.asset_name, l.network_id, s.uses, s.completed_uses,
	CASE WHEN s.unknown_amounts = 0 THEN trim_scale(s.completed_amount) END AS completed_amount, s.missing_uses,
	CASE WHEN l.first_read_at IS NOT NULL THEN c.off_whitelist END AS off_whitelist_uses,
	CASE WHEN l.first_read_at IS NULL THEN s.uses ELSE c.unknown END AS unknown_whitelist_uses,
	s.first_used_at, s.first_transaction_id, s.last_used_at, s.last_transaction_id,
	CASE WHEN l.listed @> f.used THEN true WHEN l.unlisted @> f.used THEN false END AS whitelisted_at_first_use,
	l.listed_now AS whitelisted_now
FROM internal.destination_totals s
JOIN internal.destination_listings l ON l.account_id = s.account_id AND l.destination_key = s.destination_key
CROSS JOIN LATERAL (
	SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_id = s.first_transaction_id OFFSET 0
) AS f
CROSS JOIN LATERAL (
	SELECT s.uses - s.unbounded_uses AS bounded, tstzrange(s.bounded_after, s.last_used_at, '[]') AS used
) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN u.bounded = 0 OR l.listed @> u.used THEN 0 WHEN l.unlisted @> u.used THEN u.bounded END AS off_whitelist
) AS k
CROSS JOIN LATERAL (
	SELECT k.off_whitelist, s.unbounded_uses AS unknown WHERE k.off_whitelist IS NOT NULL
	UNION ALL
	SELECT count(*) FILTER (WHERE l.unlisted @> w.used), count(*) FILTER (WHERE NOT (l.listed @> w.used OR l.unlisted @> w.used))
	FROM custody.transactions t
	CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS w
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = s.destination_key
		AND k.off_whitelist IS NULL
	HAVING k.off_whitelist IS NULL
) AS c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destinations" IS 'Who was paid: withdrawals summed up by destination and asset, as of now. Every withdrawal counts as a use, at the time when the mirror first saw it, whatever its status.';
COMMENT ON COLUMN "reporting"."destinations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; the one of the whitelist entry when destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, from the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, from the last withdrawal.';
COMMENT ON COLUMN "reporting"."destinations"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destinations"."uses" IS 'Withdrawals to it, whatever their status.';
COMMENT ON COLUMN "reporting"."destinations"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, exact. Null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "reporting"."destinations"."off_whitelist_uses" IS 'Withdrawals that were certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (What is listed and removed between two readings stays unseen.) Null when the whitelist was never read. Uncertain ones are in unknown_whitelist_uses.';
COMMENT ON COLUMN "reporting"."destinations"."unknown_whitelist_uses" IS 'Withdrawals for which it is unknown whether the whitelist held their destination: destination_uses says why for each.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; of several first seen at the same moment, the greatest identifier.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether the whitelist held it when the first withdrawal was made; null when that is unknown.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the last reading of the whitelist showed it; null when that is unknown.';
