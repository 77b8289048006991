COMMENT ON TABLE "custody"."transactions" IS 'Transactions as last observed, one row each. Earlier states are in transaction_status_history and transaction_revisions.';
COMMENT ON COLUMN "custody"."transactions"."amount" IS 'Amount in units of the asset, exactly as sent. Null if the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."fee" IS 'Fee, exactly as sent. Null if the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."source_timestamp" IS 'Timestamp, set by the service, of the answer from which this row was last written: the time of retrieval, not of the transaction.';
COMMENT ON COLUMN "custody"."transactions"."status_changed_at" IS 'When the mirror first saw the current status.';
COMMENT ON COLUMN "custody"."transactions"."raw" IS 'The record as received, including unknown fields.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_after" IS 'A moment at which the transaction certainly did not exist yet: the start of the last reading that would have shown it. Null if unknown, as for transactions older than the mirror.';
