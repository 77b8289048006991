COMMENT ON TABLE "sync"."leases" IS 'The process that may write for each account. Times are by the database''s clock, except account_time.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition, always growing. A process with an older number cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it expires unless renewed.';
COMMENT ON COLUMN "sync"."leases"."account_time" IS 'The account''s time at the last write under the lease: no row of the account has a later time. It never goes back, and the next holder continues from it.';
COMMENT ON COLUMN "sync"."leases"."database_time" IS 'The database''s time at that write.';
COMMENT ON COLUMN "sync"."leases"."ahead_since" IS 'When the database''s clock fell more than five seconds behind the account''s time, by that clock: it was set back. Null if it is not behind.';
