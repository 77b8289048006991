COMMENT ON TABLE "custody"."transaction_status_history" IS 'Every observed status of a transaction, one row per change. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_status_history"."sequence" IS 'Number of the change within the transaction, from 1 (first sighting).';
COMMENT ON COLUMN "custody"."transaction_status_history"."to_status" IS 'Status after the change.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_at" IS 'When the answer that showed the new status arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_status_history"."source_timestamp" IS 'Timestamp of that answer, set by the service.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. At the first sighting, a moment at which the transaction did not exist yet. Null if unknown, as for transactions older than the mirror.';
COMMENT ON COLUMN "custody"."transaction_status_history"."read_at" IS 'When the answer with the first record that could be read arrived. Null where that is observed_at: only a transaction from quarantine was seen before it was read.';
