COMMENT ON TABLE "custody"."transaction_status_history" IS 'Every status a transaction was seen in, one row for each change that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_status_history"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_status_history"."sequence" IS 'Number of the change within the transaction; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."from_status" IS 'Status before the change; null at the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."to_status" IS 'Status after the change.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_at" IS 'When the answer that showed the new status had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_status_history"."source_timestamp" IS 'Time that the service put on that answer.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. At the first sighting, a moment at which the transaction did not exist yet. Null when unknown, as for what existed before the mirror.';
