COMMENT ON TABLE "custody"."former_time_zones" IS 'Time zones that accounts had before the present one, which is in custody.accounts. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_from" IS 'Since when it held; -infinity for the first.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_to" IS 'Until when it held: from then on the next one did.';
COMMENT ON COLUMN "custody"."former_time_zones"."time_zone" IS 'Name of the zone (IANA).';
