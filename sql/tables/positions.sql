COMMENT ON TABLE "sync"."positions" IS 'Where an interrupted job resumes, and how far the maintenance has come. Other jobs that ended have no row.';
COMMENT ON COLUMN "sync"."positions"."job" IS 'Name of the job.';
COMMENT ON COLUMN "sync"."positions"."position" IS 'Where it resumes. Only the job itself interprets this.';
COMMENT ON COLUMN "sync"."positions"."updated_at" IS 'When the position was reached.';
