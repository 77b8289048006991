-- Reads every withdrawal of the account: sums that triggers keep would be wrong where none fired. For most destinations all uses were
-- listed, or none: the sums are enough. For the others, and for the first and the last use, withdrawals are read by index.
CREATE VIEW "reporting"."destinations" AS
SELECT s.account_id, s.destination_type, s.destination_id, m.destination_name, s.destination_address,
	s.asset_id, m.asset_name, s.network_id, s.uses, s.completed_uses,
	CASE WHEN s.unknown_amounts = 0 THEN trim_scale(s.completed_amount) END AS completed_amount, s.missing_uses,
	CASE WHEN l.first_read_at IS NOT NULL THEN c.non_whitelisted END AS non_whitelisted_uses,
	c.unknown AS unknown_whitelist_uses,
	s.first_used_at, f.transaction_id AS first_transaction_id, s.last_used_at, m.transaction_id AS last_transaction_id,
	CASE WHEN l.listed @> f.used THEN true WHEN l.unlisted @> f.used THEN false END AS whitelisted_at_first_use,
	l.listed_now AS whitelisted_now
FROM (
	SELECT t.account_id, t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id,
		count(*) AS uses, count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
		coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
		count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL) AS unknown_amounts,
		count(t.missing_since) AS missing_uses,
		count(*) FILTER (WHERE t.first_seen_after IS NULL) AS unbounded_uses, min(t.first_seen_after) AS bounded_after,
		min(t.first_seen_at) AS first_used_at, max(t.first_seen_at) AS last_used_at
	FROM custody.transactions t
	WHERE t.transaction_type = 'withdraw'
	GROUP BY 1, 2, 3, 4, 5, 6
) AS s
CROSS JOIN LATERAL (
	SELECT custody.destination_key(s.destination_type, s.destination_id, s.destination_address, s.asset_id, s.network_id)
		AS destination_key OFFSET 0
) AS k
CROSS JOIN LATERAL (
	SELECT t.transaction_id, tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at = s.first_used_at
		AND custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
			= k.destination_key
	ORDER BY t.transaction_id COLLATE "C" LIMIT 1
) AS f
CROSS JOIN LATERAL (
	SELECT t.transaction_id, t.destination_name, t.asset_name FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND t.first_seen_at = s.last_used_at
		AND custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
			= k.destination_key
	ORDER BY t.transaction_id COLLATE "C" DESC LIMIT 1
) AS m
CROSS JOIN LATERAL (
	SELECT l.* FROM internal.destination_listings l
	WHERE l.account_id = s.account_id AND l.transaction_id = m.transaction_id OFFSET 0
) AS l
CROSS JOIN LATERAL (
	SELECT s.uses - s.unbounded_uses AS bounded, tstzrange(s.bounded_after, s.last_used_at, '[]') AS used
) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN u.bounded = 0 OR l.listed @> u.used THEN 0 WHEN l.unlisted @> u.used THEN u.bounded END AS non_whitelisted
) AS n
CROSS JOIN LATERAL (
	SELECT n.non_whitelisted, s.unbounded_uses AS unknown WHERE n.non_whitelisted IS NOT NULL
	UNION ALL
	SELECT count(*) FILTER (WHERE l.unlisted @> w.used), count(*) FILTER (WHERE NOT (l.listed @> w.used OR l.unlisted @> w.used))
	FROM custody.transactions t
	CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS w
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
		AND n.non_whitelisted IS NULL
	HAVING n.non_whitelisted IS NULL
) AS c;

COMMENT ON VIEW "reporting"."destinations" IS 'Payees: withdrawals summed up by destination and asset, as of now. Every withdrawal counts as a use from when the mirror first saw it, whatever its status.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; of the whitelist entry if destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, from the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, from the last withdrawal.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."non_whitelisted_uses" IS 'Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses.';
COMMENT ON COLUMN "reporting"."destinations"."unknown_whitelist_uses" IS 'Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it; for withdrawals older than the mirror, the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; the lowest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; the highest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether it was whitelisted when the first withdrawal was made; null if unknown.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the last reading of the whitelist showed it; null if unknown.';
