-- Every time zone of an account with the period in which it held: former ones and the current one.
CREATE VIEW "internal"."time_zones" AS
SELECT account_id, valid_from, valid_to, time_zone FROM custody.former_time_zones
UNION ALL
SELECT a.account_id, coalesce((SELECT max(f.valid_to) FROM custody.former_time_zones f WHERE f.account_id = a.account_id), '-infinity'),
	'infinity', a.time_zone
FROM custody.accounts a;

COMMENT ON VIEW "internal"."time_zones" IS 'Time zones of each account, from which reporting.calendar computes days.';
COMMENT ON COLUMN "internal"."time_zones"."valid_from" IS 'When it took effect; -infinity for the first.';
COMMENT ON COLUMN "internal"."time_zones"."valid_to" IS 'When it was replaced; infinity for the current one.';
COMMENT ON COLUMN "internal"."time_zones"."time_zone" IS 'Name of the time zone (IANA).';
