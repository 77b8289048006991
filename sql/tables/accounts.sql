COMMENT ON TABLE "custody"."accounts" IS 'Accounts of the custody service that are mirrored, one row each.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service this account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started. It holds from the moment it is set; custody.former_time_zones keeps those before.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'Transactions first seen up to this time may be of any age; those first seen later are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if that is later; for an empty list, the second sweep that found it empty. Null until then, and never changed.';
COMMENT ON COLUMN "custody"."accounts"."transactions_total" IS 'How many transactions are mirrored, vanished ones included. Updated with every commit.';
COMMENT ON COLUMN "custody"."accounts"."transactions_missing" IS 'How many of them vanished from the service (missing_since). Updated with every commit.';

-- PostgreSQL does not analyse a table of few rows by itself. Without statistics the planner takes one account for hundreds, and reads
-- whole tables where an index would do.
ALTER TABLE "custody"."accounts" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
