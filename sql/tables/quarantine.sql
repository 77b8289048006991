COMMENT ON TABLE "sync"."quarantine" IS 'Records that could not be read, kept as text with the reason.';
COMMENT ON COLUMN "sync"."quarantine"."quarantine_id" IS 'Number of the entry.';
COMMENT ON COLUMN "sync"."quarantine"."record_key" IS 'Identifier of the record, or a digest of its text if it has none.';
COMMENT ON COLUMN "sync"."quarantine"."reason" IS 'Why it could not be read.';
COMMENT ON COLUMN "sync"."quarantine"."raw" IS 'The record as received.';
COMMENT ON COLUMN "sync"."quarantine"."run_id" IS 'The run (sync.runs) that last saw it.';
COMMENT ON COLUMN "sync"."quarantine"."resolved_at" IS 'When the record became readable or was no longer listed; null until then. The row stays.';
