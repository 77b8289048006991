COMMENT ON TABLE "sync"."retirements" IS 'When accounts were retired: not mirrored any more, on purpose (account retire), and who asked.';
COMMENT ON COLUMN "sync"."retirements"."retired_at" IS 'When it was retired, by the database''s clock.';
COMMENT ON COLUMN "sync"."retirements"."retired_by" IS 'Who asked, as role@host (user of the operating system).';
COMMENT ON COLUMN "sync"."retirements"."ended_at" IS 'When somebody let it be mirrored again; null while it is retired.';
COMMENT ON COLUMN "sync"."retirements"."ended_by" IS 'Who ended it.';
