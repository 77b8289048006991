COMMENT ON TABLE "sync"."pauses" IS 'When accounts were not mirrored on purpose, by pause or account retire, and who asked.';
COMMENT ON COLUMN "sync"."pauses"."paused_at" IS 'When it began, by the database''s clock.';
COMMENT ON COLUMN "sync"."pauses"."paused_until" IS 'When it ends by itself; infinity if the account is retired.';
COMMENT ON COLUMN "sync"."pauses"."paused_by" IS 'Who asked, as role@host (user of the operating system).';
COMMENT ON COLUMN "sync"."pauses"."ended_at" IS 'When somebody ended it; null if it ended by itself, or lasts.';
COMMENT ON COLUMN "sync"."pauses"."ended_by" IS 'Who ended it.';
