-- Days and months in the account's time zone. Reports start from them and look up the facts of each day by index, so that a filter on
-- the day reads only the rows of that day.
CREATE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month,
	reporting.day_starts_at(d.local, a.time_zone) AS starts_at,
	reporting.day_starts_at(d.local + interval '1 day', a.time_zone) AS ends_at,
	a.time_zone
FROM custody.accounts a
CROSS JOIN LATERAL generate_series(
	date_trunc('day', a.first_seen_at AT TIME ZONE a.time_zone),
	date_trunc('day', now() AT TIME ZONE a.time_zone),
	interval '1 day'
) AS d (local);

COMMENT ON VIEW "reporting"."calendar" IS 'Calendar days of each account, from the day the mirror began until today, in the time zone of the account.';
COMMENT ON COLUMN "reporting"."calendar"."month" IS 'First day of the calendar month in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. A day on which the clocks change does not have 24 hours.';
COMMENT ON COLUMN "reporting"."calendar"."ends_at" IS 'First moment of the next day.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account, from SCHEDULE_TIMEZONE.';
