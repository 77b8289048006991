COMMENT ON TABLE "sync"."leases" IS 'Which process may write for an account. Times are of the database''s clock.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition. It only grows; a process with an older number cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it ends unless it is renewed.';
