-- Days and months of the account. Reports start from them and look up the facts of each day by index, so that a filter on the day reads
-- only the rows of that day. A day begins when the clock of the account, in the zone set then, first shows its date: a change of the
-- zone moves no past beginning, and days have neither gap nor overlap.
CREATE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month, s.at AS starts_at, e.at AS ends_at,
	(SELECT u.zone FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until) WHERE u.since < e.at AND u.until >= e.at) AS time_zone
FROM custody.accounts a
-- The zones as arrays, read once; and the last dates that the clock had shown when the mirror began, and now.
CROSS JOIN LATERAL (
	SELECT array_agg(t.time_zone) AS zones, array_agg(t.valid_from) AS since, array_agg(t.valid_to) AS until,
		max(date_trunc('day', least(a.first_seen_at, t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= a.first_seen_at) AS first,
		max(date_trunc('day', least(now(), t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= now()) AS last
	FROM internal.time_zones t WHERE t.account_id = a.account_id
) AS z
CROSS JOIN LATERAL generate_series(z.first, z.last, interval '1 day') AS d (local)
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local, u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local, u.zone) <= u.until
) AS s
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local + interval '1 day', u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local + interval '1 day', u.zone) <= u.until
) AS e;

COMMENT ON VIEW "reporting"."calendar" IS 'Calendar days of each account, from the day the mirror began until today, in the time zone set then. A change of the time zone moves no past day; the day of the change is longer or shorter, and a day that the change skips is empty.';
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. A day on which the clocks or the time zone change does not last 24 hours.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.';
