-- Every time zone of an account with the span in which it held: the former ones, and the one that is set.
CREATE VIEW "internal"."time_zones" AS
SELECT account_id, valid_from, valid_to, time_zone FROM custody.former_time_zones
UNION ALL
SELECT a.account_id, coalesce((SELECT max(f.valid_to) FROM custody.former_time_zones f WHERE f.account_id = a.account_id), '-infinity'),
	'infinity', a.time_zone
FROM custody.accounts a;

COMMENT ON VIEW "internal"."time_zones" IS 'The time zones of each account: reporting.calendar makes days of them.';
COMMENT ON COLUMN "internal"."time_zones"."valid_from" IS 'Since when it held; -infinity for the first.';
COMMENT ON COLUMN "internal"."time_zones"."valid_to" IS 'Until when it held; infinity for the one that is set.';
COMMENT ON COLUMN "internal"."time_zones"."time_zone" IS 'Name of the zone.';
