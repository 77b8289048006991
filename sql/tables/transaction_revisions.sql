COMMENT ON TABLE "custody"."transaction_revisions" IS 'Every observed change of a transaction other than of its status, one row each. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_revisions"."revision" IS 'Number of the change within the transaction, from 1.';
COMMENT ON COLUMN "custody"."transaction_revisions"."observed_at" IS 'When the answer that showed the change arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_revisions"."changed_fields" IS 'Names of the changed columns; a field without a column appears as raw. and its path in the record.';
COMMENT ON COLUMN "custody"."transaction_revisions"."before" IS 'The changed fields before the change, without those that were absent.';
COMMENT ON COLUMN "custody"."transaction_revisions"."after" IS 'The changed fields after the change, without those that are absent now.';
