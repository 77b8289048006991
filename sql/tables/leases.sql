COMMENT ON TABLE "sync"."leases" IS 'Which process may write for an account. Times are of the database''s clock, and the account''s time is kept here.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition. It only grows; a process with an older number cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it ends unless it is renewed.';
COMMENT ON COLUMN "sync"."leases"."account_time" IS 'The account''s time at the last write under the lease: no row of the account is dated later. It never goes back, and the next holder continues from it.';
COMMENT ON COLUMN "sync"."leases"."database_time" IS 'The time of the database''s clock at that write.';
COMMENT ON COLUMN "sync"."leases"."ahead_since" IS 'Since when the database''s clock is more than five seconds behind the account''s time, by that clock: it was set back. Null while it is not.';
