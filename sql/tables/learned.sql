COMMENT ON TABLE "sync"."learned" IS 'Facts learned about the custody service beyond its documentation.';
COMMENT ON COLUMN "sync"."learned"."fact" IS 'Name of the fact.';
COMMENT ON COLUMN "sync"."learned"."value" IS 'What was learned.';
COMMENT ON COLUMN "sync"."learned"."evidence" IS 'The evidence for it.';
COMMENT ON COLUMN "sync"."learned"."updated_at" IS 'When it was last confirmed or changed.';
