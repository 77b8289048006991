-- The counted fields of a transaction as they were known: one row per content, from its first sighting to that of the next.
-- A content is the current row with the earlier value of every field that changed later.
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

COMMENT ON VIEW "internal"."transaction_contents" IS 'The counted fields of each transaction as they were known: one row per content, with the period in which the mirror held it to be true.';
COMMENT ON COLUMN "internal"."transaction_contents"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."fee" IS 'Fee; null if the service sent none.';
COMMENT ON COLUMN "internal"."transaction_contents"."missing_since" IS 'When the service stopped showing it; null while it showed it.';
