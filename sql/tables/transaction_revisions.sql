COMMENT ON TABLE "custody"."transaction_revisions" IS 'Every change of a transaction other than its status, one row for each that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_revisions"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_revisions"."revision" IS 'Number of the change within the transaction, from 1.';
COMMENT ON COLUMN "custody"."transaction_revisions"."observed_at" IS 'When the answer that showed the change had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_revisions"."changed_fields" IS 'Names of the columns that changed; a field without a column appears as raw. and its path in the record.';
COMMENT ON COLUMN "custody"."transaction_revisions"."before" IS 'The changed fields before; a field that was absent is left out.';
COMMENT ON COLUMN "custody"."transaction_revisions"."after" IS 'The changed fields after; a field that is absent now is left out.';
