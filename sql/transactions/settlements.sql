-- Settled transactions as known now, each at the moment at which its current settled status was first seen, except those that had that
-- status before the mirror began. The history is read first, so that a day reads only its own rows.
CREATE VIEW "internal"."settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, t.transaction_type,
	t.asset_id, t.asset_name, t.network_id, t.amount, t.fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, t.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index; without it, one month reads both tables whole.
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

COMMENT ON VIEW "internal"."settlements" IS 'Settled transactions as known now, for the daily reports: one row each, with the moment at which the current settled status was first seen.';
COMMENT ON COLUMN "internal"."settlements"."status" IS 'The settled status.';
COMMENT ON COLUMN "internal"."settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."settlements"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."settlements"."fee" IS 'Fee; null if the service sent none.';
