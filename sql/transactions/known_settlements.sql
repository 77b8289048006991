-- internal.settlements as known at every moment: a period begins when the status was left and entered again, when a counted field was
-- corrected, and when the transaction went missing or came back. It has one row for each fee rule known within it.
CREATE VIEW "internal"."known_settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, f.known_from, f.known_until,
	k.span_from, k.span_until, v.transaction_type, v.asset_id, v.asset_name, v.network_id, v.amount, v.fee,
	coalesce(f.asset_id, v.asset_id) AS fee_asset_id, f.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
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
CROSS JOIN LATERAL (
	SELECT greatest(s.known_from, v.known_from) AS span_from, least(s.known_until, v.known_until) AS span_until
) AS k
CROSS JOIN LATERAL (
	SELECT e.at AS known_from, lead(e.at, 1, k.span_until) OVER (ORDER BY e.at) AS known_until, e.asset_id
	FROM (
		SELECT c.at, r.asset_id, lag(r.asset_id) OVER (ORDER BY c.at) AS asset_before
		FROM (
			SELECT k.span_from AS at
			UNION
			SELECT m.at FROM internal.fee_rule_history q CROSS JOIN LATERAL (VALUES (q.known_from), (q.known_until)) AS m (at)
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id
				AND m.at > k.span_from AND (k.span_until IS NULL OR m.at < k.span_until)
		) AS c
		LEFT JOIN LATERAL (
			SELECT q.asset_id FROM internal.fee_rule_history q
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
				AND q.known_from <= c.at AND (q.known_until IS NULL OR q.known_until > c.at)
			ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
		) AS r ON true
	) AS e
	WHERE e.at = k.span_from OR e.asset_id IS DISTINCT FROM e.asset_before
) AS f
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));

COMMENT ON VIEW "internal"."known_settlements" IS 'What was known about each settled transaction, and when: the rows of reporting.settlement_history, which explains the columns.';
COMMENT ON COLUMN "internal"."known_settlements"."status" IS 'The settled status.';
COMMENT ON COLUMN "internal"."known_settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."known_settlements"."span_from" IS 'When the answer behind known_from arrived, whatever fee rules were known since.';
COMMENT ON COLUMN "internal"."known_settlements"."span_until" IS 'When the answer that ended it arrived; null while it holds.';
COMMENT ON COLUMN "internal"."known_settlements"."amount" IS 'Amount; null if the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee" IS 'Fee; null if the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_id" IS 'Asset in which the fee is paid, by the rule known then.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_is_assumed" IS 'True if there was no rule for the fee, so fee_asset_id is an assumption.';
COMMENT ON COLUMN "internal"."known_settlements"."missing_since" IS 'When the service stopped showing it; null while it showed it.';
