-- The totals as the maintenance left them, and what changed since: always as of now. Each part is looked up by index, however
-- little the planner knows of how few rows lie beyond the position: hence the ranges with an upper bound and the laterals.
CREATE VIEW "reporting"."destinations" AS
WITH mark AS (
	SELECT a.account_id, coalesce((p.position ->> 'status_changes')::bigint, 0) AS changes,
		coalesce((p.position ->> 'revisions')::bigint, 0) AS revisions, 9223372036854775807 AS end_of_numbers
	FROM custody.accounts a
	LEFT JOIN sync.positions p ON p.account_id = a.account_id AND p.job = 'destination-totals'
),
-- Where a withdrawal that was summed up has changed in what identifies it or in its amount, the totals it was in and the ones
-- it belongs in are wrong until the next maintenance: they are made anew.
moved AS MATERIALIZED (
	SELECT DISTINCT m.account_id, k.destination_key
	FROM mark m
	CROSS JOIN LATERAL (
		SELECT e.transaction_id, jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (r.transaction_id, f.field) r.transaction_id, f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE m.changes > 0 AND r.account_id = m.account_id AND r.change_id > m.revisions AND r.change_id <= m.end_of_numbers
				AND r.changed_fields && ARRAY['transaction_type', 'destination_type', 'destination_id', 'destination_address',
					'asset_id', 'network_id', 'amount']
				AND (SELECT h.change_id FROM custody.transaction_status_history h
					WHERE h.account_id = r.account_id AND h.transaction_id = r.transaction_id AND h.sequence = 1) <= m.changes
			ORDER BY r.transaction_id, f.field, r.revision
		) AS e
		GROUP BY e.transaction_id
	) AS p
	CROSS JOIN LATERAL (
		SELECT t.* FROM custody.transactions t
		WHERE t.account_id = m.account_id AND t.transaction_id = p.transaction_id OFFSET 0
	) AS t
	CROSS JOIN LATERAL (
		SELECT t.transaction_type, custody.destination_key(t.destination_type, t.destination_id, t.destination_address,
			t.asset_id, t.network_id) AS destination_key
		UNION ALL
		SELECT CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END,
			custody.destination_key(
				CASE WHEN p.before ? 'destination_type' THEN p.before ->> 'destination_type' ELSE t.destination_type END,
				CASE WHEN p.before ? 'destination_id' THEN p.before ->> 'destination_id' ELSE t.destination_id END,
				CASE WHEN p.before ? 'destination_address' THEN p.before ->> 'destination_address' ELSE t.destination_address END,
				CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END,
				CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END)
	) AS k
	WHERE k.transaction_type = 'withdraw'
),
part AS (
	SELECT d.account_id, d.destination_key, d.uses, d.completed_uses, d.completed_amount, d.unknown_amounts,
		d.first_used_at, d.first_transaction_id, d.last_used_at, d.last_transaction_id
	FROM internal.destination_totals d
	WHERE NOT EXISTS (SELECT FROM moved v WHERE v.account_id = d.account_id AND v.destination_key = d.destination_key)
	UNION ALL
	SELECT m.account_id, s.*
	FROM mark m
	CROSS JOIN LATERAL (
		SELECT k.destination_key, count(*) FILTER (WHERE h.sequence = 1) AS uses, sum(c.completed)::bigint,
			coalesce(sum(c.completed * t.amount), 0), coalesce(sum(c.completed) FILTER (WHERE t.amount IS NULL), 0)::bigint,
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM custody.transaction_status_history h
		-- The type is asked for outside: inside, it would make an index that holds withdrawals alone look as good as the key.
		CROSS JOIN LATERAL (
			SELECT t.* FROM custody.transactions t
			WHERE t.account_id = h.account_id AND t.transaction_id = h.transaction_id OFFSET 0
		) AS t
		CROSS JOIN LATERAL (
			SELECT custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
				AS destination_key
		) AS k
		CROSS JOIN LATERAL (
			SELECT (h.to_status = 'completed')::int - coalesce(h.from_status = 'completed', false)::int AS completed
		) AS c
		WHERE h.account_id = m.account_id AND h.change_id > m.changes AND h.change_id <= m.end_of_numbers
			AND t.transaction_type = 'withdraw'
		GROUP BY k.destination_key
	) AS s
	WHERE NOT EXISTS (SELECT FROM moved v WHERE v.account_id = m.account_id AND v.destination_key = s.destination_key)
	UNION ALL
	SELECT v.account_id, v.destination_key, s.*
	FROM moved v
	CROSS JOIN LATERAL (
		SELECT count(*), count(*) FILTER (WHERE t.status = 'completed'),
			coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
			count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM custody.transactions t
		WHERE t.account_id = v.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = v.destination_key
		HAVING count(*) > 0
	) AS s
),
total AS (
	SELECT p.account_id, p.destination_key, sum(p.uses)::bigint AS uses, sum(p.completed_uses)::bigint AS completed_uses,
		CASE WHEN sum(p.unknown_amounts) = 0 THEN sum(p.completed_amount) END AS completed_amount,
		min(p.first_used_at) AS first_used_at,
		(array_agg(p.first_transaction_id ORDER BY p.first_used_at, p.first_transaction_id COLLATE "C"))[1] AS first_transaction_id,
		max(p.last_used_at) AS last_used_at,
		(array_agg(p.last_transaction_id ORDER BY p.last_used_at DESC, p.last_transaction_id COLLATE "C" DESC))[1] AS last_transaction_id
	FROM part p
	GROUP BY p.account_id, p.destination_key
),
entry AS MATERIALIZED (SELECT account_id, value, listed FROM internal.whitelist_periods WHERE kind = 'entry'),
address AS MATERIALIZED (SELECT account_id, value, listed FROM internal.whitelist_periods WHERE kind = 'address'),
observed AS MATERIALIZED (
	SELECT a.account_id,
		EXISTS (SELECT FROM custody.document_revisions r WHERE r.account_id = a.account_id AND r.kind = 'whitelist_entry')
			OR EXISTS (SELECT FROM sync.runs r WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.verified)
			AS whitelist
	FROM custody.accounts a
)
SELECT s.account_id, t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, s.uses, s.completed_uses, trim_scale(s.completed_amount) AS completed_amount,
	CASE
		WHEN NOT o.whitelist_observed THEN NULL
		WHEN w.listed @> w.used THEN 0
		WHEN NOT w.listed && w.used THEN s.uses
		ELSE (
			SELECT count(*) FROM custody.transactions u
			WHERE u.account_id = s.account_id AND u.transaction_type = 'withdraw' AND custody.destination_key(
					u.destination_type, u.destination_id, u.destination_address, u.asset_id, u.network_id) = s.destination_key
				AND NOT w.listed @> u.first_seen_at
		)
	END AS off_whitelist_uses,
	s.first_used_at, s.first_transaction_id, s.last_used_at, s.last_transaction_id,
	CASE WHEN o.whitelist_observed THEN w.listed @> s.first_used_at END AS whitelisted_at_first_use,
	CASE WHEN o.whitelist_observed THEN upper_inf(w.listed) END AS whitelisted_now
