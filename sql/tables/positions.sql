COMMENT ON TABLE "sync"."positions" IS 'Resume positions of interrupted jobs, and the progress of the maintenance. Other finished jobs have no row.';
COMMENT ON COLUMN "sync"."positions"."position" IS 'Where it resumes. Only the job itself interprets it.';
COMMENT ON COLUMN "sync"."positions"."updated_at" IS 'When the position was reached.';
