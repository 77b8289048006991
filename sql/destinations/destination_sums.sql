-- The expected content of internal.destination_totals. For one destination it reads the withdrawals by index.
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

COMMENT ON VIEW "internal"."destination_sums" IS 'Expected content of internal.destination_totals, computed from the transactions.';
COMMENT ON COLUMN "internal"."destination_sums"."completed_amount" IS 'Sum of the known amounts of the completed ones, in units of the asset.';
COMMENT ON COLUMN "internal"."destination_sums"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."first_transaction_id" IS 'The first of them; the lowest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "internal"."destination_sums"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_sums"."last_transaction_id" IS 'The last of them; the highest identifier if several were first seen at the same moment.';
