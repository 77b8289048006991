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

COMMENT ON VIEW "reporting"."status_durations" IS 'How long transactions stayed in a status, by the month in which they left it. Stays that began before the mirror are left out. Durations run from sighting to sighting and are no more exact than the schedule of readings.';
COMMENT ON COLUMN "reporting"."status_durations"."status" IS 'The status left.';
COMMENT ON COLUMN "reporting"."status_durations"."stays" IS 'Number of stays that ended in the month.';
COMMENT ON COLUMN "reporting"."status_durations"."shortest" IS 'Shortest stay.';
COMMENT ON COLUMN "reporting"."status_durations"."median" IS 'Median stay, interpolated between the two middle ones.';
COMMENT ON COLUMN "reporting"."status_durations"."p95" IS '95th percentile of the stays, interpolated.';
COMMENT ON COLUMN "reporting"."status_durations"."mean" IS 'Mean stay.';
COMMENT ON COLUMN "reporting"."status_durations"."longest" IS 'Longest stay.';