FROM total s
CROSS JOIN LATERAL (SELECT (SELECT b.whitelist FROM observed b WHERE b.account_id = s.account_id) AS whitelist_observed) AS o
CROSS JOIN LATERAL (
	SELECT t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.asset_id, t.asset_name, t.network_id
	FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_id = s.last_transaction_id OFFSET 0
) AS t
LEFT JOIN entry e ON e.account_id = s.account_id AND e.value = t.destination_id AND t.destination_type = 'whitelist'
LEFT JOIN address d ON d.account_id = s.account_id AND d.value = t.destination_address
CROSS JOIN LATERAL (
	SELECT coalesce(e.listed, '{}') + coalesce(d.listed, '{}') AS listed, tstzrange(s.first_used_at, s.last_used_at, '[]') AS used
) AS w;

COMMENT ON VIEW "reporting"."destinations" IS 'Who was paid: withdrawals summed up by destination and asset, always as of now. A withdrawal counts as used when the mirror first saw it, whatever became of it.';
COMMENT ON COLUMN "reporting"."destinations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; that of the whitelist entry where destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, as the last withdrawal to it tells it.';
COMMENT ON COLUMN "reporting"."destinations"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, as the last withdrawal tells it.';
COMMENT ON COLUMN "reporting"."destinations"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destinations"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "reporting"."destinations"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, exact. Null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."off_whitelist_uses" IS 'Withdrawals that were first seen while the whitelist held neither the entry nor the address. Null when the whitelist was never observed.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; of several first seen at the same moment, the greatest identifier.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether the whitelist held the entry or the address when the first withdrawal was first seen. What was listed at the first observation of the whitelist counts as listed since ever. Null when the whitelist was never observed.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the whitelist holds the entry or the address now. Null when the whitelist was never observed.';
