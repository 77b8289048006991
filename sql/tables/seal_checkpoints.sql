COMMENT ON TABLE "sync"."seal_checkpoints" IS 'Signed checkpoints of the sealed history: a number of rows, and the hash over all of them (C2SP tlog-checkpoint).';
COMMENT ON COLUMN "sync"."seal_checkpoints"."last_change_id" IS 'Number of the last of these rows.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."note" IS 'The checkpoint as a signed note: name of the log, number of rows, hash, signature.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."signed_at" IS 'When it was signed. The signature does not cover this.';
