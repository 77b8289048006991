COMMENT ON TABLE "sync"."seal_stops" IS 'That sealing of an account''s history has stopped: no row while it works.';
COMMENT ON COLUMN "sync"."seal_stops"."stopped_at" IS 'When sealing first failed.';
COMMENT ON COLUMN "sync"."seal_stops"."reason" IS 'Why, with the code of the error.';
