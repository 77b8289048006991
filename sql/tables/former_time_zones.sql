COMMENT ON TABLE "custody"."former_time_zones" IS 'Earlier time zones of the accounts; custody.accounts holds the current ones. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_from" IS 'When it took effect; -infinity for the first.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_to" IS 'When it was replaced.';
COMMENT ON COLUMN "custody"."former_time_zones"."time_zone" IS 'Name of the time zone (IANA).';
