COMMENT ON TABLE "sync"."seal_verifications" IS 'What the last verification of the sealed history on schedule (SCHEDULE_VERIFY) found: one row per account.';
COMMENT ON COLUMN "sync"."seal_verifications"."verified_at" IS 'When it ended; if an earlier one had found the same, when that one ended.';
COMMENT ON COLUMN "sync"."seal_verifications"."tree_size" IS 'How many rows of the history were found to be as they were sealed; 0 if none.';
COMMENT ON COLUMN "sync"."seal_verifications"."finding" IS 'What is not as it was sealed, in words, as verify prints it; null if everything is.';
