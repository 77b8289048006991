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
-- OFFSET 0 makes the planner look up each row by index; without it, one month reads both tables whole.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN LATERAL (
	SELECT q.sequence, q.to_status, q.observed_at, q.observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence = h.sequence + 1 OFFSET 0
) AS next ON true;

COMMENT ON VIEW "reporting"."transaction_timeline" IS 'Every observed status of a transaction, one row each. The service announces no changes: a status begins and ends between two readings, so each of these times comes with an earlier bound.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting).';
COMMENT ON COLUMN "reporting"."transaction_timeline"."status" IS 'The observed status.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."previous_status" IS 'Previous status; null at the first sighting.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."next_status" IS 'Next status; null for the current one.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_at" IS 'When the status was first seen.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_after" IS 'A moment at which the transaction was certainly not in this status yet; null if none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."entered_bound" IS 'Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_at" IS 'When the next status was first seen; null for the current one.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_after" IS 'A moment at which the transaction was certainly still in this status; null if none is known.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."left_bound" IS 'Meaning of left_at: between two readings, or still for the current status.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."duration" IS 'From entered_at to left_at, or to now.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."shortest_duration" IS 'Lower bound of the duration, by the readings; for the current status, until now. 0 if the readings prove nothing.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."longest_duration" IS 'Upper bound of the duration; null if the beginning is unknown.';
COMMENT ON COLUMN "reporting"."transaction_timeline"."is_current" IS 'True for the current status.';
