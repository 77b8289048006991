COMMENT ON TABLE "sync"."seal_stops" IS 'Accounts whose history can no longer be sealed. No row while sealing works.';
COMMENT ON COLUMN "sync"."seal_stops"."stopped_at" IS 'When sealing first failed.';
COMMENT ON COLUMN "sync"."seal_stops"."reason" IS 'Why, with the code of the error.';
