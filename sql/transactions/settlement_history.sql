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

COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known about each settled transaction, and when: the rows behind flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections. A row without known_until is what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The final status it was in: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status. It counts on that day.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_from" IS 'From when the mirror held this to be true.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_until" IS 'Until when the mirror held this to be true; null for what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as known then, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as known then, in units of fee_asset_id. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'As known then: since when the service no longer showed it; null while it showed it.';
