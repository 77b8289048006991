COMMENT ON TABLE "custody"."accounts" IS 'Mirrored accounts of the custody service, one row each.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service that the account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin: SCHEDULE_TIMEZONE of the daemon that last began to write, or of a `sync` that was given one. It takes effect when set; custody.former_time_zones keeps earlier ones.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'Transactions first seen up to this time may be of any age; later ones are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if later; for an empty list, the second sweep that found it empty. Null until then, and never changed.';
COMMENT ON COLUMN "custody"."accounts"."transactions_total" IS 'Number of mirrored transactions, missing ones included. Updated with every commit.';
COMMENT ON COLUMN "custody"."accounts"."transactions_missing" IS 'Number of those that are missing from the service (missing_since). Updated with every commit.';

-- PostgreSQL does not analyse small tables automatically. Without statistics the planner takes one account for hundreds, and reads
-- whole tables instead of using an index.
ALTER TABLE "custody"."accounts" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
